import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { TimeSlices } from "../ingest/time-slices.ts";
import type { HookAgent } from "./agents.ts";
import type { HookReadContext, RawHookObservation, TranscriptMention } from "./hook-event.ts";
import { mergeRawObservations } from "./hook-event.ts";
import { readEvent, toObservation } from "./observe-event.ts";

export interface HookQueueOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onRead?: (agent: HookAgent, events: number) => void;
  readonly onEvent?: (agent: HookAgent, result: "unreadable" | "dropped", reason: string) => void;
  /** Transcripts that were spoken of, once what spoke of them is in the journal. */
  readonly onTranscripts?: (mentions: readonly TranscriptMention[]) => void;
  /** Shared time slices of background work. */
  readonly slices?: TimeSlices;
  /** Reads an event that is too long for one slice, in another thread. */
  readonly readLongEvent?: (
    agent: HookAgent,
    body: string,
    context: Omit<HookReadContext, "hash">,
  ) => Promise<LongEvent>;
}

/** A long event, already observed. */
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

/** Events gather for this long: agents send several for one call, and one record of them all costs less. */
const BATCH_DELAY_MS = 100;
/** Events per journal write. */
const BATCH_SIZE = 200;
/** Longer values are parsed in another thread: `JSON.parse` cannot be sliced. */
const LONG_EVENT_CHARS = 256 << 10;
const MAX_QUEUED_BYTES = 32 << 20;

/** Takes events of hooks without letting anybody wait: they are kept as they came, and read a context later. */
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

  /** Returns at once. What there is no room for is counted, never refused: an agent must not notice. */
  enqueue(agent: HookAgent, body: string, project: string): void {
    if (this.#size + body.length > MAX_QUEUED_BYTES) {
      this.#options.onEvent?.(agent, "dropped", "too many events wait to be read");
      return;
    }
    this.#size += body.length;
    this.#queued.push({ agent, body, project, at: this.#options.now() });
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_DELAY_MS);
  }

  /** Reads what waits; resolves when it is in the journal. */
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
    const some = this.#queued.splice(0, BATCH_SIZE);
    const raw: RawHookObservation[] = [];
    const observed: Observation[] = [];
    const mentions: TranscriptMention[] = [];
    const read = new Map<HookAgent, number>();
    const { observer, now, onEvent, readLongEvent: readLong } = this.#options;
    const context = { now: now(), hash: observer.hash };
    for (const { agent, body, project, at } of some) {
      if (this.#slices.isOver) await this.#slices.next();
      this.#size -= body.length;
      const isLong = readLong !== undefined && body.length > LONG_EVENT_CHARS;
      const event = isLong
        ? await readLong(agent, body, { now: context.now, at, project })
        : readEvent(agent, body, { ...context, at, project });
      if (event.kind === "unreadable") {
        onEvent?.(agent, "unreadable", event.reason);
        continue;
      }
      read.set(agent, (read.get(agent) ?? 0) + 1);
      if (event.kind === "event") for (const one of event.observations) observed.push(one);
      else for (const one of event.rawObservations) raw.push(one);
      for (const mention of event.transcripts ?? []) mentions.push(mention);
    }
    for (const one of mergeRawObservations(raw)) {
      if (this.#slices.isOver) await this.#slices.next();
      observed.push(toObservation(one, observer));
    }
    await this.#options.record(observed);
    for (const [agent, events] of read) this.#options.onRead?.(agent, events);
    if (mentions.length > 0) this.#options.onTranscripts?.(mentions);
  }
}
