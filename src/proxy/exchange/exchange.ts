import type { IncomingMessage } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import type { Frame } from "../../core/wire/event-framer.ts";
import { type Api, type DecodedRequest, type DecodedResponse, type PathFacts, WIRE } from "../../core/wire/index.ts";
import { BodyTooLargeError } from "../body/body-copy.ts";
import { BodyEncodingError } from "../body/body-decoder.ts";
import type { RewriteBody } from "../body/buffer-request.ts";
import type { ResponseHandler, ResponseHead, Tap } from "../forward/forwarded-exchange.ts";
import { type ExchangeRepair, isPlainStream, type Repaired } from "../repair/exchange-repair.ts";
import { type ConversationReader, type ReadBody, RequestReader } from "./request-reader.ts";
import { ResponseReader } from "./response-reader.ts";

/** Status, timing and size of an exchange. */
export interface ExchangeStats {
  /** Toolmend refused the request itself; the status is not the upstream's. */
  readonly refused?: boolean;
  readonly endedAt: number;
  readonly ended: ExchangeEnd;
  readonly status: number;
  readonly firstByteAt: number | undefined;
  readonly size: number;
}

/** What an exchange does with what it read. */
export interface ExchangeSink {
  recordRequest(request: DecodedRequest, read: ReadBody, size: number): void;
  /** `response` is undefined if there was none, or it could not be read. */
  recordEnd(response: DecodedResponse | undefined, stats: ExchangeStats, repaired: Repaired | undefined): void;
}

export interface ExchangeOptions {
  readonly api: Api;
  /** What the path says about the request. */
  readonly pathFacts?: Omit<PathFacts, "api">;
  readonly requestEncoding: string | undefined;
  /** Absent if nothing of the request may be remembered. */
  readonly conversation?: ConversationReader | undefined;
  /** Absent if leaks are neither repaired nor detected. */
  readonly repair?: ExchangeRepair | undefined;
  /** Absent if the client opted out of recording. */
  readonly recorder?: ExchangeSink | undefined;
  /** Returns a new request body, or undefined to keep the original. Absent if no request needs it. */
  readonly rewrite?: RewriteBody | undefined;
  /** Whether `rewrite` refused the request. */
  readonly isRefused?: () => boolean;
  readonly now: () => number;
  /** The exchange, or a part of it, could not be read. Its bytes were forwarded anyway. */
  readonly onUnreadable: (reason: string) => void;
  /** Reports exceptions other than malformed input. */
  readonly onFailure?: (error: unknown) => void;
  /** Called after everything is recorded. */
  readonly onDone?: () => void;
}

/**
 * Reading a request waits this long for the first byte of the response. If the response takes longer, the request is
 * read meanwhile.
 */
const READ_DELAY_MS = 20;

/** How far reading the request has come. */
type RequestState =
  /** Its bytes arrive. */
  | { readonly kind: "receiving" }
  /** It is complete, and is recorded when the timer ends or the response begins. */
  | { readonly kind: "waiting"; readonly timer: NodeJS.Timeout }
  /** It was parsed early because repair depends on it. */
  | { readonly kind: "parsed"; readonly timer: NodeJS.Timeout; readonly read: ReadBody }
  /** It is being decompressed. The end of the exchange waits for it. */
  | { readonly kind: "decoding"; onDone?: () => void }
  /** It is recorded, or it cannot be. */
  | { readonly kind: "read" };

/**
 * One exchange with a model API. It owns the readers of request and response, repair and the recorder, which do not
 * call each other's methods; this is the only code that knows their order. The steps, in the order of this file, which
 * is also the usual order in time:
 *
 * 1. `requestChunk`, `requestEnd`: the request is copied.
 * 2. `#prepareRepair`: a request with tools is parsed, if the response may be rewritten depending on it.
 * 3. `#submitRequest`: the request is recorded.
 * 4. `chooseHandler`: the head of the response arrived. Is it repaired, or forwarded as it is?
 * 5. `responseHead` to `responseJson`: the response is read, after it was sent to the client.
 * 6. `end`: the response is recorded, with the leaks that repair found in it.
 *
 * If the response begins within {@link READ_DELAY_MS}, forwarding it comes first: step 2 waits for the first event that
 * could be repaired, and step 3 for the first byte. A step that throws costs the record of this exchange, never its
 * bytes, and later steps still run.
 */
export class Exchange implements Tap {
  readonly #options: ExchangeOptions;
  readonly #request: RequestReader;
  readonly #response: ResponseReader;
  #requestState: RequestState = { kind: "receiving" };
  #status = 0;
  #unreadHead: ResponseHead | undefined;
  #firstByteAt: number | undefined;
  #size = 0;
  #isUnreadable = false;
  #hasFailed = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#request = new RequestReader(options.requestEncoding, options.pathFacts, options.conversation);
    this.#response = new ResponseReader(options.api, (error) => this.#giveUp("response", error));
  }

  get rewrite(): RewriteBody | undefined {
    return this.#options.rewrite;
  }

  /** Whether the request was refused and not sent. */
  get isRefused(): boolean {
    return this.#options.isRefused?.() === true;
  }

  /** Whether the response may be rewritten, so that it is requested uncompressed. */
  get canRewrite(): boolean {
    return this.#options.repair?.canRewrite === true;
  }

  mayChangeResponse(body: Buffer): boolean {
    return this.#request.mayDeclareTools(body);
  }

  /** Whether the request may be sent again. */
  get mayResend(): boolean {
    return this.#options.repair?.mayResend === true;
  }

  // 1. The request is copied.

  requestChunk(chunk: Buffer): void {
    this.#contain("request", () => this.#request.add(chunk));
  }

  requestEnd(): void {
    if (this.#request.isDropped) {
      this.#requestState = { kind: "read" };
      return;
    }
    // Reads the request while the upstream has not responded yet; later, reading would compete with forwarding.
    const timer = setTimeout(() => this.#readWhileWaiting(), READ_DELAY_MS);
    this.#requestState = { kind: "waiting", timer };
  }

  /** Other exchanges get their turn while a large request is read. */
  #readWhileWaiting(): void {
    if (this.#requestState.kind !== "waiting") return;
    let hasMore = false;
    this.#contain("request", () => {
      hasMore = this.#request.parseSlice();
    });
    if (hasMore) {
      setImmediate(() => this.#readWhileWaiting());
      return;
    }
    if (this.canRewrite) this.#prepareRepair();
    this.#submitRequest();
  }

  // 2. Repair depends on the tools of the request.

  #prepareRepair(): void {
    const { repair } = this.#options;
    const state = this.#requestState;
    if (repair === undefined || state.kind !== "waiting") return;
    this.#contain("request", () => {
      this.#request.decompress();
      if (!this.#request.isWorthParsing) return;
      const read = this.#request.parse() as ReadBody;
      this.#requestState = { ...state, kind: "parsed", read };
      repair.prepare(read);
      if (this.#firstByteAt !== undefined) this.#submitRequestSoon();
    });
  }

  // 3. The request is recorded.

  /**
   * Runs after the first byte of the response is forwarded. A parsed body is recorded in a microtask, before other
   * connections get their turn: it is large, and the garbage collector would copy it.
   */
  #submitRequestSoon(): void {
    if (this.#requestState.kind === "parsed") queueMicrotask(() => this.#submitRequest());
    else setImmediate(() => this.#submitRequest());
  }

  /** Runs once: at the first byte of the response, at its end, or after the delay, whichever is first. */
  #submitRequest(): void {
    const state = this.#requestState;
    if (state.kind !== "waiting" && state.kind !== "parsed") return;
    clearTimeout(state.timer);
    this.#requestState = { kind: "read" };
    this.#contain("request", () => {
      if (state.kind === "parsed") this.#reportRequest(state.read);
      else this.#parseAndReport();
    });
  }

  #parseAndReport(): void {
    const read = this.#request.parse();
    if (!(read instanceof Promise)) {
      if (read !== undefined) this.#prepareAndReport(read);
      return;
    }
    const decoding: RequestState = { kind: "decoding" };
    this.#requestState = decoding;
    const done = (work: () => void): void => {
      this.#requestState = { kind: "read" };
      this.#contain("request", work);
      decoding.onDone?.();
    };
    read.then(
      (body) => done(() => this.#prepareAndReport(body)),
      (error: unknown) => done(() => this.#giveUp("request", error)),
    );
  }

  #prepareAndReport(read: ReadBody): void {
    this.#options.repair?.prepare(read);
    this.#reportRequest(read);
  }

  #reportRequest(read: ReadBody): void {
    const request = WIRE[this.#options.api].decodeRequest(read.body);
    if (request === undefined) this.#markUnreadable("request: not of this API");
    else this.#options.recorder?.recordRequest(request, read, this.#request.size);
  }

  // 4. The head of the response arrived.

  /** Returns undefined if the response must be forwarded unchanged. */
  chooseHandler(upstreamResponse: IncomingMessage): ResponseHandler | undefined {
    const { repair } = this.#options;
    if (repair === undefined || !this.canRewrite) return undefined;
    const { kind } = this.#requestState;
    // Sends the first events of a stream before the request is parsed, so that parsing does not delay them.
    if (
      isPlainStream(this.#options.api, upstreamResponse) &&
      (kind === "parsed" || (kind === "waiting" && this.#request.isPlainWithTools))
    )
      return repair.deferredStreamHandler(upstreamResponse, () => this.#prepareRepair());
    this.#prepareRepair();
    return repair.handlerFor(upstreamResponse);
  }

  // 5. The response is read.

  responseHead(head: ResponseHead): void {
    this.#status = head.statusCode ?? 0;
    this.#unreadHead = head;
  }

  /** Runs after the first bytes are forwarded, which it would delay. */
  #readHead(): void {
    const head = this.#unreadHead;
    this.#unreadHead = undefined;
    if (head !== undefined && !this.#isUnreadable) this.#contain("response", () => this.#response.begin(head));
  }

  responseChunk(chunk: Buffer): void {
    this.#count(chunk.length);
    this.#readHead();
    this.#contain("response", () => this.#response.add(chunk));
  }

  responseEvents(events: readonly Frame[]): void {
    for (const { raw } of events) this.#count(raw.length);
    this.#readHead();
    this.#contain("response", () => this.#response.addEvents(events));
  }

  responseJson(json: unknown): void {
    this.#response.addJson(json);
  }

  #count(size: number): void {
    this.#size += size;
    if (this.#firstByteAt !== undefined) return;
    this.#firstByteAt = this.#options.now();
    this.#submitRequestSoon();
  }

  // 6. The response is recorded.

  end(ended: ExchangeEnd): void {
    const endedAt = this.#options.now();
    this.#readHead();
    const finish = (problem?: string): void => {
      this.#submitRequest();
      if (this.#requestState.kind === "receiving") this.#dropPartialRequest();
      if (problem !== undefined && ended === "complete") this.#markUnreadable(`response: ${problem}`);
      const report = (): void => {
        this.#contain("response", () => this.#submitEnd(ended, endedAt));
        this.#options.onDone?.();
      };
      // The recorder must receive the request before the response.
      if (this.#requestState.kind === "decoding") this.#requestState.onDone = report;
      else report();
    };
    this.#response.flush((problem) => setImmediate(finish, problem));
  }

  /** The exchange ended before the request was complete, so the request cannot be decoded. */
  #dropPartialRequest(): void {
    if (!this.#request.isDropped && this.#status !== 0)
      this.#markUnreadable("request: incomplete when the response arrived");
    this.#request.drop();
  }

  #submitEnd(ended: ExchangeEnd, endedAt: number): void {
    this.#contain("response", () => this.#response.finishEvents());
    const response = this.#decodeResponse(ended);
    const { recorder, repair } = this.#options;
    // Without a recorder, the leaks of a response that was forwarded unchanged are not needed.
    const repaired = repair?.finish(recorder === undefined || this.#status >= 300 ? undefined : response);
    const stats = { endedAt, status: this.#status, firstByteAt: this.#firstByteAt, size: this.#size };
    const isCutShort = ended === "complete" && this.#response.isCutShort(response);
    const all = {
      ...stats,
      ended: isCutShort ? "truncated" : ended,
      ...(this.isRefused && { refused: true }),
    } as const;
    recorder?.recordEnd(response, all, repaired);
  }

  #decodeResponse(ended: ExchangeEnd): DecodedResponse | undefined {
    try {
      return this.#response.decode();
    } catch {
      // An error response may have any format, so only a successful one counts as unreadable.
      if (ended === "complete" && this.#status < 300) this.#markUnreadable("response: not JSON");
      return undefined;
    }
  }

  #contain(part: "request" | "response", work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#giveUp(part, error);
    }
  }

  /** Reports only the first failure; others are its consequences. */
  #giveUp(part: "request" | "response", error: unknown): void {
    const isMalformed =
      error instanceof SyntaxError || error instanceof BodyTooLargeError || error instanceof BodyEncodingError;
    if (!isMalformed && !this.#hasFailed) this.#options.onFailure?.(error);
    this.#hasFailed ||= !isMalformed;
    this.#markUnreadable(`${part}: ${error instanceof SyntaxError ? "not JSON" : (error as Error).message}`);
  }

  #markUnreadable(reason: string): void {
    if (!this.#isUnreadable) this.#options.onUnreadable(reason);
    this.#isUnreadable = true;
    this.#response.stop();
  }
}
