import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { HookAgent } from "./agents.ts";
import type { HookSighting, TranscriptMention } from "./hook-event.ts";
import { observeSightings, readEvent } from "./observe-event.ts";

export interface HookInletOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onRead?: (agent: HookAgent, events: number) => void;
  readonly onEvent?: (agent: HookAgent, result: "unreadable" | "dropped", reason: string) => void;
  /** Transcripts that were spoken of, once what spoke of them is in the journal. */
  readonly onTranscripts?: (mentions: readonly TranscriptMention[]) => void;
}

interface Waiting {
  readonly agent: HookAgent;
  readonly body: string;
  readonly project: string;
  readonly at: number;
}

/** Events gather for this long: agents send several for one call, and one record of them all costs less. */
const GATHER_MS = 100;
/** Read in one go; then others have their turn. */
const AT_ONCE = 200;
const MOST_WAITING = 32 << 20;

/** Takes events of hooks without letting anybody wait: they are kept as they came, and read a moment later. */
export class HookInlet {
  readonly #options: HookInletOptions;
  #waiting: Waiting[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: HookInletOptions) {
    this.#options = options;
  }

  /** Returns at once. What there is no room for is counted, never refused: an agent must not notice. */
  take(agent: HookAgent, body: string, project: string): void {
    if (this.#size + body.length > MOST_WAITING) {
      this.#options.onEvent?.(agent, "dropped", "too many events wait to be read");
      return;
    }
    this.#size += body.length;
    this.#waiting.push({ agent, body, project, at: this.#options.now() });
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /** Reads what waits; resolves when it is in the journal. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 || this.#reading !== undefined) {
      this.#reading ??= this.#readSome().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #readSome(): Promise<void> {
    const some = this.#waiting.splice(0, AT_ONCE);
    const seen: HookSighting[] = [];
    const mentions: TranscriptMention[] = [];
    const read = new Map<HookAgent, number>();
    const { observer, now, onEvent } = this.#options;
    const moment = { now: now(), hash: observer.hash };
    for (const { agent, body, project, at } of some) {
      this.#size -= body.length;
      const event = readEvent(agent, body, { ...moment, at, project });
      if (event.kind === "unreadable") {
        onEvent?.(agent, "unreadable", event.reason);
        continue;
      }
      read.set(agent, (read.get(agent) ?? 0) + 1);
      for (const one of event.seen) seen.push(one);
      for (const mention of event.transcripts ?? []) mentions.push(mention);
    }
    await this.#options.record(observeSightings(seen, observer));
    for (const [agent, events] of read) this.#options.onRead?.(agent, events);
    if (mentions.length > 0) this.#options.onTranscripts?.(mentions);
    // Between two lots the loop belongs to the traffic.
    if (this.#waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
