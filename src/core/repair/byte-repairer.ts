import { EventFramer, type Frame, parseFrame } from "../wire/event-framer.ts";
import type { StreamRepairer } from "./types.ts";

/** One event of more than this is passed as it comes, and so is everything behind it. */
const EVENT_LIMIT = 4 << 20;

/** What leaves: whole events, read once for all who want to read them, and then bytes that are no whole event. */
export interface RepairOutput {
  readonly events: readonly Frame[];
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Bytes of a stream in, events out, mended on the way: wherever a stream is cut, the same comes out. */
export class ByteRepairer {
  readonly #framer = new EventFramer(Number.POSITIVE_INFINITY);
  readonly #mender: StreamRepairer;
  /** Events that did not leave at once: the mender gives them back as the bytes they were. */
  readonly #held = new Map<Uint8Array, Frame>();
  #passing = false;

  constructor(mender: StreamRepairer) {
    this.#mender = mender;
  }

  push(chunk: Uint8Array): RepairOutput {
    if (this.#passing) return { events: [], bytes: chunk };
    const events: Frame[] = [];
    for (const frame of this.#framer.push(chunk)) this.#mend(frame, events);
    if (this.#framer.bufferedBytes <= EVENT_LIMIT) return { events, bytes: NOTHING };
    this.#passing = true;
    const rest = this.end();
    return { events: [...events, ...rest.events], bytes: rest.bytes };
  }

  /** The stream is over, or broke off: everything that is still held. */
  end(): RepairOutput {
    return { events: this.#eventsOf(this.#mender.end()), bytes: this.#framer.end() };
  }

  #mend(frame: Frame, events: Frame[]): void {
    const parts = this.#mender.push(frame);
    if (parts.length === 1 && parts[0] === frame.raw) {
      events.push(frame);
      return;
    }
    this.#held.set(frame.raw, frame);
    // Not `push(...events)`: very many arguments overflow the stack.
    for (const event of this.#eventsOf(parts)) events.push(event);
  }

  /** The events whose bytes the mender gave out: those that came, and its own. */
  #eventsOf(parts: readonly Uint8Array[]): readonly Frame[] {
    const events = parts.map((part) => this.#held.get(part) ?? parseFrame(part));
    if (!this.#mender.isBuffering) this.#held.clear();
    return events;
  }
}

/** The bytes of what leaves, in order. */
export function bytesOf({ events, bytes }: RepairOutput): readonly Uint8Array[] {
  const parts = events.map(({ raw }) => raw);
  return bytes.length === 0 ? parts : [...parts, bytes];
}
