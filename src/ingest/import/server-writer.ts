import type { Observation } from "../../core/model/observation.ts";

export interface ServerWriterOptions {
  /** Base URL of the running server. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Reports how many observations were rejected, and the first reason. */
  readonly onRejected?: (total: number, reason: string) => void;
}

/** The server's response to a batch. */
interface IngestResponse {
  readonly accepted: number;
  readonly dropped: number;
  /** The first 100 rejected lines. */
  readonly rejected: readonly { readonly reason: string }[];
  readonly rejected_total: number;
  readonly unapplied_bytes?: number;
}

/** The server accepts up to 16 MB per request. */
const MAX_BODY_CHARS = 1 << 20;
/** Above this backlog the import waits, because live traffic has priority in the journal. */
const MAX_UNAPPLIED_BYTES = 32 << 20;
const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A store that is unavailable for this long will not recover soon. */
const WRITE_TIMEOUT_MS = 300_000;

/** Writes observations through the running server, the only writer of the store. Resolves when all are acknowledged. */
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
    }).catch((error: unknown) => {
      throw new ServerWriteError(`the server at ${options.url} is not responding`, { cause: error });
    });
    if (response.status === 401)
      throw new ServerWriteError("the server requires a token. Set TOOLMEND_TOKEN to the token it was started with");
    if (!response.ok) throw new ServerWriteError(`the server at ${options.url} responded with ${response.status}`);
    return (await response.json()) as IngestResponse;
  };
  const deliver = async (body: string): Promise<void> => {
    let result = await post(body);
    // Resends the whole body if the journal dropped any of it: observations are idempotent.
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

/** The server did not accept the observations. */
export class ServerWriteError extends Error {
  readonly code = "server-write";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ServerWriteError";
  }
}

/** Repeats a request with exponential backoff. */
async function retryUntil(isDone: () => boolean, request: () => Promise<void>): Promise<void> {
  let waited = 0;
  for (let wait = MIN_BACKOFF_MS; !isDone(); wait = Math.min(wait * 2, MAX_BACKOFF_MS)) {
    if (waited > WRITE_TIMEOUT_MS)
      throw new ServerWriteError("the server's store is unavailable. Run `toolmend doctor` for details");
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
