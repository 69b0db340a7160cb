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

/** An event that was read: when it may leave, and as what. */
export interface QueuedEvent {
  readonly frame: StreamFrame;
  readonly isReady: () => boolean;
  /** Asked once, when it leaves. */
  readonly render: () => readonly Uint8Array[];
}

/** What one API's stream means. */
export interface StreamReader {
  readonly turns: Iterable<RepairTurn>;
  read(frame: StreamFrame): QueuedEvent;
  keepAlive(): Uint8Array | undefined;
}

const READERS = { anthropic: MessagesStream, chat: ChatStream, responses: ResponsesStream } as const;
const MAX_HELD = 16 << 20;

/** Mends a stream: events are held, with everything behind them, only while their text could still belong to a call. */
export function createStreamRepairer(api: Api, options: RepairOptions): StreamRepairer {
  return new HoldingMender(new READERS[api](turnContext(api, options)), options);
}

class HoldingMender implements StreamRepairer {
  readonly #reader: StreamReader;
  readonly #maxHeld: number;
  readonly #onFailure: RepairOptions["onFailure"];
  #queue: QueuedEvent[] = [];
  /** How many at the beginning of the queue have left. */
  #head = 0;
  #out: Uint8Array[] = [];
  #heldBytes = 0;
  #inert = false;

  constructor(reader: StreamReader, { maxBufferedBytes: maxHeld = MAX_HELD, onFailure }: RepairOptions) {
    this.#reader = reader;
    this.#maxHeld = maxHeld;
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
    if (this.#inert) return [frame.raw];
    if (!this.isBuffering && frame.raw.length <= this.#maxHeld) return this.#pushAlone(frame);
    this.#queue.push(asItCame(frame));
    this.#heldBytes += frame.raw.length;
    return this.#guarded(() => {
      this.#queue[this.#queue.length - 1] = this.#reader.read(frame);
      if (this.#heldBytes > this.#maxHeld) this.#forbid("hold-cap");
      return this.#flush();
    });
  }

  /** As nearly all events come: nothing waits, and it need not wait itself. */
  #pushAlone(frame: StreamFrame): readonly Uint8Array[] {
    try {
      const held = this.#reader.read(frame);
      if (held.isReady()) return held.render();
      this.#queue.push(held);
      this.#heldBytes += frame.raw.length;
      return [];
    } catch (error) {
      this.#inert = true;
      this.#onFailure?.(error);
      return [frame.raw];
    }
  }

  end(): readonly Uint8Array[] {
    return this.#guarded(() => {
      for (const turn of this.#reader.turns) turn.end("broken-off");
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
    // Fields, not variables: what was given out before something failed must not be given out again.
    while (this.#head < this.#queue.length && (this.#queue[this.#head] as QueuedEvent).isReady()) {
      const held = this.#queue[this.#head] as QueuedEvent;
      for (const bytes of held.render()) this.#out.push(bytes);
      this.#heldBytes -= held.frame.raw.length;
      this.#head += 1;
    }
    const out = this.#out;
    this.#out = [];
    // Cut off by halves: one by one would be quadratic when many wait.
    if (this.#head * 2 >= this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return out;
  }

  /** A defect of ours must not cost the client its answer: what is held leaves as it came, and nothing is held any more. */
  #guarded(work: () => readonly Uint8Array[]): readonly Uint8Array[] {
    try {
      return work();
    } catch (error) {
      this.#inert = true;
      this.#onFailure?.(error);
      const rest = this.#queue.slice(this.#head).map(({ frame }) => frame.raw);
      [this.#queue, this.#head] = [[], 0];
      return [...this.#out, ...rest];
    }
  }
}

function asItCame(frame: StreamFrame): QueuedEvent {
  return { frame, isReady: () => true, render: () => [frame.raw] };
}
