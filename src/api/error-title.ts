import type { Advice } from "../core/detect/index.ts";
import { findTellingLine } from "../core/detect/reason/telling-line.ts";
import type { FingerprintRow } from "../store/port.ts";

/** An error with a title for lists. */
export interface TitledError extends FingerprintRow {
  readonly title: string;
  /** Null if nothing is known. */
  readonly advice?: Advice | null;
}

const EXIT_STATUS = /^(?:process )?exit(?:ed)?(?: with)? ?(?:code|status)?[:=]? ?\d{1,5}\.?$/i;
const MAX_TITLE_LINES = 40;

/** The line that names the problem. An exit status alone does not, so it is used only if no other line exists. */
export function titleOf({ sample, category }: Pick<FingerprintRow, "sample" | "category">): string {
  const lines = sample.split("\n", MAX_TITLE_LINES).map((line) => line.trim());
  const others = lines.filter((line) => line !== "" && !EXIT_STATUS.test(line));
  const telling = findTellingLine(others.join("\n"))?.line.trim();
  return telling || others[0] || lines[0] || category;
}

const WRAPPER = /^\s{0,10}<([a-z_]{0,40}error)>/;

/** Without the tag that a client puts around the text of an error. */
function unwrapped(text: string): string {
  const [start, name] = WRAPPER.exec(text) ?? [];
  if (start === undefined) return text;
  const rest = text.slice(start.length).trim();
  const end = `</${name}>`;
  return rest.endsWith(end) ? rest.slice(0, -end.length).trimEnd() : rest;
}

export function withTitle(raw: FingerprintRow): TitledError {
  const row = { ...raw, sample: unwrapped(raw.sample) };
  return { ...row, title: titleOf(row) };
}
