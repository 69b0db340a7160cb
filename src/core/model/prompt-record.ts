import { type Fact, pickFact } from "./facts.ts";
import type { PromptObservation } from "./observation.ts";

/** A message of the user, as far as it is kept: that it was, and what kind of work it asks for. */
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

/** One prompt told twice is one prompt. */
export function mergePrompts(a: PromptRecord, b: PromptRecord): PromptRecord {
  const workflow = pickFact(a.workflow, b.workflow);
  if (a.first_at <= b.first_at && workflow === a.workflow) return a;
  return { ...a, first_at: Math.min(a.first_at, b.first_at), ...(workflow && { workflow }) };
}
