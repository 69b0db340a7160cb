import { type Fact, pickFact } from "./facts.ts";
import type { PromptObservation } from "./observation.ts";

/** A prompt of the user: its time and workflow. The text is not stored. */
export interface PromptRecord {
  readonly kind: "prompt-record";
  readonly project: string;
  readonly session_id: string;
  readonly prompt: string;
  readonly first_at: number;
  readonly workflow?: Fact<string>;
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
  occurred_at: at,
}: PromptObservation): PromptRecord {
  return {
    kind: "prompt-record",
    project,
    session_id,
    prompt,
    first_at: at,
    ...(workflow !== undefined && { workflow: { value: workflow, rank: 1, at } }),
  };
}

export function mergePrompts(a: PromptRecord, b: PromptRecord): PromptRecord {
  const workflow = pickFact(a.workflow, b.workflow);
  if (a.first_at <= b.first_at && workflow === a.workflow) return a;
  return { ...a, first_at: Math.min(a.first_at, b.first_at), ...(workflow && { workflow }) };
}
