import { redactedExcerpt } from "../ingest/observe/redact.ts";

/** The result of one request to a target. */
export type Posted =
  | { readonly kind: "accepted"; readonly note?: string }
  /** Unavailable: the same request may succeed later. */
  | {
      readonly kind: "later";
      readonly reason: string;
      /** The target only throttles. */
      readonly busy?: true;
      readonly afterMs?: number;
    }
  /** Rejected for good: the target would reject the same content again. */
  | { readonly kind: "refused"; readonly reason: string; readonly tooLarge: boolean };

export interface Destination {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Invalid or too large content. All other errors (keys, address, load) may be fixed on the side of the target. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_RESPONSE_CHARS = 4096;
/** Shorter header values are not secret, such as a version. */
const MIN_SECRET_CHARS = 8;

/** Sends JSON. Never throws, and never includes a header or the body in the result. */
export function postJson(destination: Destination, body: unknown): Promise<Posted> {
  return send(destination, { method: "POST", body: JSON.stringify(body) });
}

/** Deletes a resource. Succeeds if it does not exist. */
export function deleteAt(destination: Destination): Promise<Posted> {
  return send(destination, { method: "DELETE" }, ABSENT);
}

const ABSENT: ReadonlySet<number> = new Set([404, 410]);

async function send(
  { url, headers, timeoutMs }: Destination,
  request: { readonly method: string; readonly body?: string },
  accepted: ReadonlySet<number> = new Set(),
): Promise<Posted> {
  let response: Response;
  try {
    response = await fetch(url, {
      ...request,
      headers: { "content-type": "application/json", ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    return { kind: "later", reason: reasonOf(error) };
  }
  const text = await response.text().catch(() => "");
  // A proxy in front of the target may show its login page with any status.
  if (response.ok && /^text\/html\b/i.test(response.headers.get("content-type") ?? ""))
    return { kind: "later", reason: `HTTP ${response.status} with a web page instead of the API's response` };
  if (response.ok || accepted.has(response.status)) {
    const note = partialSuccess(text, headers);
    return { kind: "accepted", ...(note !== undefined && { note }) };
  }
  const reason = `HTTP ${response.status}${excerpt(text, headers)}`;
  if (REFUSED.has(response.status)) return { kind: "refused", reason, tooLarge: response.status === 413 };
  const afterMs = retryAfterMs(response.headers.get("retry-after"));
  const busy = response.status === 429 || afterMs !== undefined;
  return { kind: "later", reason, ...(busy && { busy }), ...(afterMs !== undefined && { afterMs }) };
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return "the request timed out";
  return cause?.code ?? `the request failed (${name})`;
}

/** A collector may accept a request and report in the response that it rejected some items. */
function partialSuccess(text: string, headers: Destination["headers"]): string | undefined {
  if (!text.includes("partialSuccess")) return undefined;
  try {
    const { partialSuccess: partial } = JSON.parse(text) as { partialSuccess?: Record<string, unknown> };
    const rejected = Number(partial?.rejectedSpans ?? partial?.rejectedLogRecords ?? 0);
    return rejected > 0 ? `${rejected} rejected${excerpt(String(partial?.errorMessage ?? ""), headers)}` : undefined;
  } catch {
    return undefined;
  }
}

/** Parses seconds or an HTTP date. Bounded, because the value is untrusted. */
export function retryAfterMs(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : undefined;
}

/** An excerpt of the response for messages: on one line, redacted, and without the values of the request's headers. */
function excerpt(text: string, headers: Destination["headers"]): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(" ")]);
  const known = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS).sort((a, b) => b.length - a.length);
  const safe = known.reduce((line, secret) => line.replaceAll(secret, "[secret]"), text.slice(0, MAX_RESPONSE_CHARS));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes them
  const line = safe.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return line === "" ? "" : ` (${redactedExcerpt(line, 200)})`;
}
