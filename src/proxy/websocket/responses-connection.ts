import type { ExchangeEnd } from "../../core/model/observation.ts";
import {
  type DecodedRequest,
  type HeaderLookup,
  readIdentity,
  type StreamDecoder,
  WIRE,
} from "../../core/wire/index.ts";
import { type Fields, isObject, parseJson, text as textOf } from "../../core/wire/json.ts";
import { type ExchangeContext, requestId } from "../exchange/create-exchange.ts";
import type { ReadBody } from "../exchange/request-reader.ts";
import { ExchangeRecorder } from "../recording/exchange-recorder.ts";
import { sessionOfRequest, ThreadFinder } from "../recording/exchange-thread.ts";
import { ExchangeRepair } from "../repair/exchange-repair.ts";

const API = "responses";
const ENDINGS = new Set<unknown>(["response.completed", "response.incomplete", "response.failed", "error"]);
/** Creates that wait for the end of the turn before. A connection has one turn at a time. */
const MAX_WAITING = 64;

/** What happens to a turn when its last event arrives. */
interface Turn {
  readonly decoder: StreamDecoder;
  readonly startedAt: number;
  size: number;
  firstByteAt: number | undefined;
  hasBegun: boolean;
  readonly end: (turn: Turn, how: ExchangeEnd, status: number) => void;
}

export interface ConnectionOptions {
  readonly context: ExchangeContext;
  /** Of the request that opened the connection, with the upstream's project. */
  readonly head: HeaderLookup;
  readonly provider: string;
  /** Whether messages of the client are known that arrived before this moment. */
  readonly isClientKnown: () => boolean;
}

/**
 * Records the turns of a WebSocket: each `response.create` is a request, and the events that follow are its response.
 */
export class ResponsesConnection {
  readonly #options: ConnectionOptions;
  #turn: Turn | undefined;
  #waiting: string[] = [];
  /** Events that were read before the message that caused them, because that one takes longer to decompress. */
  #early: string[] = [];
  #isLost = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  fromClient(message: string): void {
    if (this.#isLost) return;
    if (this.#turn === undefined) this.#begin(message);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(message);
    else this.lose(new Error("Too many concurrent requests on a WebSocket"));
  }

  fromServer(message: string): void {
    if (this.#isLost) return;
    if (this.#turn !== undefined) this.#take(this.#turn, message);
    else if (!this.#options.isClientKnown()) this.#early.push(message);
  }

  /** The connection closed. */
  close(how: ExchangeEnd): void {
    this.#turn?.end(this.#turn, how, 0);
    this.#turn = undefined;
    this.#isLost = true;
  }

  /** Messages can no longer be read. The open turn is recorded without a response. */
  lose(error: unknown): void {
    if (this.#isLost) return;
    const { recording, onFailure } = this.#options.context;
    recording.onUnreadable("response: WebSocket could not be read");
    onFailure("recording", error);
    this.close("truncated");
  }

  #begin(message: string): void {
    const early = this.#early.splice(0);
    const body = parseJson(message);
    if (!isObject(body) || body.type !== "response.create") return;
    const request = WIRE[API].decodeRequest(body);
    if (request === undefined) {
      this.#options.context.recording.onUnreadable("request: not of this API");
      return;
    }
    // A turn that generates nothing only prepares the provider for the next one.
    const read: ReadBody = { body, restore: (value) => value, reread: () => parseJson(message) };
    const head = this.#headFor(body);
    const end =
      body.generate === false ? this.#prewarm(request, body, head) : this.#record(request, read, head, message);
    const startedAt = this.#options.context.recording.now();
    const decoder = WIRE[API].createStreamDecoder();
    this.#turn = { decoder, startedAt, size: 0, firstByteAt: undefined, hasBegun: false, end };
    for (const event of early) this.fromServer(event);
  }

  #take(turn: Turn, message: string): void {
    const event = parseJson(message);
    if (!isObject(event)) return;
    // The turn before ended without a last event.
    if (event.type === "response.created" && turn.hasBegun && this.#waiting.length > 0) {
      this.#finish(turn, "truncated", 0);
      this.fromServer(message);
      return;
    }
    turn.hasBegun ||= event.type === "response.created";
    turn.firstByteAt ??= this.#options.context.recording.now();
    turn.size += Buffer.byteLength(message);
    turn.decoder.push(message, event);
    if (!ENDINGS.has(event.type)) return;
    const status = event.type === "error" && typeof event.status === "number" ? event.status : OK;
    this.#finish(turn, "complete", status);
  }

  #finish(turn: Turn, how: ExchangeEnd, status: number): void {
    this.#turn = undefined;
    turn.end(turn, how, status);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#begin(next);
      if (this.#turn !== undefined) return;
    }
  }

  #record(request: DecodedRequest, read: ReadBody, head: HeaderLookup, message: string): Turn["end"] {
    const { context, provider } = this.#options;
    const { recording } = context;
    const { now, observer, responses } = recording;
    const repair = new ExchangeRepair(
      {
        ...{ api: API, upstream: provider, isAnthropic: false, isWebSocket: true },
        session: (body, restore) =>
          sessionOfRequest(body, restore, { api: API, head, provider, responses, hash: observer.hash, now }),
      },
      context.repair,
    );
    if (repair.canObserve) repair.prepare(read);
    const recorder = new ExchangeRecorder(recording, { api: API, provider, request_id: requestId(now()), head });
    const done = context.exchanges.begin();
    recorder.recordRequest(request, read, Buffer.byteLength(message));
    return ({ decoder, size, firstByteAt }, ended, status) => {
      try {
        const response = decoder.end();
        const stats = { endedAt: now(), ended, status: status === 0 && firstByteAt !== undefined ? OK : status };
        recorder.recordEnd(response, { ...stats, firstByteAt, size }, repair.finish(response));
      } finally {
        done();
      }
    };
  }

  /** The next turn continues this response, so its thread must be known. */
  #prewarm(request: DecodedRequest, body: Fields, head: HeaderLookup): Turn["end"] {
    const { provider, context } = this.#options;
    const { now, observer, responses } = context.recording;
    const finder = new ThreadFinder(
      { api: API, head, provider, responses, hash: observer.hash, now },
      request,
      readIdentity(head, body),
    );
    return ({ decoder }) => {
      const response = decoder.end();
      const thread = finder.atRequest() ?? finder.atEnd(response);
      if (thread !== undefined) finder.remember(thread, response, () => new Map(), { count: 0 }, now());
    };
  }

  /** Clients repeat some headers in every message, because a connection may outlive what the first request said. */
  #headFor({ client_metadata: metadata }: Fields): HeaderLookup {
    const { head } = this.#options;
    if (!isObject(metadata)) return head;
    return (name) =>
      (REPEATED.has(name) ? (textOf(metadata[name.replaceAll("-", "_")]) ?? textOf(metadata[name])) : undefined) ??
      head(name);
  }
}

const OK = 200;
const REPEATED = new Set(["session-id", "thread-id", "x-codex-turn-metadata"]);
