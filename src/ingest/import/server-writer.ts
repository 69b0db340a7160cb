import type { Observation } from "../../core/model/observation.ts";

export interface ServerWriterOptions {
  /** Of the running server. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Reports how many observations were rejected, and the first reason. */
  readonly onRejected?: (total: number, reason: string) => void;
}

/** What the server says to a batch. */
interface IngestResponse {
  readonly accepted: number;
  readonly dropped: number;
  /** The first 100. */
  readonly rejected: readonly { readonly reason: string }[];
  readonly rejected_total: number;
  readonly unapplied_bytes?: number;
}

/** One body; the server takes up to 16 MB. */
const MAX_BODY_CHARS = 1 << 20;
/** While the store is this far behind, we wait: the journal belongs to live traffic first. */
const MAX_UNAPPLIED_BYTES = 32 << 20;
const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A store that takes nothing for so long will not soon. */
const WRITE_TIMEOUT_MS = 300_000;

/** Gives observations to a running server: the one that writes. Resolves when all are acknowledged. */
export function createServerWriter(
  options: ServerWriterOptions,
): (observations: readonly Observation[]) => Promise<void> {
  const post = async (body: string): Promise<IngestResponse> => {
    const response = await fetch(new URL("/api/ingest", options.url), {
      method: "POST",
      headers: {
        "content-type": "application/x-ndjson",
        ...(options.token !== undefined && { "x-toolmend-token": options.token }),
      },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch(() => {
      throw new ServerWriteError(`the server at ${options.url} does not answer`);
    });
    if (response.status === 401) throw new ServerWriteError("the server wants its token: set TOOLMEND_TOKEN");
    if (!response.ok) throw new ServerWriteError(`the server at ${options.url} answered ${response.status}`);
    return (await response.json()) as IngestResponse;
  };
  const deliver = async (body: string): Promise<void> => {
    let result = await post(body);
    // Resends the whole body if the journal could not take all of it: observations are idempotent.
    await retryUntil(
      () => result.dropped === 0,
      async () => {
        result = await post(body);
      },
    );
    const [first] = result.rejected;
    if (first !== undefined) options.onRejected?.(result.rejected_total, first.reason);
    await retryUntil(
      () => (result.unapplied_bytes ?? 0) <= MAX_UNAPPLIED_BYTES,
      async () => {
        result = await post("");
      },
    );
  };
  return async (observations) => {
    let body = "";
    for (const observation of observations) {
      body += `${JSON.stringify(observation)}\n`;
      if (body.length < MAX_BODY_CHARS) continue;
      await deliver(body);
      body = "";
    }
    if (body !== "") await deliver(body);
  };
}

/** A server that would not take what it was given. */
export class ServerWriteError extends Error {
  readonly code = "hand-over";
  constructor(message: string) {
    super(message);
    this.name = "ServerWriteError";
  }
}

/** Asks again, ever more slowly. */
async function retryUntil(isDone: () => boolean, request: () => Promise<void>): Promise<void> {
  let waited = 0;
  for (let wait = MIN_BACKOFF_MS; !isDone(); wait = Math.min(wait * 2, MAX_BACKOFF_MS)) {
    if (waited > WRITE_TIMEOUT_MS)
      throw new ServerWriteError("the server's store takes nothing; `toolmend doctor` says more");
    await pause(wait);
    waited += wait;
    await request();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
