import type { KeptCall } from "../core/mend/index.ts";
import type { StoreReader } from "../store/port.ts";

const DAY_MS = 24 * 3_600_000;
const MOST = 5000;

/**
 * Mended calls that the provider's copy of a conversation does not have, until the client answers them. The store keeps them, as calls without
 * a result; this is what requests are held against.
 */
export class ServerStateCalls {
  readonly #calls = new Map<string, KeptCall & { readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What earlier runs mended and nobody has answered yet. */
  async load(reader: Pick<StoreReader, "openMendedCalls">): Promise<void> {
    for (const { tool_call_id: id, ...call } of await reader.openMendedCalls(this.#now() - DAY_MS, MOST))
      this.add(id, call);
  }

  /** Must requests be looked through at all? */
  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  add(id: string, { name, arguments: args }: KeptCall): void {
    this.#calls.delete(id);
    this.#calls.set(id, { name, arguments: args, until: this.#now() + DAY_MS });
    for (const [oldest, { until }] of this.#calls) {
      if (this.#calls.size <= MOST && until > this.#now()) break;
      this.#calls.delete(oldest);
    }
  }

  /** Kept after it was found: a client may send its request again. */
  find(id: string): KeptCall | undefined {
    return this.#calls.get(id);
  }
}
