import { sameName } from "../../core/detect/call/validate-call.ts";
import type { DeclaredTool } from "../../core/detect/index.ts";
import type { CallObservation, ObservationBase } from "../../core/model/observation.ts";
import { DecodedTool } from "../../core/repair/client-tools.ts";
import type { DecodedRequest, HistoryCall } from "../../core/wire/index.ts";
import { INCOMPLETE } from "../../ingest/idle-sessions.ts";
import type { CallObserver } from "../../ingest/observe/observe-call.ts";
import type { BodyText } from "../body/body-text.ts";
import type { PromptRef } from "./prompt-cache.ts";

/** A call of the history that is not recorded yet. */
export interface NewCall {
  readonly call: HistoryCall;
  readonly tools: DecodedRequest["tools"];
  readonly order: number;
  readonly prompt: PromptRef | undefined;
}

/** Reduces a call of the history, with its result, to an observation. */
export function observeHistoryCall(
  observer: CallObserver,
  { call, tools, order, prompt }: NewCall,
  base: ObservationBase,
  conversation: string,
): CallObservation {
  const observation = observer.observe({
    ...base,
    tool_call_id: call.id,
    place: { kind: "history", conversation, n: call.n },
    ...prompt,
    order,
    // The wire leaves parameters unknown; detection checks what it reads of them.
    tools: tools as readonly DeclaredTool[],
    ...(call.name !== undefined && { name: call.name }),
    ...(call.arguments !== undefined && { arguments: call.arguments }),
    ...(call.result !== undefined && { result: call.result }),
    ...(call.turn !== undefined && { turn: call.turn, turn_index: call.turnIndex ?? 0 }),
  });
  return call.unanswered === true ? { ...observation, result: INCOMPLETE } : observation;
}

/**
 * Returns the tool that a call is validated against, or any other tool if it is not declared. The complete list is most
 * of a request, and would stay in memory until the call is classified.
 */
export function toolsFor(
  called: string | undefined,
  tools: DecodedRequest["tools"],
  restore: BodyText["restore"],
): DecodedRequest["tools"] {
  const own = called === undefined ? undefined : tools.find(({ name }) => sameName(restore(name), called));
  if (own === undefined) return tools.slice(0, 1).map(({ name }) => ({ name: restore(name) }));
  return [new DecodedTool(own, restore)];
}
