import { type CallRecord, recordStatus } from "../../core/model/call-record.ts";
import type { Folded } from "../../core/model/fold.ts";

/** About 2 KB each. */
const MAX_CACHED_CALLS = 2000;

/**
 * Calls that wait for their result, as they were written last: it is nearly always the next thing that is heard of them.
 * Only a cache, forgotten whenever another connection has written.
 */
export class OpenCalls {
  readonly #groups = new Map<string, readonly CallRecord[]>();

  clear(): void {
    this.#groups.clear();
  }

  /** All calls of the group; undefined where the database must be asked. */
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
