import { Edits, spanAt } from "../json/json-spans.ts";
import { newEvent } from "./sse-frame.ts";

/**
 * Numbers the events of the Responses API. Added and dropped events shift all later numbers, so that no gap remains.
 */
export class SequenceNumbers {
  /** Difference between emitted and upstream numbers. */
  #shift = 0;
  #last: number | undefined;
  /** The first event, which contains the whole response; template for keep-alive events. */
  #opening: string | undefined;

  get isShifted(): boolean {
    return this.#shift !== 0;
  }

  open(data: string | undefined): void {
    this.#opening ??= data;
  }

  /** The number in the output of an event of the upstream. */
  emit(number: number): number {
    this.#last = number + this.#shift;
    return this.#last;
  }

  /** The number of a generated event that precedes the event with this number. */
  insertBefore(number: number | undefined): { readonly sequence_number?: number } {
    const shift = this.#shift;
    this.#shift += 1;
    return number === undefined ? {} : { sequence_number: number + shift };
  }

  drop(): void {
    this.#shift -= 1;
  }

  /** A copy of the first event that only reports that the response is in progress. */
  keepAlive(): Uint8Array | undefined {
    if (this.#opening === undefined) return undefined;
    const opening = this.#opening;
    const edits = new Edits();
    const type = spanAt(opening, ["type"]);
    if (type !== undefined) edits.replace(type, '"response.in_progress"');
    if (this.#last !== undefined) {
      this.#last += 1;
      this.#shift += 1;
      const number = spanAt(opening, ["sequence_number"]);
      if (number !== undefined) edits.replace(number, String(this.#last));
    }
    return newEvent(edits.apply(opening), "response.in_progress");
  }
}
