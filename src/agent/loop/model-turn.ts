import type { RecoveredCall } from "../../core/recover/index.ts";
import type { SecondChanceReason, SecondChanceResult } from "../../core/second-chance/types.ts";
import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import type { FinishReason, ModelDelta, ModelFunction, ModelRequest, ModelTurn } from "../model/model-function.ts";
import { CallParts } from "./call-parts.ts";
import type { LeakReader, RejectedCall } from "./leak-reader.ts";
import { untilAborted, within } from "./model-deltas.ts";

export interface ReadTurn extends ModelTurn {
  /** The calls were extracted from text. */
  readonly isRecovered: boolean;
  readonly rejected: readonly RejectedCall[];
  /** Some text was already yielded. */
  readonly hasShown: boolean;
  /** Set if the model was asked again. */
  readonly secondChance?: { readonly reason: SecondChanceReason; readonly result: SecondChanceResult };
}

/** A part of a turn, yielded while it streams. */
export type TurnPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "arguments";
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

export interface TurnSettings {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Idle timeout of the model. */
  readonly idleMs: number;
}

const EXTRACTABLE_FINISHES: ReadonlySet<FinishReason | undefined> = new Set(["stop", "tool-calls", "length"]);

type Finish = ModelDelta & { readonly kind: "finish" };

/** Filled in while a turn streams. */
interface OpenTurn {
  readonly calls: CallParts;
  finish: Finish | undefined;
  error: unknown;
}

/** Calls the model and reads its turn: yields parts as they arrive and returns the complete turn. Never throws. */
export async function* readTurn(
  model: ModelFunction,
  request: ModelRequest,
  leaks: LeakReader,
  { clock, newId, idleMs }: TurnSettings,
): AsyncGenerator<TurnPart, ReadTurn, void> {
  const turn: OpenTurn = { calls: new CallParts(), finish: undefined, error: undefined };
  const limit = <T>(next: Promise<T>): Promise<T> => within(next, idleMs, clock);
  let hasShown = false;
  const show = function* (text: string): Generator<TurnPart, void, void> {
    if (text === "") return;
    hasShown = true;
    yield { kind: "text", text };
  };
  for await (const part of readDeltas(
    untilAborted(() => model(request), request.signal, limit),
    leaks,
    turn,
  )) {
    if (part.kind === "text") yield* show(part.text);
    else yield part;
  }
  const { calls, finish, error } = turn;
  // A truncated turn may end inside a leaked call: that is detected, although it is not run.
  // In a response without tools it is removed from the text, but not run either.
  const isExtractable = error === undefined && EXTRACTABLE_FINISHES.has(finish?.reason);
  if (!isExtractable) yield* show(leaks.giveUp());
  const reading = leaks.end();
  yield* show(reading.rest);
  return {
    text: reading.text.trim() === "" ? "" : reading.text,
    calls: calls.isEmpty ? reading.calls.map(modelCall) : calls.end(newId),
    isRecovered: calls.isEmpty && reading.calls.length > 0,
    rejected: reading.rejected,
    hasShown,
    finish: error === undefined ? finish?.reason : "error",
    provider: finish?.provider,
    usage: finish?.usage,
    error: error ?? finish?.error,
  };
}

/** Yields the text that can be shown after each delta. An exception of the model ends the turn as its error. */
async function* readDeltas(
  deltas: AsyncIterable<ModelDelta>,
  leaks: LeakReader,
  turn: OpenTurn,
): AsyncGenerator<TurnPart, void, void> {
  try {
    for await (const delta of deltas) {
      if (delta.kind === "text") yield { kind: "text", text: await leaks.push(String(delta.text)) };
      else if (delta.kind === "finish") {
        turn.finish = delta;
        return;
      } else {
        yield { kind: "text", text: leaks.giveUp() };
        if (delta.kind === "call") turn.calls.add(delta.call);
        else {
          const { id, name } = turn.calls.addPart(delta);
          const { index, arguments: text = "" } = delta;
          if (text !== "") yield { kind: "arguments", index, callId: id, name, text };
        }
      }
    }
  } catch (thrown) {
    turn.error = thrown ?? new Error("The model failed without a reason.");
  }
}

/** The call without fields that only the scanner needs. */
function modelCall({ id, name, arguments: args, origin, format, repairs }: RecoveredCall): ModelCall {
  return { id, name, arguments: args, origin, format, repairs };
}
