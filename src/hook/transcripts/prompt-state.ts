import type { Seen } from "../../core/model/observation.ts";
import { given } from "../../core/wire/json.ts";
import type { RawTranscriptObservation } from "./transcript-reader.ts";
import { workflowOf } from "./workflow-of.ts";

/** What the user asked for last, as far as a transcript has told. */
export interface PromptState {
  /** Messages of the user so far; not every client gives them an id. */
  readonly prompts: number;
  readonly prompt?: string;
  readonly workflow?: string;
}

type Prompted = PromptState & { readonly prompt: string };

/** The user asks for something else; `id` is what the client calls that message. */
export function startPrompt<Memory extends PromptState>(
  memory: Memory,
  promptText: string,
  id: string | undefined,
): Memory & Prompted {
  const prompts = memory.prompts + 1;
  return { ...memory, prompts, prompt: id ?? String(prompts), workflow: workflowOf(promptText) };
}

/** What a call says of the message it was made for. */
export function promptFields({ prompt, workflow }: PromptState): {
  readonly prompt?: string;
  readonly workflow?: string;
} {
  return given({ prompt, workflow });
}

/** That the user asked. */
export function promptObservation(base: Seen, { prompt, workflow }: Prompted): RawTranscriptObservation {
  return { kind: "observation", observation: { ...base, kind: "prompt", prompt, ...given({ workflow }) } };
}
