import type { Frame } from "../../core/wire/event-framer.ts";
import { FRAMINGS, type Framing, framingOf, type StreamFramer } from "../../core/wire/framing.ts";
import { type Api, type DecodedResponse, type StreamDecoder, WIRE } from "../../core/wire/index.ts";
import { BODY_LIMIT, BodyCopy, BodyTooLargeError } from "../body/body-copy.ts";
import { type BodyDecoder, BodyEncodingError, createBodyDecoder } from "../body/body-decoder.ts";
import { withoutByteOrderMark } from "../body/body-text.ts";
import { looksLikeEventStream } from "../body/response-kind.ts";
import type { ResponseHead } from "../forward/forwarded-exchange.ts";

/** Events are parsed in batches of this size and at the end, which costs less than parsing each chunk. */
const EVENT_BATCH_BYTES = 32 << 10;

interface EventReader {
  readonly framer: StreamFramer;
  readonly decoder: StreamDecoder;
}

/** Decodes a response from copies of its bytes. Throws on malformed and on too large ones. */
export class ResponseReader {
  readonly #api: Api;
  readonly #fail: (error: unknown) => void;
  #kind: Framing | "body" = "body";
  #decoder: BodyDecoder | undefined;
  #decodedSize = 0;
  #events: EventReader | undefined;
  #unread: Buffer[] = [];
  #unreadSize = 0;
  #body: BodyCopy | undefined;
  #json: unknown;

  /** `fail` receives what is thrown while a compressed response is decoded. */
  constructor(api: Api, fail: (error: unknown) => void) {
    this.#api = api;
    this.#fail = fail;
  }

  begin({ headers }: ResponseHead): void {
    this.#expect(framingOf(this.#api, headers["content-type"]) ?? "body");
    this.#decoder = createBodyDecoder(headers["content-encoding"], (chunk) => {
      try {
        this.#read(chunk);
      } catch (error) {
        this.#fail(error);
      }
    });
    if (this.#decoder === undefined) throw new BodyEncodingError("unknown content-encoding");
  }

  #expect(kind: Framing | "body"): void {
    this.#kind = kind;
    const framer = kind === "body" ? undefined : FRAMINGS[kind].create();
    this.#events = framer && { framer, decoder: WIRE[this.#api].createStreamDecoder() };
    this.#body = framer === undefined ? new BodyCopy() : undefined;
  }

  add(chunk: Buffer): void {
    this.#decoder?.write(chunk);
  }

  /** Takes events that are already framed and possibly parsed. */
  addEvents(frames: readonly Frame[]): void {
    const events = this.#events;
    if (events === undefined || (this.#kind === "events" && this.#decodedSize === 0 && !startsLikeStream(frames))) {
      for (const { raw } of frames) this.add(asBuffer(raw));
      return;
    }
    if (this.#unreadSize > 0) this.#readEvents(events);
    for (const { raw, data, json } of frames) {
      this.#count(raw.length);
      if (data !== undefined) events.decoder.push(data, json);
    }
  }

  /** Takes the parsed body, so that it need not be parsed again. */
  addJson(json: unknown): void {
    this.#json = json;
  }

  /** Calls back when all bytes are decoded, or with the problem that prevented it. */
  flush(done: (problem?: string) => void): void {
    if (this.#decoder === undefined) done();
    else this.#decoder.end(done);
  }

  /** Frees the buffers and stops decoding. */
  stop(): void {
    this.#decoder?.stop();
    this.#decoder = this.#events = this.#body = this.#json = undefined;
    this.#unread = [];
  }

  /** Reads the events that {@link flush} left. */
  finishEvents(): void {
    if (this.#events !== undefined) this.#readEvents(this.#events);
  }

  /** Whether the response is a stream without its final event. */
  isCutShort(response: DecodedResponse | undefined): boolean {
    return this.#events !== undefined && response?.finished === false;
  }

  /** Returns undefined if there was no body. Throws if it is not JSON. */
  decode(): DecodedResponse | undefined {
    if (this.#events !== undefined) return this.#events.decoder.end();
    const bytes = this.#body?.take();
    if (bytes === undefined || bytes.length === 0) return undefined;
    return WIRE[this.#api].decodeResponse(this.#json ?? JSON.parse(withoutByteOrderMark(bytes).toString("utf8")));
  }

  #read(chunk: Buffer): void {
    // Lines begin like a body, and binary messages like nothing else.
    if (this.#decodedSize === 0 && this.#kind !== "lines" && this.#kind !== "amazon") {
      const isStream = looksLikeEventStream(chunk);
      if (isStream !== undefined && isStream !== (this.#events !== undefined))
        this.#expect(isStream ? "events" : "body");
    }
    this.#count(chunk.length);
    if (this.#events === undefined) {
      this.#body?.add(chunk);
      return;
    }
    this.#unread.push(chunk);
    this.#unreadSize += chunk.length;
    if (this.#unreadSize >= EVENT_BATCH_BYTES) this.#readEvents(this.#events);
  }

  #readEvents({ framer, decoder }: EventReader): void {
    const bytes = this.#unread.length === 1 ? (this.#unread[0] as Buffer) : Buffer.concat(this.#unread);
    this.#unread = [];
    this.#unreadSize = 0;
    for (const { data } of framer.push(bytes)) if (data !== undefined) decoder.push(data);
  }

  #count(size: number): void {
    this.#decodedSize += size;
    if (this.#decodedSize > BODY_LIMIT) throw new BodyTooLargeError();
  }
}

/** Checked because some gateways send the header of a stream for JSON bodies. */
function startsLikeStream(frames: readonly Frame[]): boolean {
  const first = frames[0];
  return first === undefined || looksLikeEventStream(asBuffer(first.raw)) !== false;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
