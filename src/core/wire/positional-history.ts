import { positionalId } from "./call-position.ts";
import { HistoryReader } from "./history.ts";
import type { HistoryCall, HistoryResult } from "./turn.ts";

/** A call of a message, or the call of a result. */
interface CallReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

interface OpenCall extends CallReference {
  readonly index: number;
  isAnswered: boolean;
}

/**
 * Calls in the order of the turn, with the position of the first one that may be open: finding all of them is linear.
 */
class CallQueue {
  readonly #calls: OpenCall[] = [];
  #next = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  /** The first call without a result. */
  first(): OpenCall | undefined {
    while (this.#calls[this.#next]?.isAnswered === true) this.#next += 1;
    return this.#calls[this.#next];
  }
}

/** The calls of one turn. */
class OpenCalls {
  readonly #byId = new Map<string, CallQueue>();
  /** All calls by name. Calls with an id are separate: a result with another id does not belong to them. */
  readonly #byName = { any: new Map<string, CallQueue>(), withoutId: new Map<string, CallQueue>() };

  add(call: OpenCall): void {
    const { id, name = "" } = call;
    if (id !== undefined) queueOf(this.#byId, id).add(call);
    for (const key of [ALL, name]) {
      queueOf(this.#byName.any, key).add(call);
      if (id === undefined) queueOf(this.#byName.withoutId, key).add(call);
    }
  }

  /** Matches by id, otherwise by name, if there is one, and order. */
  find({ id, name }: CallReference): OpenCall | undefined {
    const exact = id === undefined ? undefined : this.#byId.get(id)?.first();
    const others = id === undefined ? this.#byName.any : this.#byName.withoutId;
    return exact ?? others.get(name ?? ALL)?.first();
  }
}

/** Not a name: names have no control characters. */
const ALL = "\u0000";

function queueOf(queues: Map<string, CallQueue>, key: string): CallQueue {
  const queue = queues.get(key) ?? new CallQueue();
  queues.set(key, queue);
  return queue;
}

/** Pairs calls and results in histories where ids may be missing: results belong to the turn before them. */
export class PositionalHistory {
  readonly #history = new HistoryReader();
  #open = new OpenCalls();
  #isModelTurn = false;

  /** Number of calls read. */
  get size(): number {
    return this.#history.size;
  }

  /**
   * Starts the message at `position`. Adjacent messages of the model are one turn, because clients store streamed
   * pieces.
   */
  message(position: number, isModel: boolean): void {
    this.#history.at(position);
    if (!isModel || !this.#isModelTurn) this.#history.message();
    if (isModel && !this.#isModelTurn) this.#open = new OpenCalls();
    this.#isModelTurn = isModel;
  }

  /** `recordedId` is the id under which the call is recorded; absent: its position. */
  call({ id, name = "" }: CallReference, args: unknown, recordedId?: string): void {
    const index = this.#history.call(recordedId ?? positionalId(name, this.size), name, args);
    this.#open.add({ index, id, name, isAnswered: false });
  }

  result(reference: CallReference, result: HistoryResult): void {
    const call = this.#open.find(reference);
    if (call !== undefined) {
      call.isAnswered = true;
      this.#history.answer(call.index, result);
    } else if (reference.id !== undefined) this.#history.result(reference.id, result);
  }

  end(): readonly HistoryCall[] {
    return this.#history.end();
  }
}
