import { SAMPLE_LENGTH } from "../core/model/aggregates.ts";
import type { OutcomeFacts } from "../core/model/observation.ts";

/** The text that represents an error in lists: the excerpt of one failure, or its status message. */
export function sampleOfRecord(record: string): string {
  const { facts } = JSON.parse(record) as { facts?: { result?: { value?: { outcome?: Partial<OutcomeFacts> } } } };
  const { excerpt, status_message } = facts?.result?.value?.outcome ?? {};
  return (excerpt ?? status_message ?? "").slice(0, SAMPLE_LENGTH);
}

/** Number of an error's oldest calls that are searched for a text. */
export const SAMPLE_CANDIDATES = 20;
