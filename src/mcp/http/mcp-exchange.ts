import type { ExchangeEnd } from "../../core/model/observation.ts";
import { type BodyDecoder, createBodyDecoder } from "../../proxy/body/body-decoder.ts";
import type { RewriteBody } from "../../proxy/body/buffer-request.ts";
import type { ForwardedExchange, ResponseHead } from "../../proxy/forward/forwarded-exchange.ts";
import type { McpHeader, McpOutcome } from "../event.ts";
import { type RepairableTool, repairCallBytes } from "../repair-message.ts";
import { CallTracker, fromLatin1, type Moment, toLatin1 } from "../wrap/call-tracker.ts";
import { idKey, isRequestId, type Message, parseMessages, type RequestId } from "../wrap/json-rpc.ts";
import { LineTap } from "../wrap/line-tap.ts";
import { requestText } from "../wrap/message-reader.ts";
import { type Cancellation, cancelCall, type McpConnection, type OpenExchange } from "./mcp-connections.ts";

export interface McpExchangeOptions {
  /** The name of the upstream. */
  readonly server: string;
  /** Unique id of this exchange. */
  readonly instance: string;
  /** The connection of the request. */
  readonly connection: McpConnection;
  /** Finds the connection of a session that begins with this exchange. */
  readonly connectionOf: (sessionId: string) => McpConnection;
  /** The client, if the connection does not contain it. */
  readonly fallback: McpConnection["known"];
  readonly now: () => Moment;
  /** Receives the lines of this exchange, in the format of the spool. */
  readonly record: (text: string) => void;
  /** Finds the tools whose calls are repaired. Absent if no call may change. */
  readonly repairableTool?: ((name: string) => RepairableTool | undefined) | undefined;
}

/** Larger bodies are forwarded but not read. */
const MAX_BODY_BYTES = 4 << 20;

/**
 * Reads one exchange with an MCP server over HTTP. The response to a call is in the same exchange, as JSON or as a
 * server-sent event; servers that send it on another stream are not read.
 */
export class McpExchange implements ForwardedExchange, OpenExchange {
  readonly #options: McpExchangeOptions;
  readonly #tracker: CallTracker;
  readonly #lines: string[] = [];
  readonly rewrite: RewriteBody | undefined;
  #request: Buffer[] = [];
  /** The request as the client sent it, if it was repaired. */
  #original: string | undefined;
  #response: Buffer[] = [];
  #size = 0;
  #status = 0;
  #isInitialize = false;
  #isFinished = false;
  #cancellations: Cancellation[] = [];
  #connection: McpConnection;
  #decoder: BodyDecoder | undefined;
  #events: LineTap | undefined;
  #data: string[] = [];

  constructor(options: McpExchangeOptions) {
    this.#options = options;
    const { server, instance, connection, fallback, repairableTool } = options;
    const known = { ...fallback, ...connection.known };
    this.#connection = connection;
    this.rewrite = repairableTool === undefined ? undefined : (body) => this.#repair(body, repairableTool);
    this.#tracker = new CallTracker({ server, instance, known, emit: (line) => this.#lines.push(line) });
  }

  requestChunk(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_BODY_BYTES) this.#request.push(chunk);
    else this.#request = [];
  }

  requestEnd(): void {
    const body = this.#original ?? Buffer.concat(this.#request).toString("utf8");
    const isRepaired = this.#original !== undefined;
    this.#original = undefined;
    this.#request = [];
    this.#size = 0;
    if (body === "") return;
    const now = this.#options.now();
    for (const message of parseMessages(body)) {
      if (message.kind === "request" && message.method === "initialize") this.#isInitialize = true;
      this.#tracker.fromClient(message, toLatin1(requestText(message, body.length)), now, isRepaired);
      this.#passCancellation(message, now);
    }
    if (this.#tracker.isWaiting && !this.#isFinished) this.#connection.open.add(this);
  }

  hasOpenCall(id: RequestId): boolean {
    return this.#tracker.isOpenCall(idKey(id));
  }

  cancel({ message, now }: Cancellation): void {
    this.#tracker.fromClient(message, "", now);
    // Clients leave the request of a cancelled call open.
    this.#record();
  }

  cancelAtEnd(cancellation: Cancellation): void {
    this.#cancellations.push(cancellation);
  }

  #passCancellation(message: Message, now: Moment): void {
    if (message.kind !== "notification" || message.method !== "notifications/cancelled") return;
    const { requestId } = message.params;
    if (isRequestId(requestId)) cancelCall(this.#connection, { id: requestId, message, now });
  }

  #repair(body: Buffer, toolOf: (name: string) => RepairableTool | undefined): Buffer | undefined {
    const repaired = repairCallBytes(body, toolOf);
    if (repaired !== undefined) this.#original = body.toString("utf8");
    return repaired;
  }

  responseHead({ statusCode = 0, headers }: ResponseHead): void {
    this.#status = statusCode;
    // Node's headers have more than the type names.
    const sessionId = (headers as Readonly<Record<string, unknown>>)["mcp-session-id"];
    if (typeof sessionId === "string" && statusCode < 400) this.#connection = this.#options.connectionOf(sessionId);
    // Before the client knows the session id and can use it in another exchange.
    if (statusCode < 400) this.#shareNames();
    if (!this.#tracker.isWaiting) return;
    const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
    if (isStream) this.#events = new LineTap((line) => this.#eventLine(line.kind === "line" ? line.text : ""));
    this.#decoder = createBodyDecoder(headers["content-encoding"], (chunk) => this.#read(chunk));
  }

  responseChunk(chunk: Buffer): void {
    this.#decoder?.write(chunk);
  }

  responseEvents(): void {}

  responseJson(): void {}

  end(ended: ExchangeEnd): void {
    if (this.#decoder === undefined) this.#finish(ended);
    else this.#decoder.end(() => this.#finish(ended));
  }

  #read(chunk: Buffer): void {
    if (this.#events !== undefined) {
      this.#events.push(chunk);
      return;
    }
    this.#size += chunk.length;
    if (this.#size <= MAX_BODY_BYTES) this.#response.push(chunk);
    else this.#response = [];
  }

  /** The data of an event may have several lines; an empty line ends it. */
  #eventLine(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text.startsWith("data:")) this.#data.push(text.slice("data:".length));
    else if (text === "") {
      const data = this.#data.join("\n");
      this.#data = [];
      if (data.trim() !== "") this.#answer(fromLatin1(data));
    }
  }

  #answer(text: string): void {
    const now = this.#options.now();
    for (const message of parseMessages(text)) this.#tracker.fromServer(message, now);
  }

  #finish(ended: ExchangeEnd): void {
    this.#isFinished = true;
    this.#options.connection.open.delete(this);
    this.#connection.open.delete(this);
    if (this.#events !== undefined) {
      this.#events.end();
      this.#eventLine("");
    } else if (this.#response.length > 0) this.#answer(Buffer.concat(this.#response).toString("utf8"));
    this.#response = [];
    for (const { message, now } of this.#cancellations) this.#tracker.fromClient(message, "", now);
    const outcome = this.#outcomeWithoutResponse(ended);
    if (outcome !== undefined) this.#tracker.settleAll(outcome, this.#options.now());
    if (this.#status < 400) this.#shareNames();
    this.#record();
  }

  /** Only `initialize` contains names, so the other exchanges of the connection need them from it. */
  #shareNames(): void {
    if (!this.#isInitialize) return;
    const { client, server_info } = this.#tracker.header;
    this.#connection.known = {
      ...(client !== undefined && { client }),
      ...(server_info !== undefined && { server_info }),
    };
  }

  #record(): void {
    if (this.#lines.length === 0) return;
    const { id } = this.#connection;
    const header: McpHeader = {
      ...this.#connection.known,
      ...this.#tracker.header,
      ...(id !== undefined && { connection: id }),
    };
    const lines = this.#lines.splice(0).map(fromLatin1);
    this.#options.record(`${JSON.stringify(header)}\n${lines.join("\n")}\n`);
  }

  /** Undefined if the response may follow in another exchange, or if the client will repeat the request. */
  #outcomeWithoutResponse(ended: ExchangeEnd): McpOutcome | undefined {
    if (ended === "client_gone") return { kind: "cancelled", reason: "the client closed the request" };
    if (ended !== "complete") return { kind: "error", code: 0, message: "The connection to the MCP server failed." };
    if (this.#status < 500) return undefined;
    return { kind: "error", code: this.#status, message: `The MCP server returned HTTP status ${this.#status}.` };
  }
}
