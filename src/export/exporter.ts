import type { BackfillQuery, Filled, OutboxStore } from "../store/port.ts";
import type { ExportTarget } from "./export-target.ts";
import { storeOutbox } from "./outbox/outbox.ts";
import { OutboxPump, type PumpOptions } from "./outbox/outbox-pump.ts";
import type { TargetStatus } from "./target-status.ts";

export interface ExporterOptions {
  readonly store: OutboxStore;
  readonly targets: readonly ExportTarget[];
  /** Whether to send arguments and results too, if they were stored. */
  readonly content: boolean;
  readonly giveUpAfterMs: number;
  readonly now: () => number;
  readonly everyMs?: number;
  readonly onExported?: (target: string, ...what: Parameters<NonNullable<PumpOptions["onExported"]>>) => void;
  readonly onProblem?: (message: string) => void;
}

/** Sends records to all targets while the process runs. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #pumps: ReadonlyMap<string, OutboxPump>;

  constructor(options: ExporterOptions) {
    const { store, targets, content, giveUpAfterMs, now, everyMs, onExported, onProblem } = options;
    this.#options = options;
    this.#pumps = new Map(
      targets.map((target) => [
        target.name,
        new OutboxPump({
          target,
          // One outbox per pump: it maps claimed items to their sessions.
          outbox: storeOutbox(store, content),
          now,
          giveUpAfterMs,
          ...(everyMs !== undefined && { everyMs }),
          ...(onExported !== undefined && { onExported: (...what) => onExported(target.name, ...what) }),
          ...(onProblem !== undefined && { onProblem }),
        }),
      ]),
    );
  }

  /** Must be called before recording starts: from then on, changes are added to the outbox. */
  async prepare(): Promise<void> {
    await this.#options.store.exportTo([...this.#pumps.keys()]);
  }

  start(): void {
    for (const pump of this.#pumps.values()) pump.start();
  }

  has(target: string): boolean {
    return this.#pumps.has(target);
  }

  /** Sends all due items. */
  async flush(): Promise<void> {
    await Promise.all([...this.#pumps.values()].map((pump) => pump.flush()));
  }

  async status(): Promise<readonly TargetStatus[]> {
    const backlog = this.#pumps.size === 0 ? [] : await this.#options.store.backlog();
    return [...this.#pumps].map(([target, pump]) => {
      const own = backlog.find((one) => one.target === target);
      const { problem = null, busy } = pump;
      return {
        target,
        queued: own?.waiting ?? 0,
        oldest_queued_at: own?.oldest ?? null,
        problem,
        throttled: busy,
      };
    });
  }

  backfill(target: string, query: Omit<BackfillQuery, "now">): Promise<Filled> {
    return this.#options.store.backfill(target, { ...query, now: this.#options.now() });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pumps.values()].map((pump) => pump.close()));
  }
}
