import {
  ByteRepairer,
  bytesOf,
  createStreamRepairer,
  type LeakReport,
  type RepairMode,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
} from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { apiOfPath } from "../../core/wire/index.ts";
import { type Fields, isObject, parseJson, text } from "../../core/wire/json.ts";
import type { Api } from "../../core/wire/turn.ts";
import { bufferedStream } from "../buffered-stream.ts";
import { attempt, randomId } from "../support.ts";
import { followedBy, readWhole } from "./whole-body.ts";

/** Where a leak was found. */
export interface LeakContext {
  readonly api: Api;
  /** The model that was asked for. */
  readonly model?: string;
}

export interface MendFetchOptions {
  /** `known` by default: only tools that the request declares are called. */
  readonly mode?: RepairMode;
  /** Names of the tools that may be called, `*` stands for anything; all by default. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** The largest text of one call that is held back, in UTF-16 units; 1 Mi by default. */
  readonly maxCandidate?: number;
  /** Leaves a command that occurs in a user message or a tool result also where it is plain text there; off by default. */
  readonly strictCommands?: boolean;
  /** Told of every leak when its turn is over: what became of it, and why if it stayed text. */
  readonly onLeak?: (leak: LeakReport, place: LeakContext) => void;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
}

type Tell = (leaks: readonly LeakReport[]) => void;

const BODY_LIMIT = 16 << 20;

/**
 * A `fetch` that makes tool calls of those that a model wrote as text. It looks at POSTs to the Messages, Chat Completions and Responses APIs that
 * declare tools; everything else passes.
 *
 * @example
 * const client = new OpenAI({ fetch: mendFetch() });
 */
export function mendFetch(options: MendFetchOptions = {}): typeof globalThis.fetch {
  const { mode = "known", onLeak, fetch, ...limits } = options;
  const settings = { mode, ...limits };
  return async (input, init) => {
    const send = fetch ?? globalThis.fetch;
    if (mode === "off") return send(input, init);
    // Begun before the request is sent, which uses it up; parsed while the provider thinks.
    const reading = readRequest(input, init).catch(() => undefined);
    const response = await send(input, init);
    const request = await reading;
    if (request === undefined) return response;
    const mend = attempt(() =>
      readRepairOptions(request.api, request.body, { settings, randomAlphanumeric: randomId }),
    );
    if (mend === undefined) return response;
    return mended(response, request, mend, (leaks) => tell(leaks, request, onLeak));
  };
}

async function mended(response: Response, { api }: ApiRequest, mend: RepairOptions, onLeaks: Tell): Promise<Response> {
  const { body, headers } = response;
  const type = headers.get("content-type") ?? "";
  // Some stand-ins for fetch have bodies of another kind.
  if (!response.ok || typeof body?.getReader !== "function" || response.bodyUsed) return response;
  if (/^text\/event-stream\b/i.test(type)) {
    const mender = attempt(() => createStreamRepairer(api, mend));
    if (mender === undefined) return response;
    const bytes = new ByteRepairer(mender);
    const end = (): readonly Uint8Array[] => {
      const rest = bytesOf(bytes.end());
      attempt(() => onLeaks(mender.leaks));
      return rest;
    };
    return otherBody(
      response,
      bufferedStream(body, { push: (chunk) => bytesOf(bytes.push(chunk)), end }) as typeof body,
    );
  }
  if (!/^application\/json\b/i.test(type)) return response;
  const whole = await readWhole(body, BODY_LIMIT);
  const mending =
    whole.text === undefined ? undefined : attempt(() => repairJsonResponse(api, whole.text as string, mend));
  if (mending === undefined || mending.kind === "unchanged")
    return otherBody(response, followedBy(whole), "same-bytes");
  onLeaks(mending.leaks);
  if (mending.kind === "left") return otherBody(response, followedBy(whole), "same-bytes");
  const bytes = new TextEncoder().encode(mending.text);
  const changed = otherBody(response, bytes);
  changed.headers.set("content-length", String(bytes.length));
  changed.headers.set("x-toolmend-mended", String(mending.calls.length));
  return changed;
}

function tell(leaks: readonly LeakReport[], { api, model }: ApiRequest, onLeak: MendFetchOptions["onLeak"]): void {
  if (onLeak === undefined) return;
  const place = { api, ...(model !== undefined && { model }) };
  for (const leak of leaks) attempt(() => onLeak(leak, place));
}

type FetchInput = Parameters<typeof globalThis.fetch>[0];
type FetchInit = Parameters<typeof globalThis.fetch>[1];

/** A request to one of the APIs whose answers can be mended. */
export interface ApiRequest {
  readonly api: Api;
  readonly body: Fields;
  readonly model?: string;
}

/** What a request asks for; undefined for everything that is none of ours. Nothing of the request is used up by reading it. */
export async function readRequest(input: FetchInput, init: FetchInit): Promise<ApiRequest | undefined> {
  const request = typeof input === "object" && "url" in input ? input : undefined;
  const api = apiOfPath(pathOf(request?.url ?? String(input)));
  const method = init?.method ?? request?.method ?? "GET";
  if (api === undefined || method.toUpperCase() !== "POST") return undefined;
  const body = parseJson((await bodyOf(request, init)) ?? "");
  if (!isObject(body)) return undefined;
  const model = text(body.model);
  return { api, body, ...(model !== undefined && { model }) };
}

/** Relative addresses have a path too. */
function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] as string;
}

/** The body as text where it can be read twice. A stream cannot: it is left to the one who sends it. */
async function bodyOf(request: Request | undefined, init: FetchInit): Promise<string | undefined> {
  const body = init?.body;
  if (body == null) return request?.body == null ? undefined : await request.clone().text();
  if (typeof body === "string") return body;
  if (body instanceof Blob) return await body.text();
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  return undefined;
}

/** A response with another body; headers that speak of its bytes go, unless these are the same. */
export function otherBody(
  response: Response,
  body: ConstructorParameters<typeof Response>[0],
  bytes: "same-bytes" | "other-bytes" = "other-bytes",
): Response {
  const headers = new Headers(response.headers);
  if (bytes === "other-bytes") for (const name of BODY_DEPENDENT_HEADERS) headers.delete(name);
  const { status, statusText } = response;
  return cameFrom(response, new Response(body, { status, statusText, headers }));
}

/** What a constructor cannot say. */
function cameFrom({ url, redirected, type }: Response, made: Response): Response {
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: () => cameFrom({ url, redirected, type } as Response, Response.prototype.clone.call(made)) },
  });
}
