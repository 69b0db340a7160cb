import type { ExchangeEnd } from "../../core/model/observation.ts";
import { EventFramer, type Frame } from "../../core/wire/event-framer.ts";
import {
  type Api,
  type DecodedRequest,
  type DecodedResponse,
  type StreamDecoder,
  WIRE,
} from "../../core/wire/index.ts";
import { BODY_LIMIT, BodyCopy, BodyTooLargeError } from "../body/body-copy.ts";
import { type BodyDecoder, createBodyDecoder, decodeBody } from "../body/body-decoder.ts";
import { type BodyText, bodyText } from "../body/body-text.ts";
import { isEventStream, looksLikeEventStream } from "../body/response-kind.ts";
import type { ResponseHead, Tap } from "../forward.ts";

/** Status, timing and size of an exchange. */
export interface ExchangeStats {
  readonly endedAt: number;
  readonly ended: ExchangeEnd;
  readonly status: number;
  readonly firstByteAt: number | undefined;
  readonly size: number;
}

/** Receives the decoded request and response of an exchange. */
export interface ExchangeListener {
  /** Strings of the request and its body must pass through `restore`; see {@link bodyText}. */
  onRequest(request: DecodedRequest, body: unknown, size: number, restore: BodyText["restore"]): void;
  /** `response` is undefined if there was none, or it could not be read. */
  onEnd(response: DecodedResponse | undefined, stats: ExchangeStats): void;
  /** The exchange, or a part of it, could not be read. Its bytes were forwarded anyway. */
  onUnreadable(reason: string): void;
}

export interface ExchangeReaderOptions {
  readonly api: Api;
  readonly requestEncoding: string | undefined;
  readonly listener: ExchangeListener;
  readonly now: () => number;
  /** Called after the listener has received everything. */
  readonly onDone?: () => void;
  /** Reports exceptions other than malformed input. */
  readonly onFailure?: (error: unknown) => void;
  /** Called once with the parsed request body. */
  readonly onBody?: (body: ReadBody) => void;
  /** Parses a body with tools before the response begins, because the response may be rewritten depending on it. */
  readonly readBeforeResponse?: boolean;
}

/**
 * Reading a request waits this long for the first byte of the response. If the response takes longer, the request is
 * read meanwhile.
 */
const READ_DELAY_MS = 20;
/** Events are parsed in batches of this size and at the end, which costs less than parsing each chunk. */
const EVENT_BATCH_BYTES = 32 << 10;

/**
 * A parsed body. Code that needs it later calls `reread` instead of keeping `body`: the text takes less memory than the
 * parsed value.
 */
export interface ReadBody {
  readonly body: unknown;
  readonly restore: BodyText["restore"];
  readonly reread: () => unknown;
}

function parseBody(chunks: readonly Buffer[]): ReadBody {
  const { text, restore } = bodyText(chunks);
  return { body: JSON.parse(text), restore, reread: () => JSON.parse(text) };
}

/** Checked because some gateways send the header of a stream for JSON bodies. */
function startsLikeStream(events: readonly Frame[]): boolean {
  const first = events[0];
  return first === undefined || looksLikeEventStream(asBuffer(first.raw)) !== false;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Decodes one exchange from copies of its bytes. Its failures never affect the client. */
export class ExchangeReader implements Tap {
  readonly #options: ExchangeReaderOptions;
  #request: BodyCopy | undefined = new BodyCopy();
  #requestEncoding: string | undefined;
  #requestSize = 0;
  #isRequestComplete = false;
  #status = 0;
  #firstByteAt: number | undefined;
  #size = 0;
  #decodedSize = 0;
  #hasTools: boolean | undefined;
  #parsed: ReadBody | undefined;
  #readTimer: NodeJS.Timeout | undefined;
  #stream: { readonly framer: EventFramer; readonly decoder: StreamDecoder } | undefined;
  #decodingRequest = false;
  #onRequestDecoded: (() => void) | undefined;
  #unread: Buffer[] = [];
  #unreadSize = 0;
  #responseBody: BodyCopy | undefined;
  #json: unknown;
  #decoder: BodyDecoder | undefined;
  #hasGivenUp = false;

  constructor(options: ExchangeReaderOptions) {
    this.#options = options;
    this.#requestEncoding = options.requestEncoding;
  }

  requestChunk(chunk: Buffer): void {
    this.#requestSize += chunk.length;
    try {
      this.#request?.add(chunk);
    } catch (error) {
      this.#request = undefined;
      this.#giveUp(`request: ${(error as Error).message}`);
    }
  }

  requestEnd(): void {
    this.#isRequestComplete = true;
    if (this.#request === undefined) return;
    // Reads the request while the upstream has not responded yet; later, reading would compete with forwarding.
    this.#readTimer = setTimeout(() => {
      if (this.#options.readBeforeResponse === true) this.#guarded("request", () => this.readBodyIfTools());
      this.#readRequestNow();
    }, READ_DELAY_MS);
  }

  /** Whether the body has tools, is not parsed yet, and can be parsed synchronously. */
  get canReadLate(): boolean {
    return this.#readTimer !== undefined && this.#requestEncoding === undefined && this.#mentionsTools();
  }

  /** Parses a body with tools now, because repair depends on it. It is recorded later. */
  readBodyIfTools(): void {
    const { onBody } = this.#options;
    if (onBody === undefined || this.#readTimer === undefined || this.#parsed !== undefined) return;
    this.#decodeRequestSync();
    if (this.#requestEncoding !== undefined || !this.#mentionsTools()) return;
    this.#guarded("request", () => {
      const chunks = this.#request?.takeChunks() ?? [];
      this.#parsed = parseBody(chunks);
      onBody(this.#parsed);
      if (this.#firstByteAt !== undefined) this.#readRequestSoon();
    });
  }

  #mentionsTools(): boolean {
    this.#hasTools ??= this.#request?.includes('"tools"') === true;
    return this.#hasTools;
  }

  /**
   * Decodes the copy of a compressed request, because repair needs to know whether it has tools. The forwarded bytes
   * stay unchanged.
   */
  #decodeRequestSync(): void {
    if (this.#requestEncoding === undefined || this.#request === undefined) return;
    const bytes = this.#request.take();
    const decoded = decodeBody(this.#requestEncoding, bytes);
    if (decoded !== undefined) this.#requestEncoding = undefined;
    this.#request.replace(decoded ?? bytes);
  }

  /**
   * Reads the request after the first byte of the response is forwarded. A parsed body is processed in a microtask,
   * before other connections get their turn: it is large, and the garbage collector would copy it.
   */
  #readRequestSoon(): void {
    if (this.#parsed === undefined) setImmediate(() => this.#readRequestNow());
    else queueMicrotask(() => this.#readRequestNow());
  }

  /** Runs once: at the first byte of the response, at its end, or after the delay, whichever is first. */
  #readRequestNow(): void {
    if (this.#readTimer === undefined) return;
    clearTimeout(this.#readTimer);
    this.#readTimer = undefined;
    this.#guarded("request", () => this.#decodeRequest());
  }

  responseHead(response: ResponseHead): void {
    this.#guarded("response", () => {
      this.#status = response.statusCode ?? 0;
      if (this.#hasGivenUp) return;
      this.#expectBody(isEventStream(response.headers["content-type"]));
      this.#decoder = createBodyDecoder(response.headers["content-encoding"], (chunk) =>
        this.#guarded("response", () => this.#readResponse(chunk)),
      );
      if (this.#decoder === undefined) this.#giveUp("response: unknown content-encoding");
    });
  }

  #expectBody(stream: boolean): void {
    this.#stream = stream
      ? { framer: new EventFramer(), decoder: WIRE[this.#options.api].createStreamDecoder() }
      : undefined;
    this.#responseBody = stream ? undefined : new BodyCopy();
  }

  responseChunk(chunk: Buffer): void {
    this.#count(chunk.length);
    this.#decoder?.write(chunk);
  }

  responseEvents(events: readonly Frame[]): void {
    const stream = this.#stream;
    if (stream === undefined || (this.#decodedSize === 0 && !startsLikeStream(events))) {
      for (const { raw } of events) this.responseChunk(asBuffer(raw));
      return;
    }
    for (const { raw } of events) this.#count(raw.length);
    this.#guarded("response", () => {
      if (this.#unreadSize > 0) this.#readEvents(stream);
      for (const event of events) {
        this.#countDecoded(event.raw.length);
        if (event.data !== undefined) stream.decoder.push(event.data, event.json);
      }
    });
  }

  responseJson(json: unknown): void {
    this.#json = json;
  }

  #count(size: number): void {
    if (this.#firstByteAt === undefined) {
      this.#firstByteAt = this.#options.now();
      this.#readRequestSoon();
    }
    this.#size += size;
  }

  #countDecoded(size: number): void {
    this.#decodedSize += size;
    if (this.#decodedSize > BODY_LIMIT) throw new BodyTooLargeError();
  }

  end(ended: ExchangeEnd): void {
    const endedAt = this.#options.now();
    const finish = (problem?: string): void => {
      this.#readRequestNow();
      if (!this.#isRequestComplete) this.#dropPartialRequest();
      if (problem !== undefined && ended === "complete") this.#giveUp(`response: ${problem}`);
      // The listener must receive the request before the response.
      const report = (): void => {
        this.#guarded("response", () => this.#finish(ended, endedAt));
        this.#options.onDone?.();
      };
      if (this.#decodingRequest) this.#onRequestDecoded = report;
      else report();
    };
    if (this.#decoder === undefined) setImmediate(finish);
    else this.#decoder.end((problem) => setImmediate(finish, problem));
  }

  /** The exchange ended before the request was complete, so the request cannot be decoded. */
  #dropPartialRequest(): void {
    if (this.#request !== undefined && this.#status !== 0)
      this.#giveUp("request: incomplete when the response arrived");
    this.#request = undefined;
  }

  #decodeRequest(): void {
    if (this.#parsed !== undefined) {
      const parsed = this.#parsed;
      this.#parsed = undefined;
      this.#reportRequest(parsed);
      return;
    }
    const chunks = this.#request?.takeChunks();
    if (chunks === undefined) return;
    const requestEncoding = this.#requestEncoding;
    if (requestEncoding === undefined) {
      this.#readRequest(chunks);
      return;
    }
    const copy = new BodyCopy();
    const decoder = createBodyDecoder(requestEncoding, (chunk) => copy.add(chunk));
    this.#decodingRequest = decoder !== undefined;
    for (const chunk of chunks) decoder?.write(chunk);
    decoder?.end((problem) => {
      this.#decodingRequest = false;
      if (problem !== undefined) this.#giveUp(`request: ${problem}`);
      else this.#guarded("request", () => this.#readRequest(copy.takeChunks()));
      this.#onRequestDecoded?.();
    });
    if (decoder === undefined) this.#giveUp("request: unknown content-encoding");
  }

  #readRequest(chunks: readonly Buffer[]): void {
    const parsed = parseBody(chunks);
    this.#options.onBody?.(parsed);
    this.#reportRequest(parsed);
  }

  #reportRequest({ body, restore }: ReadBody): void {
    const request = WIRE[this.#options.api].decodeRequest(body);
    if (request === undefined) this.#giveUp("request: not of this API");
    else this.#options.listener.onRequest(request, body, this.#requestSize, restore);
  }

  #readResponse(chunk: Buffer): void {
    if (this.#decodedSize === 0) {
      const stream = looksLikeEventStream(chunk);
      if (stream !== undefined && stream !== (this.#stream !== undefined)) this.#expectBody(stream);
    }
    this.#countDecoded(chunk.length);
    if (this.#stream === undefined) {
      this.#responseBody?.add(chunk);
      return;
    }
    this.#unread.push(chunk);
    this.#unreadSize += chunk.length;
    if (this.#unreadSize >= EVENT_BATCH_BYTES) this.#readEvents(this.#stream);
  }

  #readEvents({ framer, decoder }: { readonly framer: EventFramer; readonly decoder: StreamDecoder }): void {
    const bytes = this.#unread.length === 1 ? (this.#unread[0] as Buffer) : Buffer.concat(this.#unread);
    this.#unread = [];
    this.#unreadSize = 0;
    for (const { data } of framer.push(bytes)) if (data !== undefined) decoder.push(data);
  }

  #finish(ended: ExchangeEnd, endedAt: number): void {
    const stream = this.#stream;
    if (stream !== undefined) this.#guarded("response", () => this.#readEvents(stream));
    const response = this.#decodeResponse(ended);
    const cutShort = ended === "complete" && this.#stream !== undefined && response?.finished === false;
    this.#options.listener.onEnd(response, {
      endedAt,
      ended: cutShort ? "truncated" : ended,
      status: this.#status,
      firstByteAt: this.#firstByteAt,
      size: this.#size,
    });
  }

  #decodeResponse(ended: ExchangeEnd): DecodedResponse | undefined {
    if (this.#stream !== undefined) return this.#stream.decoder.end();
    const bytes = this.#responseBody?.take();
    if (bytes === undefined || bytes.length === 0) return undefined;
    try {
      return WIRE[this.#options.api].decodeResponse(this.#json ?? JSON.parse(bytes.toString("utf8")));
    } catch {
      // An error response may have any format, so only a successful one counts as unreadable.
      if (ended === "complete" && this.#status < 300) this.#giveUp("response: not JSON");
      return undefined;
    }
  }

  #guarded(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof BodyTooLargeError)) this.#options.onFailure?.(error);
      this.#giveUp(`${what}: ${error instanceof SyntaxError ? "not JSON" : (error as Error).message}`);
    }
  }

  #giveUp(reason: string): void {
    if (!this.#hasGivenUp) this.#options.listener.onUnreadable(reason);
    this.#hasGivenUp = true;
    // Frees the buffers and stops decoding.
    this.#decoder?.stop();
    this.#decoder = this.#stream = this.#responseBody = this.#json = undefined;
    this.#unread = [];
  }
}
