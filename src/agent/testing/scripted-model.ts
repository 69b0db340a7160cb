import type { LoopEvent, LoopResult } from "../loop/events.ts";
import type { Message, ModelCall, ProviderTurn } from "../model/message.ts";
import type { FinishReason, ModelDelta, ModelFunction, ModelRequest } from "../model/model-function.ts";

/** A scripted call; without an id, one is generated. */
export type ScriptedCall = Omit<ModelCall, "id"> & { readonly id?: string };

/** One turn of a scripted model: text, a detailed turn, raw deltas, or a function of the request. */
export type ScriptedTurn =
  | string
  | {
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      /** `null`: the stream ends without a finish reason. */
      readonly finish?: FinishReason | null;
      readonly provider?: ProviderTurn;
      /** Thrown after the text. */
      readonly error?: unknown;
    }
  | readonly ModelDelta[]
  | ((request: ModelRequest) => ScriptedTurn);

/** A request, as it was when it was made. */
export type RecordedRequest = Pick<ModelRequest, "messages" | "tools" | "toolChoice" | "round">;

export interface ScriptedModel extends ModelFunction {
  readonly requests: readonly RecordedRequest[];
  /** Throws if a turn was not used, or if there were more requests than turns. */
  assertDone(): void;
}

/**
 * A model that replays scripted turns.
 *
 * @example
 * const model = scriptedModel([{ calls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, "It is 3."]);
 * for await (const event of runToolLoop({ registry, model, messages })) …
 * model.assertDone();
 */
export function scriptedModel(turns: readonly ScriptedTurn[]): ScriptedModel {
  const requests: RecordedRequest[] = [];
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `call_${ids}`;
  };
  const model = (request: ModelRequest): AsyncIterable<ModelDelta> => {
    requests.push(recorded(request));
    const turn = turns[requests.length - 1];
    if (turn === undefined)
      throw new Error(`The script has ${turns.length} turns, but the model received another request.`);
    return play(turn, request, newId);
  };
  const assertDone = (): void => {
    if (requests.length !== turns.length) {
      throw new Error(`The script has ${turns.length} turns, but the model received ${requests.length} requests.`);
    }
  };
  return Object.assign(model, { requests, assertDone });
}

async function* play(turn: ScriptedTurn, request: ModelRequest, newId: () => string): AsyncGenerator<ModelDelta> {
  if (typeof turn === "function") return yield* play(turn(request), request, newId);
  if (typeof turn === "string") return yield* play({ text: turn }, request, newId);
  // `Array.isArray` does not narrow readonly arrays.
  if (Array.isArray(turn)) return yield* turn as readonly ModelDelta[];
  const {
    text = "",
    calls = [],
    finish,
    provider,
    error,
  } = turn as Exclude<ScriptedTurn, string | readonly ModelDelta[] | ((request: ModelRequest) => ScriptedTurn)>;
  // In small chunks, like real models: chunks can end inside words and tags.
  for (let at = 0; at < text.length; at += 7) yield { kind: "text", text: text.slice(at, at + 7) };
  for (const call of calls) yield { kind: "call", call: { ...call, id: call.id ?? newId() } };
  if (error !== undefined) throw error;
  if (finish === null) return;
  const reason = finish ?? (calls.length > 0 ? "tool-calls" : "stop");
  yield { kind: "finish", reason, ...(provider !== undefined && { provider }) };
}

function recorded({ messages, tools, toolChoice, round }: ModelRequest): RecordedRequest {
  return frozen({ messages: structuredClone(messages) as Message[], tools: structuredClone(tools), toolChoice, round });
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/** A complete run. */
export interface CollectedRun extends LoopResult {
  readonly events: readonly LoopEvent[];
  /** All text shown to the user. */
  readonly text: string;
}

/** Runs a loop to its end and collects its events. */
export async function collectRun(run: AsyncGenerator<LoopEvent, LoopResult, void>): Promise<CollectedRun> {
  const events: LoopEvent[] = [];
  let next = await run.next();
  for (; next.done !== true; next = await run.next()) events.push(next.value);
  const text = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
  return { ...next.value, events, text };
}
