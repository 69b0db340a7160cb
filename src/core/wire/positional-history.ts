import { positionalId } from "./call-position.ts";
import { HistoryReader } from "./history.ts";
import type { HistoryCall, HistoryResult } from "./turn.ts";

/** What a message says about the call that it makes or answers. */
interface CallReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

interface OpenCall extends CallReference {
  readonly index: number;
  isAnswered: boolean;
}

/** Pairs calls and results in histories where ids may be missing: results belong to the turn before them. */
export class PositionalHistory {
  readonly #history = new HistoryReader();
  #open: OpenCall[] = [];
  #isModelTurn = false;

  /** Number of calls read. */
  get size(): number {
    return this.#history.size;
  }

  /** Starts the message at `position`. Messages of the model in a row are one turn: clients keep streamed pieces. */
  message(position: number, isModel: boolean): void {
    this.#history.at(position);
    if (!isModel || !this.#isModelTurn) this.#history.message();
    if (isModel && !this.#isModelTurn) this.#open = [];
    this.#isModelTurn = isModel;
  }

  /** `recordedId` is the id under which the call is recorded; absent: its position. */
  call({ id, name = "" }: CallReference, args: unknown, recordedId?: string): void {
    const index = this.#history.call(recordedId ?? positionalId(name, this.size), name, args);
    this.#open.push({ index, id, name, isAnswered: false });
  }

  /** Matches by id; else by name, if there is one, and order. */
  result({ id, name }: CallReference, result: HistoryResult): void {
    const open = this.#open.filter(({ isAnswered }) => !isAnswered);
    const call =
      open.find((one) => id !== undefined && one.id === id) ??
      open.find((one) => (name === undefined || one.name === name) && (id === undefined || one.id === undefined));
    if (call !== undefined) {
      call.isAnswered = true;
      this.#history.answer(call.index, result);
    } else if (id !== undefined) this.#history.result(id, result);
  }

  end(): readonly HistoryCall[] {
    return this.#history.end();
  }
}
