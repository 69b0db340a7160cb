import type { IncomingMessage } from "node:http";
import {
  createDeferredRepairer,
  createStreamRepairer,
  type LeakReport,
  observeText,
  type RepairedCall,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
  type StreamRepairer,
} from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import type { Api, DecodedResponse } from "../../core/wire/index.ts";
import { isObject, parseJson, text } from "../../core/wire/json.ts";
import type { BodyText } from "../body/body-text.ts";
import { isEventStream } from "../body/response-kind.ts";
import type { ResponseHandler } from "../forward.ts";
import type { ReadBody } from "../recording/exchange-reader.ts";
import type { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { type RepairedBody, sendRepairedBody } from "./repair-body.ts";
import type { RepairControl } from "./repair-control.ts";
import { createRepairIdSuffix } from "./repair-ids.ts";
import { sendRepairedStream } from "./repair-stream.ts";

const ENCODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"]);
const BODY_LIMIT = 16 << 20;
const KEEP_ALIVE_MS = 5000;

export interface ExchangeRepairOptions {
  readonly control: RepairControl;
  readonly keepAliveMs?: number;
  readonly serverState: PendingRepairedCalls;
  /** Reports exceptions in repair; the response is then forwarded unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** Whose answer it is. */
export interface RepairTarget {
  readonly api: Api;
  readonly upstream: string;
  /** Found only when somebody's repair rests. */
  readonly session: (
    body: unknown,
    restore: BodyText["restore"],
  ) => { readonly project: string; readonly session_id: string } | undefined;
  /** Will the record of a call have its arguments whole? Absent for clients that are not recorded. */
  readonly mayKeep?: (argumentsText: string) => boolean;
}

/** A request whose body decides what may be mended. */
export interface RequestBodySource {
  /** It need not be read before the answer begins to leave. */
  readonly canReadLate: boolean;
  readBodyIfTools(): void;
}

/** What repair did in one answer. */
export interface Repaired {
  readonly leaks: readonly LeakReport[];
  readonly calls: readonly RepairedCall[];
}

/** Decides for one exchange whether its answer may be changed, and remembers what was. */
export class ExchangeRepair {
  readonly #api: Api;
  readonly #options: ExchangeRepairOptions;
  readonly #target: RepairTarget;
  #isRead = false;
  #repairOptions: RepairOptions | undefined;
  #repaired: Repaired | undefined;

  constructor(target: RepairTarget, options: ExchangeRepairOptions) {
    this.#api = target.api;
    this.#target = target;
    this.#options = options;
  }

  /** May look for leaks at all; the model decides, which the body names. */
  get isOn(): boolean {
    return this.#options.control.couldObserve(this.#target.upstream);
  }

  /** May change answers at all, so that they had better not be compressed. */
  get isActive(): boolean {
    return this.#options.control.couldRewrite(this.#target.upstream);
  }

  /** Told before anything of the answer leaves that could be mended: only what it decides on is looked at. */
  onBody(read: ReadBody): void {
    this.#isRead = true;
    try {
      this.#repairOptions = this.#readOptions(read);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }

  #readOptions({ body, restore, reread }: ReadBody): RepairOptions | undefined {
    const { control, onFailure } = this.#options;
    const { upstream, session, mayKeep } = this.#target;
    const model = restore((isObject(body) ? text(body.model) : undefined) ?? "");
    const options = readRepairOptions(this.#api, body, {
      settings: control.settingsFor(upstream, model),
      letters: createRepairIdSuffix,
      restore,
      ...(mayKeep !== undefined && { mayKeep }),
      ...(control.isSuspended(upstream, model, () => session(body, restore)) && { blocked: "suspended" }),
      reread,
    });
    return options && { ...options, ...(onFailure !== undefined && { onFailure }) };
  }

  /** The way of an answer that may be mended; undefined: straight through. */
  handlerFor(upstreamResponse: IncomingMessage, request: RequestBodySource): ResponseHandler | undefined {
    try {
      if (isPlainStream(upstreamResponse) && request.canReadLate) return this.#deferredStreamHandler(request);
      request.readBodyIfTools();
      return this.#handlerFor(upstreamResponse);
    } catch (error) {
      this.#options.onFailure?.(error);
      this.#repairOptions = undefined;
      return undefined;
    }
  }

  #handlerFor(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    const options = this.#repairOptions;
    if (options === undefined || options.blocked !== undefined || !isSuccess(upstreamResponse)) return undefined;
    const { headers } = upstreamResponse;
    if (!ENCODINGS.has((headers["content-encoding"] ?? "").trim().toLowerCase())) return undefined;
    const type = headers["content-type"] ?? "";
    if (isEventStream(type)) return this.#streamHandler(this.#createRepairer(options));
    return /^application\/json\b/i.test(type) ? this.#bodyHandler(options) : undefined;
  }

  /** What became of the leaks of an answer that has ended; those of one that went straight through are looked for now. */
  repaired(response: DecodedResponse | undefined): Repaired | undefined {
    const options = this.#repairOptions;
    // The connection holds on to this until its next request: the request's texts need not stay as long.
    this.#repairOptions = undefined;
    if (this.#repaired !== undefined || options === undefined || response === undefined || response.text === "")
      return this.#repaired;
    try {
      const leaks = observeText(this.#api, response.text, { ...options, blocked: options.blocked ?? "passed" });
      this.#repaired = { leaks, calls: [] };
    } catch (error) {
      this.#options.onFailure?.(error);
    }
    return this.#repaired;
  }

  #createRepairer(options: RepairOptions): StreamRepairer {
    this.#repaired = { leaks: [], calls: [] };
    return createStreamRepairer(this.#api, options);
  }

  /** How a stream opens leaves before the request has been read: nobody waits for that then. */
  #deferredStreamHandler(request: RequestBodySource): ResponseHandler {
    const make = (): StreamRepairer | undefined => {
      request.readBodyIfTools();
      const options = this.#repairOptions;
      return options === undefined || options.blocked !== undefined ? undefined : this.#createRepairer(options);
    };
    const { onFailure } = this.#options;
    const deferred = { isReady: () => this.#isRead, make, ...(onFailure !== undefined && { onFailure }) };
    return this.#streamHandler(createDeferredRepairer(this.#api, deferred));
  }

  #streamHandler(repairer: StreamRepairer): ResponseHandler {
    const onEnd = (): void => {
      const options = this.#repairOptions;
      // Nothing was to be mended: what leaked all the same is looked for when everything is told.
      if (this.#repaired === undefined || options === undefined) return;
      this.#repaired = { leaks: repairer.leaks, calls: repairer.calls };
      this.#repairOptions = undefined;
      this.#addPendingCalls(options, repairer.calls);
    };
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedStream(upstreamResponse, response, tap, progress, { repairer, keepAliveMs, onEnd });
  }

  /** Before the client can answer: the provider's copy of the conversation does not have these calls. */
  #addPendingCalls({ mayKeep }: RepairOptions, calls: readonly RepairedCall[]): void {
    if (mayKeep !== undefined) for (const call of calls) this.#options.serverState.add(call.id, call);
  }

  #bodyHandler(options: RepairOptions): ResponseHandler {
    const repair = (text: string): RepairedBody => {
      try {
        return repairText(text);
      } catch (error) {
        this.#options.onFailure?.(error);
        return { kind: "unchanged", json: undefined };
      }
    };
    const repairText = (text: string): RepairedBody => {
      this.#repaired = { leaks: [], calls: [] };
      const json = parseJson(text);
      const repaired = repairJsonResponse(this.#api, text, options, json);
      if (repaired.kind === "mended") this.#addPendingCalls(options, repaired.calls);
      if (repaired.kind !== "unchanged")
        this.#repaired = { leaks: repaired.leaks, calls: repaired.kind === "mended" ? repaired.calls : [] };
      if (repaired.kind !== "mended") return { kind: "unchanged", json };
      return { kind: "repaired", text: repaired.text, calls: changedCalls(repaired.leaks) };
    };
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedBody(upstreamResponse, response, tap, progress, { repair, limit: BODY_LIMIT });
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** A stream that would leave with the same head whether it is mended or not. */
function isPlainStream(upstreamResponse: IncomingMessage): boolean {
  const { headers } = upstreamResponse;
  if (!isSuccess(upstreamResponse) || !isEventStream(headers["content-type"])) return false;
  for (const name of BODY_DEPENDENT_HEADERS) if (headers[name] !== undefined) return false;
  return true;
}

/** Calls that were made from text, and calls whose name was put right. */
function changedCalls(leaks: readonly LeakReport[]): number {
  const recovered = leaks.filter(({ result }) => result === "recovered");
  return recovered.reduce((sum, { tool_call_ids: ids }) => sum + ids.length, 0);
}
