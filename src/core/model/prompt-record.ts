import { type Fact, pickFact } from "./facts.ts";
import type { PromptObservation } from "./observation.ts";

/** Ids of prompts from requests: the index in the history, and a hash of the text. */
export const DERIVED_PROMPT_ID: RegExp = /^\d{1,9}-[0-9a-f]{12}$/;

/** A prompt of the user: its time and workflow, and its redacted text if texts are captured. */
export interface PromptRecord {
  readonly kind: "prompt-record";
  readonly project: string;
  readonly session_id: string;
  readonly prompt: string;
  readonly first_at: number;
  readonly workflow?: Fact<string>;
  readonly text?: Fact<string>;
}

export function promptKeyText(key: {
  readonly project: string;
  readonly session_id: string;
  readonly prompt: string;
}): string {
  return `${key.project}\u0000${key.session_id}\u0000${key.prompt}`;
}

export function promptRecordOf({
  project,
  session_id,
  prompt,
  workflow,
  text,
  occurred_at: at,
}: PromptObservation): PromptRecord {
  return {
    kind: "prompt-record",
    project,
    session_id,
    prompt,
    first_at: at,
    ...(workflow !== undefined && { workflow: { value: workflow, rank: 1, at } }),
    ...(text !== undefined && { text: { value: text, rank: 1, at } }),
  };
}

export function mergePrompts(a: PromptRecord, b: PromptRecord): PromptRecord {
  const workflow = pickFact(a.workflow, b.workflow);
  const text = pickFact(a.text, b.text);
  if (a.first_at <= b.first_at && workflow === a.workflow && text === a.text) return a;
  return { ...a, first_at: Math.min(a.first_at, b.first_at), ...(workflow && { workflow }), ...(text && { text }) };
}
