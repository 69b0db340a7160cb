import { turnContext } from "../json-response.ts";
import type { RepairTurn } from "../repair-turn.ts";
import type {
  Api,
  LeakReport,
  RepairedCall,
  RepairOptions,
  StreamFrame,
  StreamRepairer,
  UnrepairedReason,
} from "../types.ts";
import { ChatStream } from "./chat-stream.ts";
import { MessagesStream } from "./messages-stream.ts";
import { ResponsesStream } from "./responses-stream.ts";

/** An event that was read: when it can be emitted, and with which bytes. */
export interface QueuedEvent {
  readonly frame: StreamFrame;
  readonly isReady: () => boolean;
  /** Called once, when the event is emitted. */
  readonly render: () => readonly Uint8Array[];
}

/** Interprets the stream of one API. */
export interface StreamReader {
  readonly turns: Iterable<RepairTurn>;
  read(frame: StreamFrame): QueuedEvent;
  keepAlive(): Uint8Array | undefined;
}

const READERS = { anthropic: MessagesStream, chat: ChatStream, responses: ResponsesStream } as const;
const MAX_BUFFERED_BYTES = 16 << 20;

/** Repairs a stream. An event, and everything after it, is buffered only while its text could be part of a call. */
export function createStreamRepairer(api: Api, options: RepairOptions): StreamRepairer {
  return new BufferingRepairer(new READERS[api](turnContext(api, options)), options);
}

class BufferingRepairer implements StreamRepairer {
  readonly #reader: StreamReader;
  readonly #maxBufferedBytes: number;
  readonly #onFailure: RepairOptions["onFailure"];
  #queue: QueuedEvent[] = [];
  /** Number of emitted events at the start of the queue. */
  #head = 0;
  #out: Uint8Array[] = [];
  #bufferedBytes = 0;
  #isPassingThrough = false;

  constructor(reader: StreamReader, { maxBufferedBytes = MAX_BUFFERED_BYTES, onFailure }: RepairOptions) {
    this.#reader = reader;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.#onFailure = onFailure;
  }

  get isBuffering(): boolean {
    return this.#head < this.#queue.length;
  }

  get calls(): readonly RepairedCall[] {
    return [...this.#reader.turns].flatMap(({ calls }) => calls);
  }

  get leaks(): readonly LeakReport[] {
    return [...this.#reader.turns].flatMap(({ reports }) => reports);
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    if (this.#isPassingThrough) return [frame.raw];
    if (!this.isBuffering && frame.raw.length <= this.#maxBufferedBytes) return this.#pushDirect(frame);
    this.#queue.push(unchanged(frame));
    this.#bufferedBytes += frame.raw.length;
    return this.#guarded(() => {
      this.#queue[this.#queue.length - 1] = this.#reader.read(frame);
      if (this.#bufferedBytes > this.#maxBufferedBytes) this.#forbid("buffer-full");
      return this.#flush();
    });
  }

  /** Fast path for most events: the queue is empty, and the event can be emitted immediately. */
  #pushDirect(frame: StreamFrame): readonly Uint8Array[] {
    try {
      const event = this.#reader.read(frame);
      if (event.isReady()) return event.render();
      this.#queue.push(event);
      this.#bufferedBytes += frame.raw.length;
      return [];
    } catch (error) {
      this.#isPassingThrough = true;
      this.#onFailure?.(error);
      return [frame.raw];
    }
  }

  end(): readonly Uint8Array[] {
    return this.#guarded(() => {
      for (const turn of this.#reader.turns) turn.end("aborted");
      return this.#flush();
    });
  }

  keepAlive(): Uint8Array | undefined {
    try {
      return this.isBuffering ? this.#reader.keepAlive() : undefined;
    } catch (error) {
      this.#onFailure?.(error);
      return undefined;
    }
  }

  #forbid(reason: UnrepairedReason): void {
    for (const turn of this.#reader.turns) turn.forbid(reason);
  }

  #flush(): readonly Uint8Array[] {
    // Fields, not variables: output produced before a failure must not be produced again.
    for (let event = this.#queue[this.#head]; event?.isReady(); event = this.#queue[this.#head]) {
      for (const bytes of event.render()) this.#out.push(bytes);
      this.#bufferedBytes -= event.frame.raw.length;
      this.#head += 1;
    }
    const out = this.#out;
    this.#out = [];
    // Trimmed only when half of it is emitted: removing events one by one would be quadratic for long queues.
    if (this.#head * 2 >= this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return out;
  }

  /** A defect in repair must not break the response: emits the buffered events unchanged and stops repairing. */
  #guarded(work: () => readonly Uint8Array[]): readonly Uint8Array[] {
    try {
      return work();
    } catch (error) {
      this.#isPassingThrough = true;
      this.#onFailure?.(error);
      const pending = this.#queue.slice(this.#head).map(({ frame }) => frame.raw);
      [this.#queue, this.#head] = [[], 0];
      return [...this.#out, ...pending];
    }
  }
}

function unchanged(frame: StreamFrame): QueuedEvent {
  return { frame, isReady: () => true, render: () => [frame.raw] };
}
