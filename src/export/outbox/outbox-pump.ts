import { backoffMs } from "../../core/model/backoff.ts";
import { messageOf } from "../../core/model/errors.ts";
import type { ExportTarget } from "../export-target.ts";
import type { Outbox } from "./outbox.ts";
import { sendItems } from "./send-items.ts";

export interface PumpOptions {
  readonly target: ExportTarget;
  readonly outbox: Outbox;
  readonly now: () => number;
  readonly random?: () => number;
  /** Age at which an item is dropped that the target has not accepted. */
  readonly giveUpAfterMs?: number;
  readonly everyMs?: number;
  readonly onExported?: (result: "sent" | "failed" | "given_up", count: number) => void;
  readonly onProblem?: (message: string) => void;
}

const BATCH_SIZE = 200;
const LEASE_MS = 60_000;
const BACKOFF = { firstMs: 1000, longestMs: 5 * 60_000 };
const DAY_MS = 86_400_000;

/** Sends the items of the outbox to one target, in the background. */
export class OutboxPump {
  readonly #options: PumpOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<number> | undefined;
  #failures = 0;
  #notBefore = 0;
  #problem: string | undefined;
  #busy = false;
  readonly #closing = new AbortController();

  constructor(options: PumpOptions) {
    this.#options = options;
  }

  /** Why the export is failing. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the target only throttles the export. */
  get busy(): boolean {
    return this.#busy;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), this.#options.everyMs ?? 1000);
    this.#timer.unref();
  }

  /** Sends due items until none is left or the target asks to wait. Returns the number of spans and scores sent. */
  flush(): Promise<number> {
    this.#running ??= this.#sendDue()
      .catch((error: unknown) => {
        this.#busy = false;
        this.#fail(messageOf(error));
        return 0;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Waits for the request in flight only. Items still queued are sent after the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  async #sendDue(): Promise<number> {
    const { target, outbox, now, onExported } = this.#options;
    let events = 0;
    const { signal } = this.#closing;
    while (now() >= this.#notBefore && !signal.aborted) {
      const items = await outbox.claimDue(target.name, now(), now() + LEASE_MS, BATCH_SIZE);
      if (items.length === 0) break;
      const round = await sendItems(target, items, signal);
      await outbox.markSent(target.name, round.sent);
      events += round.events;
      if (round.events > 0) onExported?.("sent", round.events);
      for (const note of round.notes) this.#options.onProblem?.(`${target.name}: ${note}`);
      for (const { id, reason } of round.refused) this.#options.onProblem?.(`${target.name} rejected ${id}: ${reason}`);
      if (round.refused.length > 0) onExported?.("given_up", round.refused.length);
      if (round.stopped === undefined) {
        this.#failures = 0;
        this.#problem = undefined;
        this.#busy = false;
        continue;
      }
      onExported?.("failed", 1);
      this.#busy = round.stopped.busy === true;
      this.#fail(round.stopped.reason, round.stopped.afterMs);
      await this.#dropExpired();
    }
    return events;
  }

  async #dropExpired(): Promise<void> {
    const { target, outbox, now, giveUpAfterMs = 7 * DAY_MS } = this.#options;
    const lost = await outbox.dropExpired(target.name, now() - giveUpAfterMs);
    if (lost === 0) return;
    this.#options.onExported?.("given_up", lost);
    this.#options.onProblem?.(
      `${target.name} was unavailable for too long: dropped ${lost} calls and sessions from the queue. Run \`toolmend export ${target.name} --since …\` to send them.`,
    );
  }

  /** Backs off with jitter, and at least as long as the target asks for. */
  #fail(reason: string, afterMs?: number): void {
    const { now, random = Math.random, target } = this.#options;
    this.#failures += 1;
    this.#notBefore = now() + Math.max(afterMs ?? 0, backoffMs(BACKOFF, this.#failures, random));
    if (this.#problem !== reason)
      this.#options.onProblem?.(`Export to ${target.name} failed: ${reason}. Items stay queued and are retried.`);
    this.#problem = reason;
  }
}
