import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { TimeSlices } from "../ingest/time-slices.ts";
import type { HookAgent } from "./agent-names.ts";
import { readEvent } from "./agents.ts";
import type { HookReadContext, HookReading, RawHookObservation, TranscriptMention } from "./hook-event.ts";
import { mergeRawObservations, toObservation } from "./hook-event.ts";

export interface HookQueueOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onRead?: (agent: HookAgent, events: number) => void;
  readonly onEvent?: (agent: HookAgent, result: "unreadable" | "dropped", reason: string) => void;
  /** Receives the transcripts named by events, after those events are in the journal. */
  readonly onTranscripts?: (mentions: readonly TranscriptMention[]) => void;
  /** Shared time slices of background work. */
  readonly slices?: TimeSlices;
  /** Reads an event that is too long for one time slice in a worker thread. */
  readonly readLongEvent?: (
    agent: HookAgent,
    body: string,
    context: Omit<HookReadContext, "hash">,
  ) => Promise<LongEvent>;
}

/** A long event, already converted to observations. */
export type LongEvent =
  | {
      readonly kind: "event";
      readonly observations: readonly Observation[];
      readonly transcripts: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

interface QueuedEvent {
  readonly agent: HookAgent;
  readonly body: string;
  readonly project: string;
  readonly at: number;
}

/** Agents send several events per call; batching them saves journal writes. */
const BATCH_DELAY_MS = 100;
/** Events per journal write. */
const BATCH_SIZE = 200;
/** Longer events are parsed in a worker thread, because `JSON.parse` cannot be split into time slices. */
const LONG_EVENT_CHARS = 256 << 10;
const MAX_QUEUED_BYTES = 32 << 20;

/** Buffers hook events unparsed, so that the agent never waits, and records them in batches. */
export class HookQueue {
  readonly #options: HookQueueOptions;
  readonly #slices: TimeSlices;
  #queued: QueuedEvent[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: HookQueueOptions) {
    this.#options = options;
    this.#slices = options.slices ?? new TimeSlices();
  }

  /** Never blocks or fails, so that the agent is not affected. A full queue drops the event and counts it. */
  enqueue(agent: HookAgent, body: string, project: string): void {
    if (this.#size + body.length > MAX_QUEUED_BYTES) {
      this.#options.onEvent?.(agent, "dropped", "the event queue is full");
      return;
    }
    this.#size += body.length;
    this.#queued.push({ agent, body, project, at: this.#options.now() });
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_DELAY_MS);
  }

  /** Reads all queued events; resolves when they are in the journal. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#queued.length > 0 || this.#reading !== undefined) {
      this.#reading ??= this.#readBatch().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #readBatch(): Promise<void> {
    const batch = this.#queued.splice(0, BATCH_SIZE);
    const raw: RawHookObservation[] = [];
    const observed: Observation[] = [];
    const mentions: TranscriptMention[] = [];
    const read = new Map<HookAgent, number>();
    const { onEvent } = this.#options;
    const now = this.#options.now();
    for (const queued of batch) {
      if (this.#slices.isOver) await this.#slices.next();
      const { agent, body } = queued;
      this.#size -= body.length;
      const event = await this.#read(queued, now);
      if (event.kind === "unreadable") {
        onEvent?.(agent, "unreadable", event.reason);
        continue;
      }
      read.set(agent, (read.get(agent) ?? 0) + 1);
      if (event.kind === "event") for (const one of event.observations) observed.push(one);
      else for (const one of event.rawObservations) raw.push(one);
      for (const mention of event.transcripts ?? []) mentions.push(mention);
    }
    await this.#observe(raw, observed);
    await this.#options.record(observed);
    for (const [agent, events] of read) this.#options.onRead?.(agent, events);
    if (mentions.length > 0) this.#options.onTranscripts?.(mentions);
  }

  async #observe(raw: readonly RawHookObservation[], observed: Observation[]): Promise<void> {
    for (const one of mergeRawObservations(raw)) {
      if (this.#slices.isOver) await this.#slices.next();
      observed.push(toObservation(one, this.#options.observer));
    }
  }

  #read({ agent, body, project, at }: QueuedEvent, now: number): Promise<LongEvent> | HookReading {
    const { observer, readLongEvent } = this.#options;
    if (readLongEvent !== undefined && body.length > LONG_EVENT_CHARS)
      return readLongEvent(agent, body, { now, at, project });
    return readEvent(agent, body, { now, at, project, hash: observer.hash });
  }
}
