import { messageOf } from "../../core/model/errors.ts";
import { present } from "../../core/model/narrow.ts";
export interface LineSenderOptions {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly onDropped: (count: number, reason: string) => void;
}

type RequestInit = NonNullable<Parameters<typeof globalThis.fetch>[1]>;

/** How long lines are collected before they are sent. */
const BATCH_DELAY_MS = 100;
const MAX_BATCH_LINES = 200;
const MAX_BATCH_CHARS = 1 << 20;
/** Lines queued while the server is unreachable; above this, the oldest are dropped. */
const MAX_QUEUED_LINES = 2000;
const REQUEST_TIMEOUT_MS = 5000;
/** Delays between attempts. After the last attempt the lines are dropped. */
const RETRY_DELAYS_MS = [200, 1000, 2000] as const;

/** Sends lines in batches, in order and one request at a time. Never blocks the caller and never throws. */
export class LineSender {
  readonly #options: LineSenderOptions;
  #queue: string[] = [];
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /**
   * The last batch was dropped. The next one gets a single attempt, so that `flush` does not wait for retries of each.
   */
  #isUnreachable = false;

  constructor(options: LineSenderOptions) {
    this.#options = options;
  }

  push(line: string): void {
    this.#queue.push(line);
    if (this.#queue.length > MAX_QUEUED_LINES) {
      this.#queue.shift();
      this.#options.onDropped(1, "too many outcomes are queued");
    }
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_DELAY_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Lines pushed during a request are sent with the next.
    while (this.#sending !== undefined || this.#queue.length > 0) {
      this.#sending ??= this.#sendBatch().finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  async #sendBatch(): Promise<void> {
    const lines = this.#nextBatch();
    let reason = "";
    for (const delayMs of [...(this.#isUnreachable ? [] : RETRY_DELAYS_MS), undefined]) {
      const result = await this.#send(lines);
      this.#isUnreachable = result.kind === "failed" && delayMs === undefined;
      if (result.kind === "done") return;
      reason = result.reason;
      if (result.kind === "rejected" || delayMs === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    this.#options.onDropped(lines.length, reason);
  }

  #nextBatch(): readonly string[] {
    let count = 0;
    for (let size = 0; count < Math.min(this.#queue.length, MAX_BATCH_LINES); count += 1) {
      size += present(this.#queue[count]).length;
      if (size > MAX_BATCH_CHARS && count > 0) break;
    }
    return this.#queue.splice(0, count);
  }

  async #send(lines: readonly string[]): Promise<{ kind: "done" } | { kind: "rejected" | "failed"; reason: string }> {
    try {
      const { url, headers, fetch } = this.#options;
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await fetch(url, { method: "POST", headers, body: `${lines.join("\n")}\n`, signal });
      const body = await response.text();
      if (response.ok) {
        this.#reportDropped(body);
        return { kind: "done" };
      }
      const reason = `the server responded with ${response.status}: ${body.slice(0, 200)}`;
      return { kind: response.status >= 500 || response.status === 429 ? "failed" : "rejected", reason };
    } catch (error) {
      return { kind: "failed", reason: messageOf(error) };
    }
  }

  #reportDropped(body: string): void {
    const { dropped = 0, rejected = [], rejected_total = rejected.length } = parseIngestResponse(body);
    const first = rejected[0]?.reason ?? "the server's journal is full";
    if (dropped + rejected_total > 0) this.#options.onDropped(dropped + rejected_total, first);
  }
}

interface IngestResponse {
  readonly dropped?: number;
  /** At most the first 100. */
  readonly rejected?: readonly { readonly reason: string }[];
  readonly rejected_total?: number;
}

function parseIngestResponse(body: string): IngestResponse {
  try {
    return (JSON.parse(body) ?? {}) as IngestResponse;
  } catch {
    return {};
  }
}
