import type { ObservationBase } from "../../core/model/observation.ts";
import { omitUndefined } from "../../core/wire/json.ts";
import { workflowOf } from "../hook-event.ts";
import type { RawTranscriptObservation } from "./transcript-reader.ts";

/** The latest user prompt in a transcript. */
export interface PromptState {
  /** Number of prompts so far; serves as the id where the client gives none. */
  readonly prompts: number;
  readonly prompt?: string;
  readonly workflow?: string;
}

type Prompted = PromptState & { readonly prompt: string };

/** Starts a new prompt. `id` is the client's id of the message. */
export function startPrompt<Memory extends PromptState>(
  memory: Memory,
  promptText: string,
  id: string | undefined,
): Memory & Prompted {
  const prompts = memory.prompts + 1;
  return { ...memory, prompts, prompt: id ?? String(prompts), workflow: workflowOf(promptText) };
}

/** Returns the prompt fields of a call made for the current prompt. */
export function promptFields({ prompt, workflow }: PromptState): {
  readonly prompt?: string;
  readonly workflow?: string;
} {
  return omitUndefined({ prompt, workflow });
}

/** @param text its text, which is stored only if prompts are captured */
export function promptObservation(
  base: ObservationBase,
  { prompt, workflow }: Prompted,
  text: string,
): RawTranscriptObservation {
  const fields = omitUndefined({ workflow });
  return { kind: "observation", observation: { ...base, kind: "prompt", prompt, ...fields, text } };
}
