import type { IncomingMessage } from "node:http";
import {
  type CallReport,
  createDeferredRepairer,
  createStreamRepairer,
  type LeakReport,
  observeCalls,
  observeText,
  type RepairedCall,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
  type StoredCall,
  type StreamRepairer,
} from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { type Framing, framingOf } from "../../core/wire/framing.ts";
import type { Api, DecodedResponse } from "../../core/wire/index.ts";
import { isObject, parseJsonBody, text } from "../../core/wire/json.ts";
import { canDecodeZstd } from "../body/body-decoder.ts";
import type { BodyText } from "../body/body-text.ts";
import type { ReadBody } from "../exchange/request-reader.ts";
import type { ResponseHandler } from "../forward.ts";
import type { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { type RepairedBody, sendRepairedBody } from "./repair-body.ts";
import type { RepairControl } from "./repair-control.ts";
import { createRepairIdSuffix } from "./repair-ids.ts";
import { sendRepairedStream } from "./repair-stream.ts";

const ENCODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", ...(canDecodeZstd ? ["zstd"] : [])]);
const BODY_LIMIT = 16 << 20;
const KEEP_ALIVE_MS = 5000;

export interface ExchangeRepairOptions {
  readonly control: RepairControl;
  readonly keepAliveMs?: number;
  readonly pendingCalls: PendingRepairedCalls;
  /** Reports exceptions in repair; the response is then forwarded unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** The exchange whose response may be repaired. */
export interface RepairTarget {
  readonly api: Api;
  readonly upstream: string;
  /** Whether the upstream is Anthropic, or a cloud that serves its models. */
  readonly isAnthropic: boolean;
  /** A stream comes as one JSON array if it does not come as events. */
  readonly isArrayStream?: boolean;
  /** The response comes over a WebSocket and cannot be changed. */
  readonly isWebSocket?: boolean;
  /** Resolved lazily: needed only while repair is suspended somewhere. */
  readonly session: (
    body: unknown,
    restore: BodyText["restore"],
  ) => { readonly project: string; readonly session_id: string } | undefined;
  /** Keeps repaired calls of stored conversations until their results are sent. Absent if the client is not recorded. */
  readonly storage?: {
    readonly canStore: (argumentsText: string) => boolean;
    readonly keep: (id: string, call: StoredCall) => void;
  };
}

/** Leaks, repaired calls, and native calls that do not fit, of one response. */
export interface Repaired {
  readonly leaks: readonly LeakReport[];
  readonly calls: readonly RepairedCall[];
  readonly callReports: readonly CallReport[];
}

const NOTHING: Repaired = { leaks: [], calls: [], callReports: [] };

/** Whether the response may be changed at all. */
function canChange({ blocked, ignoresLeaks, calls }: RepairOptions): boolean {
  return (blocked === undefined && ignoresLeaks !== true) || (calls !== undefined && calls.blocked === undefined);
}

/** Decides whether the response of one exchange may be rewritten, and keeps the result. */
export class ExchangeRepair {
  readonly #api: Api;
  readonly #options: ExchangeRepairOptions;
  readonly #target: RepairTarget;
  #isPrepared = false;
  #repairOptions: RepairOptions | undefined;
  #repaired: Repaired | undefined;

  constructor(target: RepairTarget, options: ExchangeRepairOptions) {
    this.#api = target.api;
    this.#target = target;
    this.#options = options;
  }

  /**
   * Whether leaks are detected for any model of the upstream. The model of this exchange is known only from the body.
   */
  get canObserve(): boolean {
    return this.#options.control.couldObserve(this.#target.upstream);
  }

  /** Whether responses are rewritten for any model of the upstream, so that the proxy requests them uncompressed. */
  get canRewrite(): boolean {
    return this.#options.control.couldRewrite(this.#target.upstream);
  }

  /** Reads from the request what may be repaired. Must run before any repairable part of the response is sent. */
  prepare(read: ReadBody): void {
    this.#isPrepared = true;
    try {
      this.#repairOptions = this.#readOptions(read);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }

  #readOptions({ body, restore, reread }: ReadBody): RepairOptions | undefined {
    const { control, onFailure } = this.#options;
    const { upstream, isAnthropic, isWebSocket, session, storage } = this.#target;
    const model = restore((isObject(body) ? text(body.model) : undefined) ?? "");
    const options = readRepairOptions(this.#api, body, {
      settings: control.settingsFor(upstream, model),
      randomAlphanumeric: createRepairIdSuffix,
      decodeUtf8: restore,
      enforcesThinking: isAnthropic,
      ...(storage !== undefined && { canStoreCall: storage.canStore }),
      ...(isWebSocket === true && { blocked: "websocket" }),
      ...(control.isSuspended(upstream, model, () => session(body, restore)) && { blocked: "suspended" }),
      reread,
    });
    return options && { ...options, ...(onFailure !== undefined && { onFailure }) };
  }

  /** Returns undefined if the response must be forwarded unchanged. */
  handlerFor(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    try {
      return this.#handlerFor(upstreamResponse);
    } catch (error) {
      this.#options.onFailure?.(error);
      this.#repairOptions = undefined;
      return undefined;
    }
  }

  #handlerFor(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    const options = this.#repairOptions;
    if (options === undefined || !canChange(options) || !isSuccess(upstreamResponse)) return undefined;
    const { headers } = upstreamResponse;
    if (!ENCODINGS.has((headers["content-encoding"] ?? "").trim().toLowerCase())) return undefined;
    const type = headers["content-type"] ?? "";
    const framing = framingOf(this.#api, type);
    if (framing !== undefined) return this.#streamHandler(this.#createRepairer(options, framing), framing);
    if (!/^application\/json\b/i.test(type)) return undefined;
    if (this.#target.isArrayStream !== true) return this.#bodyHandler(options);
    return this.#streamHandler(this.#createRepairer(options, "array"), "array");
  }

  /**
   * Returns the leaks of a finished response. If it was forwarded unchanged, detects them now; without `response` it
   * does not.
   */
  finish(response: DecodedResponse | undefined): Repaired | undefined {
    const options = this.#repairOptions;
    // The connection references this object until its next request. Drop the texts of this request now.
    this.#repairOptions = undefined;
    if (this.#repaired !== undefined || options === undefined || response === undefined) return this.#repaired;
    try {
      this.#repaired = this.#observe(response, options);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
    return this.#repaired;
  }

  /** Finds leaks, and native calls that do not fit, in a response that was not read while it was sent. */
  #observe({ text, calls: made }: DecodedResponse, options: RepairOptions): Repaired | undefined {
    const { calls, ignoresLeaks, blocked = "passed-through" } = options;
    const leaks = ignoresLeaks === true || text === "" ? [] : observeText(this.#api, text, { ...options, blocked });
    const callReports =
      calls === undefined || made.length === 0
        ? []
        : observeCalls(this.#api, made, options, { ...calls, blocked: calls.blocked ?? "passed-through" });
    return { leaks, calls: [], callReports };
  }

  #createRepairer(options: RepairOptions, framing: Framing): StreamRepairer {
    this.#repaired = NOTHING;
    return createStreamRepairer(this.#api, options, framing);
  }

  /** Like {@link handlerFor}, but {@link prepare} runs when the first repairable event arrives, through `prepareNow`. */
  deferredStreamHandler({ headers }: IncomingMessage, prepareNow: () => void): ResponseHandler {
    const framing = framingOf(this.#api, headers["content-type"]) ?? "events";
    const make = (): StreamRepairer | undefined => {
      prepareNow();
      const options = this.#repairOptions;
      return options === undefined || !canChange(options) ? undefined : this.#createRepairer(options, framing);
    };
    const { onFailure } = this.#options;
    const deferred = { isReady: () => this.#isPrepared, make, ...(onFailure !== undefined && { onFailure }) };
    return this.#streamHandler(createDeferredRepairer(this.#api, deferred), framing);
  }

  #streamHandler(repairer: StreamRepairer, framing: Framing): ResponseHandler {
    const onEnd = (): void => {
      const options = this.#repairOptions;
      // Repair was not active. `finish` detects leaks when the exchange is recorded.
      if (this.#repaired === undefined || options === undefined) return;
      this.#repaired = { leaks: repairer.leaks, calls: repairer.calls, callReports: repairer.callReports };
      this.#repairOptions = undefined;
      this.#addPendingCalls(options, repairer.calls);
    };
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedStream(upstreamResponse, response, tap, progress, { repairer, framing, keepAliveMs, onEnd });
  }

  /** Must run before the client can send results: the provider's stored conversation does not contain these calls. */
  #addPendingCalls({ canStoreCall }: RepairOptions, calls: readonly RepairedCall[]): void {
    if (canStoreCall !== undefined) for (const call of calls) this.#target.storage?.keep(call.id, call);
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
      this.#repaired = NOTHING;
      const json = parseJsonBody(text);
      const repaired = repairJsonResponse(this.#api, text, options, json);
      if (repaired.kind === "repaired") this.#addPendingCalls(options, repaired.calls);
      if (repaired.kind !== "unchanged") {
        const { leaks, callReports } = repaired;
        this.#repaired = { leaks, calls: repaired.kind === "repaired" ? repaired.calls : [], callReports };
      }
      if (repaired.kind !== "repaired") return { kind: "unchanged", json };
      return { kind: "repaired", text: repaired.text, calls: changedCalls(repaired.leaks, repaired.callReports) };
    };
    return (upstreamResponse, response, tap, progress) =>
      sendRepairedBody(upstreamResponse, response, tap, progress, { repair, limit: BODY_LIMIT });
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Whether a stream has the same headers with and without repair. */
export function isPlainStream(api: Api, upstreamResponse: IncomingMessage): boolean {
  const { headers } = upstreamResponse;
  if (!isSuccess(upstreamResponse) || framingOf(api, headers["content-type"]) === undefined) return false;
  for (const name of BODY_DEPENDENT_HEADERS) if (headers[name] !== undefined) return false;
  return true;
}

/** Counts repaired calls, leaked and native. */
function changedCalls(leaks: readonly LeakReport[], reports: readonly CallReport[]): number {
  const recovered = leaks.filter(({ result }) => result === "recovered");
  const repaired = reports.filter(({ result }) => result === "repaired").length;
  return recovered.reduce((sum, { tool_call_ids: ids }) => sum + ids.length, repaired);
}
