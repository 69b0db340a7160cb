import type { Frame } from "../../wire/event-framer.ts";
import { FRAMINGS, type Framing } from "../../wire/framing.ts";
import { ChatCallStream } from "../calls/chat-call-stream.ts";
import { MessagesCallStream } from "../calls/messages-call-stream.ts";
import { CallContext } from "../calls/native-call.ts";
import { ResponsesCallStream } from "../calls/responses-call-stream.ts";
import type { CallReport } from "../calls/types.ts";
import { WholeCallStream } from "../calls/whole-call-stream.ts";
import { turnContext } from "../json-response.ts";
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
import { GeminiStream } from "./gemini-stream.ts";
import { MessagesStream } from "./messages-stream.ts";
import { OllamaStream } from "./ollama-stream.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "./queued-event.ts";
import { ResponsesStream } from "./responses-stream.ts";

const READERS = {
  anthropic: MessagesStream,
  chat: ChatStream,
  responses: ResponsesStream,
  gemini: GeminiStream,
  ollama: OllamaStream,
} as const;
const CALL_READERS = {
  anthropic: MessagesCallStream,
  chat: ChatCallStream,
  responses: ResponsesCallStream,
  gemini: WholeCallStream,
  ollama: WholeCallStream,
} as const;
const MAX_BUFFERED_BYTES = 16 << 20;

/** Repairs a stream. An event, and everything after it, is buffered only while its text could be part of a call. */
export function createStreamRepairer(api: Api, options: RepairOptions, framing: Framing = "events"): StreamRepairer {
  const { calls, ignoresLeaks } = options;
  const createLeakRepairer = (): StreamRepairer =>
    new BufferingRepairer(new READERS[api](turnContext(api, options)), options);
  if (calls === undefined) return createLeakRepairer();
  const callReader = new CALL_READERS[api](new CallContext(api, options, calls));
  const active = new BufferingRepairer(callReader, options);
  const callRepairer = calls.blocked === undefined ? active : new ObservingRepairer(active);
  return ignoresLeaks === true
    ? callRepairer
    : new ChainedRepairer(callRepairer, createLeakRepairer(), FRAMINGS[framing].parse);
}

/** Reports what another repairer would do, and emits all events unchanged. */
class ObservingRepairer implements StreamRepairer {
  readonly #observed: StreamRepairer;
  readonly isBuffering = false;
  readonly wasCallPiece = false;
  readonly calls = [];
  readonly leaks = [];

  constructor(observed: StreamRepairer) {
    this.#observed = observed;
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    this.#observed.push(frame);
    return [frame.raw];
  }

  end(): readonly Uint8Array[] {
    this.#observed.end();
    return [];
  }

  keepAlive(): undefined {}

  get callReports(): readonly CallReport[] {
    return this.#observed.callReports;
  }
}

/** Repairs native calls first, then leaks: what one repairer emits is the input of the other. */
class ChainedRepairer implements StreamRepairer {
  readonly #first: StreamRepairer & { readonly wasCallPiece: boolean };
  readonly #second: StreamRepairer;
  readonly #parse: (raw: Uint8Array) => Frame;
  /** Events that the first repairer has buffered, by their bytes. */
  readonly #buffered = new Map<Uint8Array, StreamFrame>();

  constructor(
    first: StreamRepairer & { readonly wasCallPiece: boolean },
    second: StreamRepairer,
    parse: (raw: Uint8Array) => Frame,
  ) {
    this.#first = first;
    this.#second = second;
    this.#parse = parse;
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    const parts = this.#first.push(frame);
    if (parts.length === 1 && parts[0] === frame.raw)
      return this.#first.wasCallPiece && !this.#second.isBuffering ? parts : this.#second.push(frame);
    this.#buffered.set(frame.raw, frame);
    return this.#passOn(parts);
  }

  end(): readonly Uint8Array[] {
    return [...this.#passOn(this.#first.end()), ...this.#second.end()];
  }

  #passOn(parts: readonly Uint8Array[]): readonly Uint8Array[] {
    const out = parts.flatMap((part) => this.#second.push(this.#buffered.get(part) ?? this.#parse(part)));
    if (!this.#first.isBuffering) this.#buffered.clear();
    return out;
  }

  get isBuffering(): boolean {
    return this.#first.isBuffering || this.#second.isBuffering;
  }

  keepAlive(): Uint8Array | undefined {
    if (this.#second.isBuffering) return this.#second.keepAlive();
    const event = this.#first.keepAlive();
    return event === undefined ? undefined : this.#second.push(this.#parse(event))[0];
  }

  get calls(): readonly RepairedCall[] {
    return this.#second.calls;
  }

  get leaks(): readonly LeakReport[] {
    return this.#second.leaks;
  }

  get callReports(): readonly CallReport[] {
    return this.#first.callReports;
  }
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
  /** Whether the last event was only a piece of a native call, and was emitted unchanged. */
  wasCallPiece = false;

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

  get callReports(): readonly CallReport[] {
    return this.#reader.callReports ?? [];
  }

  push(frame: StreamFrame): readonly Uint8Array[] {
    this.wasCallPiece = false;
    if (this.#isPassingThrough) return [frame.raw];
    if (!this.isBuffering && frame.raw.length <= this.#maxBufferedBytes) return this.#pushDirect(frame);
    this.#queue.push(new UnchangedEvent(frame));
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
      this.wasCallPiece = event.isCallPiece === true;
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
      this.#reader.release?.();
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
    this.#reader.release?.();
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
