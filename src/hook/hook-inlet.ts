import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { HookAgent } from "./agents.ts";
import type { TranscriptMention } from "./hook-event.ts";
import { observeEvent } from "./observe-event.ts";

export interface HookInletOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onEvent?: (agent: HookAgent, result: "read" | "unreadable" | "dropped", reason?: string) => void;
  /** Transcripts that were spoken of, once what spoke of them is in the journal. */
  readonly onTranscripts?: (mentions: readonly TranscriptMention[]) => void;
}

interface Waiting {
  readonly agent: HookAgent;
  readonly body: Buffer;
  readonly project: string;
  readonly at: number;
}

/** Events gather for this long: agents send several for one call, and one line of work for all costs less. */
const GATHER_MS = 20;
/** Read in one go; then others have their turn. */
const AT_ONCE = 32;
const MOST_WAITING_BYTES = 64 << 20;

/** Takes events of hooks without letting anybody wait: they are kept as they came, and read a moment later. */
export class HookInlet {
  readonly #options: HookInletOptions;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: HookInletOptions) {
    this.#options = options;
  }

  /** Returns at once. What there is no room for is counted, never refused: an agent must not notice. */
  take(agent: HookAgent, body: Buffer, project: string): void {
    if (this.#bytes + body.length > MOST_WAITING_BYTES) {
      this.#options.onEvent?.(agent, "dropped", "too many events wait to be read");
      return;
    }
    this.#bytes += body.length;
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
    const observations: Observation[] = [];
    const mentions: TranscriptMention[] = [];
    const { observer, now, onEvent } = this.#options;
    for (const { agent, body, project, at } of some) {
      this.#bytes -= body.length;
      const event = observeEvent(agent, body.toString("utf8"), observer, { at, now: now(), project });
      if (event.kind === "unreadable") {
        onEvent?.(agent, "unreadable", event.reason);
        continue;
      }
      onEvent?.(agent, "read");
      observations.push(...event.observations);
      mentions.push(...event.transcripts);
    }
    await this.#options.record(observations);
    this.#options.onTranscripts?.(mentions);
    // Between two lots the loop belongs to the traffic.
    if (this.#waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
