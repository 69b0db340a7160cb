import { redactedExcerpt } from "../ingest/observe/redact.ts";

/** What became of one request to another system. */
export type Posted =
  | { readonly kind: "accepted"; readonly note?: string }
  /** Not now: the same may be taken later. */
  | {
      readonly kind: "later";
      readonly reason: string;
      /** Nothing is wrong: the other side only asks to be left alone for a while. */
      readonly busy?: true;
      readonly afterMs?: number;
    }
  /** Never: the other side read it and does not want it. */
  | { readonly kind: "refused"; readonly reason: string; readonly tooLarge: boolean };

export interface Destination {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Bad content and too much content. Every other refusal (keys, address, load) may be mended on the other side. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_RESPONSE_CHARS = 4096;
/** Shorter words are ordinary ones, such as a version. */
const MIN_SECRET_CHARS = 8;

/** Sends JSON. Never throws, and never puts a header or the body into what it says. */
export function postJson(destination: Destination, body: unknown): Promise<Posted> {
  return send(destination, { method: "POST", body: JSON.stringify(body) });
}

/** Takes something back. What is not there is as good as gone. */
export function deleteAt(destination: Destination): Promise<Posted> {
  return send(destination, { method: "DELETE" }, GONE);
}

const GONE: ReadonlySet<number> = new Set([404, 410]);

async function send(
  { url, headers, timeoutMs }: Destination,
  request: { readonly method: string; readonly body?: string },
  alsoFine: ReadonlySet<number> = new Set(),
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
  if (response.ok || alsoFine.has(response.status)) {
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
  if (name === "TimeoutError") return "no answer in time";
  return cause?.code ?? `the request could not be made (${name})`;
}

/** A collector may take a request and still reject some of what was in it: it then says so in the answer. */
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

/** Seconds or a date, as HTTP has it; bounded, because the other side decides. */
export function retryAfterMs(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : undefined;
}

/** What the other side says, for people: on one line, and with nothing in it that we had told it in confidence. */
function excerpt(text: string, headers: Destination["headers"]): string {
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(" ")]);
  const known = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS).sort((a, b) => b.length - a.length);
  const said = known.reduce((line, secret) => line.replaceAll(secret, "[secret]"), text.slice(0, MAX_RESPONSE_CHARS));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = said.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return line === "" ? "" : ` (${redactedExcerpt(line, 200)})`;
}
