import { type CallRecord, recordStatus } from "../../core/model/call-record.ts";
import type { Folded } from "../../core/model/fold.ts";

/** About 4 MB: 2 KB each. */
const MAX_CACHED_CALLS = 2000;

/**
 * Caches pending calls as last written, because their result is nearly always the next observation. Cleared whenever
 * another connection has written.
 */
export class OpenCalls {
  readonly #groups = new Map<string, readonly CallRecord[]>();

  clear(): void {
    this.#groups.clear();
  }

  /** All calls of the group; undefined if they must be loaded. */
  get(group: string): readonly CallRecord[] | undefined {
    return this.#groups.get(group);
  }

  /** Called for every batch that is written. */
  renew({ groups }: Folded): void {
    for (const [key, { after }] of groups) {
      this.#groups.delete(key);
      const [first] = after;
      if (after.length === 1 && first !== undefined && recordStatus(first) === "pending") this.#groups.set(key, after);
    }
    for (const oldest of this.#groups.keys()) {
      if (this.#groups.size <= MAX_CACHED_CALLS) break;
      this.#groups.delete(oldest);
    }
  }
}
