export interface LineSenderOptions {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly onDropped: (count: number, reason: string) => void;
}

type RequestInit = NonNullable<Parameters<typeof globalThis.fetch>[1]>;

/** How long lines gather before they are sent. */
const BATCH_DELAY_MS = 100;
const BATCH_LINES = 200;
const BATCH_CHARACTERS = 1 << 20;
/** So many wait while the server is away; beyond it the oldest go. */
const MAX_QUEUED_LINES = 2000;
const REQUEST_MS = 5000;
/** Pauses between attempts; after the last one the lines are given up. */
const PAUSES_MS = [200, 1000, 2000] as const;

/** Sends lines in batches, one request at a time, in order. Waits for nobody and throws nothing. */
export class LineSender {
  readonly #options: LineSenderOptions;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last batch was given up: the next is tried once, so that nobody waits for each. */
  #away = false;

  constructor(options: LineSenderOptions) {
    this.#options = options;
  }

  push(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length > MAX_QUEUED_LINES) {
      this.#waiting.shift();
      this.#options.onDropped(1, "too many outcomes wait to be sent");
    }
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_DELAY_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Lines that came during a request go with the next.
    while (this.#sending !== undefined || this.#waiting.length > 0) {
      this.#sending ??= this.#sendBatch().finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  async #sendBatch(): Promise<void> {
    const lines = this.#nextBatch();
    let reason = "";
    for (const pause of [...(this.#away ? [] : PAUSES_MS), undefined]) {
      const end = await this.#send(lines);
      this.#away = end.kind === "failed" && pause === undefined;
      if (end.kind === "done") return;
      reason = end.reason;
      if (end.kind === "refused" || pause === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#options.onDropped(lines.length, reason);
  }

  #nextBatch(): readonly string[] {
    let count = 0;
    for (let size = 0; count < Math.min(this.#waiting.length, BATCH_LINES); count += 1) {
      size += (this.#waiting[count] as string).length;
      if (size > BATCH_CHARACTERS && count > 0) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(lines: readonly string[]): Promise<{ kind: "done" } | { kind: "refused" | "failed"; reason: string }> {
    try {
      const { url, headers, fetch } = this.#options;
      const signal = AbortSignal.timeout(REQUEST_MS);
      const response = await fetch(url, { method: "POST", headers, body: `${lines.join("\n")}\n`, signal });
      const body = await response.text();
      if (response.ok) {
        this.#tellRejected(body);
        return { kind: "done" };
      }
      const reason = `the server answered ${response.status}: ${body.slice(0, 200)}`;
      return { kind: response.status >= 500 || response.status === 429 ? "failed" : "refused", reason };
    } catch (error) {
      return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #tellRejected(body: string): void {
    const { dropped = 0, rejected = [], rejected_total = rejected.length } = readAnswer(body);
    const first = rejected[0]?.reason ?? "the server's journal is full";
    if (dropped + rejected_total > 0) this.#options.onDropped(dropped + rejected_total, first);
  }
}

interface IngestAnswer {
  readonly dropped?: number;
  /** The first 100. */
  readonly rejected?: readonly { readonly reason: string }[];
  readonly rejected_total?: number;
}

function readAnswer(body: string): IngestAnswer {
  try {
    return (JSON.parse(body) ?? {}) as IngestAnswer;
  } catch {
    return {};
  }
}
