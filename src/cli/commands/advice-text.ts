import type { Advice } from "../../core/detect/index.ts";

/** Number of different pieces of advice that a report shows. */
const MAX_ADVICE = 3;

/** Lists the advice of the most frequent failures, each once. */
export function adviceText(found: readonly (Advice | null)[]): string {
  const texts = [...new Set(found.flatMap((advice) => (advice === null ? [] : [advice.text])))].slice(0, MAX_ADVICE);
  return texts.length === 0 ? "" : `\nWhat may help:\n${texts.map((text) => `  - ${text}\n`).join("")}`;
}
