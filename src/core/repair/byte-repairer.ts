import type { Frame } from "../wire/event-framer.ts";
import { FRAMINGS, type Framing, type StreamFramer } from "../wire/framing.ts";
import type { StreamRepairer } from "./types.ts";

/** Above this size, an event and everything after it is passed through unparsed. */
const MAX_EVENT_BYTES = 4 << 20;

/** Output of a push: complete events, parsed at most once, followed by bytes that are not a complete event. */
export interface RepairOutput {
  readonly events: readonly Frame[];
  readonly bytes: Uint8Array;
}

const EMPTY = new Uint8Array(0);

/** Repairs a byte stream. The output is the same however the input is chunked. */
export class ByteRepairer {
  readonly #framer: StreamFramer;
  readonly #parse: (raw: Uint8Array) => Frame;
  readonly #repairer: StreamRepairer;
  /** Events the repairer has buffered. It returns them as bytes, which are looked up here to avoid a second parse. */
  readonly #bufferedFrames = new Map<Uint8Array, Frame>();
  #isPassingThrough = false;

  constructor(repairer: StreamRepairer, framing: Framing = "events") {
    this.#framer = FRAMINGS[framing].create(Number.POSITIVE_INFINITY);
    this.#parse = FRAMINGS[framing].parse;
    this.#repairer = repairer;
  }

  push(chunk: Uint8Array): RepairOutput {
    if (this.#isPassingThrough) return { events: [], bytes: chunk };
    const events: Frame[] = [];
    for (const frame of this.#framer.push(chunk)) this.#repair(frame, events);
    if (this.#framer.bufferedBytes <= MAX_EVENT_BYTES) return { events, bytes: EMPTY };
    this.#isPassingThrough = true;
    const flushed = this.end();
    return { events: [...events, ...flushed.events], bytes: flushed.bytes };
  }

  /** Ends the stream, also after an abort, and returns everything still buffered. */
  end(): RepairOutput {
    return { events: this.#eventsOf(this.#repairer.end()), bytes: this.#framer.end() };
  }

  #repair(frame: Frame, events: Frame[]): void {
    const parts = this.#repairer.push(frame);
    if (parts.length === 1 && parts[0] === frame.raw) {
      events.push(frame);
      return;
    }
    this.#bufferedFrames.set(frame.raw, frame);
    // Not `push(...events)`: a large number of arguments overflows the stack.
    for (const event of this.#eventsOf(parts)) events.push(event);
  }

  /** Maps the repairer's output to events: original frames where it returned their bytes, otherwise new ones. */
  #eventsOf(parts: readonly Uint8Array[]): readonly Frame[] {
    const events = parts.map((part) => this.#bufferedFrames.get(part) ?? this.#parse(part));
    if (!this.#repairer.isBuffering) this.#bufferedFrames.clear();
    return events;
  }
}

/** The bytes of the output, in order. */
export function bytesOf({ events, bytes }: RepairOutput): readonly Uint8Array[] {
  const parts = events.map(({ raw }) => raw);
  return bytes.length === 0 ? parts : [...parts, bytes];
}
