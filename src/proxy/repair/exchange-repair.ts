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
  #mend: RepairOptions | undefined;
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
      this.#mend = this.#mendOptions(read);
    } catch (error) {
      this.#options.onFailure?.(error);
    }
  }

  #mendOptions({ body, restore, reread }: ReadBody): RepairOptions | undefined {
    const { control, onFailure } = this.#options;
    const { upstream, session, mayKeep } = this.#target;
    const model = restore((isObject(body) ? text(body.model) : undefined) ?? "");
    const mend = readRepairOptions(this.#api, body, {
      settings: control.settingsFor(upstream, model),
      randomAlphanumeric: createRepairIdSuffix,
      decodeUtf8: restore,
      ...(mayKeep !== undefined && { canStoreCall: mayKeep }),
      ...(control.isSuspended(upstream, model, () => session(body, restore)) && { blocked: "suspended" }),
      reread,
    });
    return mend && { ...mend, ...(onFailure !== undefined && { onFailure }) };
  }

  /** The way of an answer that may be mended; undefined: straight through. */
  handlerFor(answer: IncomingMessage, request: RequestBodySource): ResponseHandler | undefined {
    try {
      if (isPlainStream(answer) && request.canReadLate) return this.#latePath(request);
      request.readBodyIfTools();
      return this.#handlerFor(answer);
    } catch (error) {
      this.#options.onFailure?.(error);
      this.#mend = undefined;
      return undefined;
    }
  }

  #handlerFor(answer: IncomingMessage): ResponseHandler | undefined {
    const mend = this.#mend;
    if (mend === undefined || mend.blocked !== undefined || !isGood(answer)) return undefined;
    const { headers } = answer;
    if (!ENCODINGS.has((headers["content-encoding"] ?? "").trim().toLowerCase())) return undefined;
    const type = headers["content-type"] ?? "";
    if (isEventStream(type)) return this.#streamPath(this.#menderFor(mend));
    return /^application\/json\b/i.test(type) ? this.#bodyPath(mend) : undefined;
  }

  /** What became of the leaks of an answer that has ended; those of one that went straight through are looked for now. */
  repaired(answer: DecodedResponse | undefined): Repaired | undefined {
    const mend = this.#mend;
    // The connection holds on to this until its next request: the request's texts need not stay as long.
    this.#mend = undefined;
    if (this.#repaired !== undefined || mend === undefined || answer === undefined || answer.text === "")
      return this.#repaired;
    try {
      const leaks = observeText(this.#api, answer.text, { ...mend, blocked: mend.blocked ?? "passed-through" });
      this.#repaired = { leaks, calls: [] };
    } catch (error) {
      this.#options.onFailure?.(error);
    }
    return this.#repaired;
  }

  #menderFor(mend: RepairOptions): StreamRepairer {
    this.#repaired = { leaks: [], calls: [] };
    return createStreamRepairer(this.#api, mend);
  }

  /** How a stream opens leaves before the request has been read: nobody waits for that then. */
  #latePath(request: RequestBodySource): ResponseHandler {
    const make = (): StreamRepairer | undefined => {
      request.readBodyIfTools();
      const mend = this.#mend;
      return mend === undefined || mend.blocked !== undefined ? undefined : this.#menderFor(mend);
    };
    const { onFailure } = this.#options;
    const late = { isReady: () => this.#isRead, make, ...(onFailure !== undefined && { onFailure }) };
    return this.#streamPath(createDeferredRepairer(this.#api, late));
  }

  #streamPath(mender: StreamRepairer): ResponseHandler {
    const onEnd = (): void => {
      const mend = this.#mend;
      // Nothing was to be mended: what leaked all the same is looked for when everything is told.
      if (this.#repaired === undefined || mend === undefined) return;
      this.#repaired = { leaks: mender.leaks, calls: mender.calls };
      this.#mend = undefined;
      this.#keep(mend, mender.calls);
    };
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    return (answer, response, tap, progress) =>
      sendRepairedStream(answer, response, tap, progress, { mender, keepAliveMs, onEnd });
  }

  /** Before the client can answer: the provider's copy of the conversation does not have these calls. */
  #keep({ canStoreCall: mayKeep }: RepairOptions, calls: readonly RepairedCall[]): void {
    if (mayKeep !== undefined) for (const call of calls) this.#options.serverState.add(call.id, call);
  }

  #bodyPath(options: RepairOptions): ResponseHandler {
    const mend = (text: string): RepairedBody => {
      try {
        return mendText(text);
      } catch (error) {
        this.#options.onFailure?.(error);
        return { kind: "unchanged", json: undefined };
      }
    };
    const mendText = (text: string): RepairedBody => {
      this.#repaired = { leaks: [], calls: [] };
      const json = parseJson(text);
      const mended = repairJsonResponse(this.#api, text, options, json);
      if (mended.kind === "repaired") this.#keep(options, mended.calls);
      if (mended.kind !== "unchanged")
        this.#repaired = { leaks: mended.leaks, calls: mended.kind === "repaired" ? mended.calls : [] };
      if (mended.kind !== "repaired") return { kind: "unchanged", json };
      return { kind: "repaired", text: mended.text, calls: changedCalls(mended.leaks) };
    };
    return (answer, response, tap, progress) =>
      sendRepairedBody(answer, response, tap, progress, { mend, limit: BODY_LIMIT });
  }
}

function isGood({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** A stream that would leave with the same head whether it is mended or not. */
function isPlainStream(answer: IncomingMessage): boolean {
  const { headers } = answer;
  if (!isGood(answer) || !isEventStream(headers["content-type"])) return false;
  for (const name of BODY_DEPENDENT_HEADERS) if (headers[name] !== undefined) return false;
  return true;
}

/** Calls that were made from text, and calls whose name was put right. */
function changedCalls(leaks: readonly LeakReport[]): number {
  const recovered = leaks.filter(({ result }) => result === "recovered");
  return recovered.reduce((sum, { tool_call_ids: ids }) => sum + ids.length, 0);
}
