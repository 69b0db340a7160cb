import type { OutboxEntry } from "../outbox-entries.ts";
import type { Backlog, OutboxRow, SentRow, Waiting } from "../outbox-port.ts";

interface Row {
  readonly entry: OutboxEntry;
  readonly target: string;
  version: number;
  sentVersion: number;
  queuedAt: number;
  dueAt: number;
  leaseUntil: number;
  spanSent: boolean;
  sentScores: SentRow["sent_scores"];
}

/** What waits to be sent, for as long as the process lives. */
export class MemoryOutbox {
  readonly #rows = new Map<string, Row>();
  targets: readonly string[] = [];

  put(entries: readonly OutboxEntry[], targets = this.targets, again = false): number {
    for (const target of targets) {
      for (const entry of entries) {
        const key = keyOf(target, entry.id);
        const known = this.#rows.get(key);
        const waits = known !== undefined && known.version > known.sentVersion;
        this.#rows.set(key, {
          entry,
          target,
          version: (known?.version ?? 0) + 1,
          sentVersion: known?.sentVersion ?? 0,
          queuedAt: waits ? known.queuedAt : entry.due_at,
          dueAt: waits && entry.kind === "session" ? known.dueAt : entry.due_at,
          leaseUntil: known?.leaseUntil ?? 0,
          spanSent: !again && known?.spanSent === true,
          sentScores: again ? {} : (known?.sentScores ?? {}),
        });
      }
    }
    return entries.length;
  }

  claimDue(
    target: string,
    now: number,
    leaseUntil: number,
    limit: number,
    lookUp: (entry: OutboxEntry) => Waiting | undefined,
  ): readonly OutboxRow[] {
    const due = this.#waiting(target)
      .filter(([, row]) => row.dueAt <= now && row.leaseUntil <= now)
      .sort(([, a], [, b]) => a.dueAt - b.dueAt)
      .slice(0, limit);
    return due.flatMap(([key, row]) => {
      const about = lookUp(row.entry);
      if (about === undefined) {
        this.#rows.delete(key);
        return [];
      }
      row.leaseUntil = leaseUntil;
      const { project, session_id } = row.entry.key;
      const { version, spanSent: span_sent, sentScores: sent_scores } = row;
      return [{ id: row.entry.id, project, session_id, version, span_sent, sent_scores, about }];
    });
  }

  markSent(target: string, sent: readonly SentRow[]): void {
    for (const { id, version, span_sent, sent_scores } of sent) {
      const row = this.#rows.get(keyOf(target, id));
      if (row === undefined) continue;
      row.sentVersion = Math.max(row.sentVersion, version);
      row.spanSent = span_sent;
      row.sentScores = sent_scores;
      row.leaseUntil = 0;
    }
  }

  giveUp(target: string, queuedBefore: number): number {
    const old = this.#waiting(target).filter(([, row]) => row.queuedAt < queuedBefore);
    for (const [, row] of old) row.sentVersion = row.version;
    return old.length;
  }

  backlog(): readonly Backlog[] {
    const targets = [...new Set([...this.#rows.values()].map(({ target }) => target))].sort();
    return targets.flatMap((target) => {
      const waiting = this.#waiting(target).map(([, row]) => row.queuedAt);
      return waiting.length === 0 ? [] : [{ target, waiting: waiting.length, oldest: Math.min(...waiting) }];
    });
  }

  #waiting(target: string): [string, Row][] {
    return [...this.#rows].filter(([, row]) => row.target === target && row.version > row.sentVersion);
  }
}

function keyOf(target: string, id: string): string {
  return `${target}\u0000${id}`;
}
