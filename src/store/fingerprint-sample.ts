import { SAMPLE_LENGTH } from "../core/model/figures.ts";
import type { OutcomeFacts } from "../core/model/observation.ts";

/** How a failure reads, as a list of errors shows it: its excerpt, or else its message. */
export function sampleOfRecord(record: string): string {
  const { facts } = JSON.parse(record) as { facts?: { result?: { value?: { outcome?: Partial<OutcomeFacts> } } } };
  const { excerpt, status_message } = facts?.result?.value?.outcome ?? {};
  return (excerpt ?? status_message ?? "").slice(0, SAMPLE_LENGTH);
}

/** So many of an error's oldest calls are looked at for one with text: where none is kept, no later one has any either. */
export const SAMPLE_CANDIDATES = 20;
