import { type Checks, callback, checkOptions } from "../../agent/check-options.ts";
import { ignoreErrors } from "../../agent/ignore-errors.ts";
import {
  ByteRepairer,
  bytesOf,
  type CallRepairMode,
  type CallReport,
  createStreamRepairer,
  followedMode,
  type LeakReport,
  type RepairMode,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
} from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { type Framing, framingOf, isRepairable } from "../../core/wire/framing.ts";
import { readPath, withPathFacts } from "../../core/wire/index.ts";
import { type Fields, isObject, parseJson, text } from "../../core/wire/json.ts";
import type { Api } from "../../core/wire/turn.ts";
import { bufferedStream } from "../buffered-stream.ts";
import { REPAIR_CHECKS } from "../repair-checks.ts";
import { attempt, randomId } from "../support.ts";

/** Where a leak was found. */
export interface LeakContext {
  readonly api: Api;
  /** The requested model. */
  readonly model?: string;
}

export interface MendFetchOptions {
  /** `known` by default: repairs only calls of tools that the request declares. */
  readonly mode?: RepairMode;
  /** Names of the tools that may be called; `*` matches anything. All by default. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Maximum length of the text of one call that is buffered, in UTF-16 code units; 1 Mi by default. */
  readonly maxCandidateChars?: number;
  /** Does not repair a command that occurs in a user message or a tool result, even as plain text; off by default. */
  readonly strictCommands?: boolean;
  /** Whether native calls that do not fit their schemas are repaired; by default where leaks are. */
  readonly calls?: CallRepairMode;
  /** Called for every leak when its turn ends, with its result and the reason if it was not repaired. */
  readonly onLeak?: (leak: LeakReport, place: LeakContext) => void;
  /** Called for every native call that was repaired or does not fit, when its response ends. */
  readonly onCall?: (call: CallReport, place: LeakContext) => void;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What repair found in a response. */
interface Found {
  readonly leaks: readonly LeakReport[];
  readonly callReports: readonly CallReport[];
}

type Report = (found: Found) => void;

const MAX_BODY_BYTES = 16 << 20;

/**
 * A `fetch` that turns tool calls written as text into real ones. It parses POST requests to the Messages, Chat
 * Completions, Responses, Gemini and Ollama APIs that declare tools; everything else passes through.
 *
 * @example
 * const client = new OpenAI({ fetch: mendFetch() });
 */
export function mendFetch(options: MendFetchOptions = {}): typeof globalThis.fetch {
  checkOptions("mendFetch", options, { ...REPAIR_CHECKS, fetch: callback } satisfies Checks<keyof MendFetchOptions>);
  const { mode = "known", calls = followedMode(mode), onLeak, onCall, fetch, ...limits } = options;
  const settings = { mode, calls: { mode: calls }, ...limits };
  return async (input, init) => {
    const send = fetch ?? globalThis.fetch;
    if (mode === "off" && calls === "off") return send(input, init);
    // Started before sending, which consumes the body; parsed while waiting for the provider.
    const requestRead = readRequest(input, init).catch(() => undefined);
    const response = await send(input, init);
    const request = await requestRead;
    if (request === undefined) return response;
    const repairOptions = attempt(() =>
      readRepairOptions(request.api, request.body, { settings, randomAlphanumeric: randomId }),
    );
    if (repairOptions === undefined) return response;
    return repairResponse(response, request, repairOptions, (found) => report(found, request, { onLeak, onCall }));
  };
}

async function repairResponse(
  response: Response,
  { api }: ApiRequest,
  options: RepairOptions,
  onFound: Report,
): Promise<Response> {
  const { body, headers } = response;
  const type = headers.get("content-type") ?? "";
  // Some fetch substitutes return bodies that are not web streams.
  if (!response.ok || typeof body?.getReader !== "function" || response.bodyUsed) return response;
  const framing = framingOf(api, type);
  if (isRepairable(framing)) return repairStream(response, body, api, options, onFound, framing);
  if (!/^application\/json\b/i.test(type)) return response;
  const buffered = await bufferBody(body, MAX_BODY_BYTES);
  // Some gateways send the header of a JSON body for streams. A stream must not be buffered.
  if (buffered.isStream === true) return repairStream(response, replayBody(buffered), api, options, onFound);
  const { text } = buffered;
  const repaired = text === undefined ? undefined : attempt(() => repairJsonResponse(api, text, options));
  if (repaired === undefined || repaired.kind === "unchanged")
    return withBody(response, replayBody(buffered), "same-bytes");
  onFound(repaired);
  if (repaired.kind === "left") return withBody(response, replayBody(buffered), "same-bytes");
  const bytes = new TextEncoder().encode(repaired.text);
  const changed = withBody(response, bytes);
  changed.headers.set("content-length", String(bytes.length));
  const native = repaired.callReports.filter(({ result }) => result === "repaired").length;
  changed.headers.set("x-toolmend-mended", String(repaired.calls.length + native));
  return changed;
}

function repairStream(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  api: Api,
  options: RepairOptions,
  onFound: Report,
  framing: Framing = "events",
): Response {
  const repairer = attempt(() => createStreamRepairer(api, options, framing));
  if (repairer === undefined) return withBody(response, body, "same-bytes");
  const bytes = new ByteRepairer(repairer, framing);
  const end = (): readonly Uint8Array[] => {
    const flushed = bytesOf(bytes.end());
    attempt(() => onFound(repairer));
    return flushed;
  };
  return withBody(response, bufferedStream(body, { push: (chunk) => bytesOf(bytes.push(chunk)), end }) as typeof body);
}

function report(
  { leaks, callReports }: Found,
  { api, model }: ApiRequest,
  { onLeak, onCall }: { readonly [K in "onLeak" | "onCall"]: MendFetchOptions[K] | undefined },
): void {
  const context = { api, ...(model !== undefined && { model }) };
  for (const leak of leaks) ignoreErrors(() => onLeak?.(leak, context));
  for (const call of callReports) ignoreErrors(() => onCall?.(call, context));
}

type FetchInput = Parameters<typeof globalThis.fetch>[0];
type FetchInit = Parameters<typeof globalThis.fetch>[1];

/** A request to one of the APIs whose responses can be repaired. */
export interface ApiRequest {
  readonly api: Api;
  readonly body: Fields;
  readonly model?: string;
}

/** Parses a request; undefined if its response is not repaired. Does not consume the request. */
export async function readRequest(input: FetchInput, init: FetchInit): Promise<ApiRequest | undefined> {
  const request = typeof input === "object" && "url" in input ? input : undefined;
  const facts = readPath(pathOf(request?.url ?? String(input)));
  const method = init?.method ?? request?.method ?? "GET";
  if (facts === undefined || method.toUpperCase() !== "POST") return undefined;
  const { api, ...pathFacts } = facts;
  const body = withPathFacts(parseJson((await bodyOf(request, init)) ?? ""), pathFacts);
  if (!isObject(body)) return undefined;
  const model = text(body.model);
  return { api, body, ...(model !== undefined && { model }) };
}

/** The path of an absolute or relative URL, without query and fragment. */
function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/** The body as text if it can be read twice. A stream cannot, so it is left to the sender. */
async function bodyOf(request: Request | undefined, init: FetchInit): Promise<string | undefined> {
  const body = init?.body;
  if (body == null) return request?.body == null ? undefined : await request.clone().text();
  if (typeof body === "string") return body;
  if (body instanceof Blob) return await body.text();
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  return undefined;
}

/** Copies a response with another body. Drops the headers that depend on the bytes if these changed. */
export function withBody(
  response: Response,
  body: ConstructorParameters<typeof Response>[0],
  bytes: "same-bytes" | "other-bytes" = "other-bytes",
): Response {
  const headers = new Headers(response.headers);
  if (bytes === "other-bytes") for (const name of BODY_DEPENDENT_HEADERS) headers.delete(name);
  const { status, statusText } = response;
  return withOrigin(response, new Response(body, { status, statusText, headers }));
}

/** Copies `url`, `redirected` and `type`, which the Response constructor cannot set. */
function withOrigin(
  { url, redirected, type }: Pick<Response, "url" | "redirected" | "type">,
  copy: Response,
): Response {
  return Object.defineProperties(copy, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: () => withOrigin({ url, redirected, type }, Response.prototype.clone.call(copy)) },
  });
}

/** The part of a body that was read, and the reader for the remainder. */
export interface BufferedBody {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** The complete text; undefined if the body is too large, aborted, or not valid UTF-8. */
  readonly text: string | undefined;
  /** The first bytes are those of server-sent events; the remainder was not read. */
  readonly isStream?: true;
  /** Reader for the remainder of a body over the limit. */
  readonly remainder?: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** The error with which the body was aborted. */
  readonly failure?: { readonly reason: unknown };
}

/** Reads a body to its end, or until it exceeds the limit. */
export async function bufferBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number): Promise<BufferedBody> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  // Invalid UTF-8 would not survive decoding and encoding.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string | undefined = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      if (size === 0 && startsStream(value)) return { chunks, text: undefined, remainder: reader, isStream: true };
      size += value.length;
      if (size > limit) return { chunks, text: undefined, remainder: reader };
      text = decoded(text, () => decoder.decode(value, { stream: true }));
    }
    return { chunks, text: decoded(text, () => decoder.decode()) };
  } catch (reason) {
    return { chunks, text: undefined, failure: { reason } };
  }
}

/** A body of these APIs is a JSON object, and no line of a stream begins like one. */
function startsStream(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, 64)).trimStart();
  return /^(event|data|id|retry)?:/.test(text);
}

function decoded(before: string | undefined, next: () => string): string | undefined {
  try {
    return before === undefined ? undefined : before + next();
  } catch {
    return undefined;
  }
}

/** Replays the body unchanged: the chunks read so far, then the remainder or the failure. */
export function replayBody({ chunks, remainder, failure }: BufferedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks[at];
        if (chunk !== undefined) {
          controller.enqueue(chunk);
          at += 1;
          return;
        }
        if (failure !== undefined) throw failure.reason;
        const next = await remainder?.read();
        if (next === undefined || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => remainder?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
