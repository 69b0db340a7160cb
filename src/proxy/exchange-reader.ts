import type { IncomingMessage } from "node:http";
import type { ExchangeEnd } from "../core/model/observation.ts";
import { type Api, type DecodedRequest, type DecodedResponse, type StreamDecoder, WIRE } from "../core/wire/index.ts";
import { BodyCopy } from "./body-copy.ts";
import { type BodyDecoder, createBodyDecoder } from "./body-decoder.ts";
import { EventFramer } from "./event-framer.ts";
import type { Tap } from "./forward.ts";

/** How an exchange went, apart from what it said. */
export interface ExchangeFigures {
  readonly endedAt: number;
  readonly ended: ExchangeEnd;
  readonly status: number;
  readonly firstByteAt: number | undefined;
  readonly size: number;
}

/** Who wants to know what an exchange said. */
export interface ExchangeListener {
  onRequest(request: DecodedRequest, body: unknown, size: number): void;
  /** `answer` is absent when there was none, or none that could be read. */
  onEnd(answer: DecodedResponse | undefined, figures: ExchangeFigures): void;
  /** The exchange, or a part of it, could not be read; its bytes went through all the same. */
  onUnreadable(reason: string): void;
}

export interface ExchangeReaderOptions {
  readonly api: Api;
  readonly requestEncoding: string | undefined;
  readonly listener: ExchangeListener;
  readonly now: () => number;
}

/** Decodes one exchange from copies of its bytes. Whatever goes wrong here is ours alone and never reaches the client. */
export class ExchangeReader implements Tap {
  readonly #options: ExchangeReaderOptions;
  readonly #request = new BodyCopy();
  #requestSize = 0;
  #status = 0;
  #firstByteAt: number | undefined;
  #size = 0;
  #stream: { readonly framer: EventFramer; readonly decoder: StreamDecoder } | undefined;
  #answer: BodyCopy | undefined;
  #decoder: BodyDecoder | undefined;
  #unreadable = false;

  constructor(options: ExchangeReaderOptions) {
    this.#options = options;
  }

  requestChunk(chunk: Buffer): void {
    this.#requestSize += chunk.length;
    this.#request.add(chunk);
  }

  requestEnd(): void {
    // The last byte is on its way: read the copy while the upstream thinks.
    setImmediate(() => this.#guarded("request", () => this.#decodeRequest()));
  }

  responseHead(response: IncomingMessage): void {
    this.#guarded("response", () => {
      this.#status = response.statusCode ?? 0;
      if (/^text\/event-stream\b/i.test(response.headers["content-type"] ?? "")) {
        this.#stream = { framer: new EventFramer(), decoder: WIRE[this.#options.api].createStreamDecoder() };
      } else {
        this.#answer = new BodyCopy();
      }
      this.#decoder = createBodyDecoder(response.headers["content-encoding"], (chunk) => this.#readAnswer(chunk));
      if (this.#decoder === undefined) this.#giveUp("response: unknown content-encoding");
    });
  }

  responseChunk(chunk: Buffer): void {
    this.#firstByteAt ??= this.#options.now();
    this.#size += chunk.length;
    if (!this.#unreadable) this.#guarded("response", () => this.#decoder?.write(chunk));
  }

  end(ended: ExchangeEnd): void {
    const endedAt = this.#options.now();
    const finish = (problem?: string): void => {
      if (problem !== undefined && ended === "complete") this.#giveUp(`response: ${problem}`);
      this.#guarded("response", () => this.#finish(ended, endedAt));
    };
    // The request may still wait for its turn to be read: an answer is told after it.
    if (this.#decoder === undefined) setImmediate(finish);
    else this.#decoder.end((problem) => setImmediate(finish, problem));
  }

  #decodeRequest(): void {
    const bytes = this.#request.take();
    if (bytes === undefined) {
      this.#giveUp("request: too large");
      return;
    }
    const { requestEncoding } = this.#options;
    if (requestEncoding === undefined) {
      this.#readRequest(bytes);
      return;
    }
    const copy = new BodyCopy();
    const decoder = createBodyDecoder(requestEncoding, (chunk) => copy.add(chunk));
    decoder?.write(bytes);
    decoder?.end((problem) => {
      const decoded = copy.take();
      if (problem !== undefined || decoded === undefined) this.#giveUp(`request: ${problem ?? "too large"}`);
      else this.#guarded("request", () => this.#readRequest(decoded));
    });
    if (decoder === undefined) this.#giveUp("request: unknown content-encoding");
  }

  #readRequest(bytes: Buffer): void {
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    const request = WIRE[this.#options.api].decodeRequest(body);
    if (request === undefined) this.#giveUp("request: not of this API");
    else this.#options.listener.onRequest(request, body, this.#requestSize);
  }

  #readAnswer(chunk: Buffer): void {
    if (this.#stream === undefined) {
      this.#answer?.add(chunk);
      return;
    }
    const { framer, decoder } = this.#stream;
    for (const { data } of framer.push(chunk)) if (data !== undefined) decoder.push(data);
  }

  #finish(ended: ExchangeEnd, endedAt: number): void {
    const answer = this.#unreadable ? undefined : this.#decodedAnswer();
    const cutShort = ended === "complete" && this.#stream !== undefined && answer?.finished === false;
    this.#options.listener.onEnd(answer, {
      endedAt,
      ended: cutShort ? "truncated" : ended,
      status: this.#status,
      firstByteAt: this.#firstByteAt,
      size: this.#size,
    });
  }

  #decodedAnswer(): DecodedResponse | undefined {
    if (this.#stream !== undefined) return this.#stream.decoder.end();
    const bytes = this.#answer?.take();
    if (bytes === undefined || bytes.length === 0) return undefined;
    try {
      return WIRE[this.#options.api].decodeResponse(JSON.parse(bytes.toString("utf8")));
    } catch {
      return undefined;
    }
  }

  #guarded(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#giveUp(`${what}: ${error instanceof SyntaxError ? "not JSON" : (error as Error).message}`);
    }
  }

  #giveUp(reason: string): void {
    if (!this.#unreadable) this.#options.listener.onUnreadable(reason);
    this.#unreadable = true;
  }
}
