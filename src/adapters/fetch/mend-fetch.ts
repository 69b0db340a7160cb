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
import type { Api } from "../../core/wire/turn.ts";
import { heldStream } from "../held-stream.ts";
import { randomLetters } from "../random-letters.ts";
import { tried } from "../tried.ts";
import { type ApiRequest, readRequest } from "./read-request.ts";
import { otherBody } from "./response.ts";
import { followedBy, readWhole } from "./whole-body.ts";

/** Where a leak was found. */
export interface LeakPlace {
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
  readonly onLeak?: (leak: LeakReport, place: LeakPlace) => void;
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
    const mend = tried(() => readRepairOptions(request.api, request.body, { settings, letters: randomLetters }));
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
    const mender = tried(() => createStreamRepairer(api, mend));
    if (mender === undefined) return response;
    const bytes = new ByteRepairer(mender);
    const end = (): readonly Uint8Array[] => {
      const rest = bytesOf(bytes.end());
      tried(() => onLeaks(mender.leaks));
      return rest;
    };
    return otherBody(response, heldStream(body, { push: (chunk) => bytesOf(bytes.push(chunk)), end }) as typeof body);
  }
  if (!/^application\/json\b/i.test(type)) return response;
  const whole = await readWhole(body, BODY_LIMIT);
  const mending =
    whole.text === undefined ? undefined : tried(() => repairJsonResponse(api, whole.text as string, mend));
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
  for (const leak of leaks) tried(() => onLeak(leak, place));
}
