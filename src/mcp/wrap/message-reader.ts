import { type CallTracker, type Moment, toLatin1 } from "./call-tracker.ts";
import { idKey, type Message, parseMessages, type RequestId } from "./json-rpc.ts";
import { LineTap, type TappedLine } from "./line-tap.ts";

const CALL = Buffer.from('"tools/call"');
/** Other messages of the client that are parsed. PHP escapes the slash. */
const CLIENT_MARKERS = ['"initialize"', '"notifications/cancelled"', '"tools\\/call"', '"tasks/'].map((one) =>
  Buffer.from(one),
);
/** Such a call continues another one. */
const PARSED_CALL = /"requestState"/;
/** Such a response does not settle its call. */
const PARSED_RESPONSE = /"input_required"|"taskId"/;
/** Longer messages are truncated before they are recorded. */
const MAX_RAW_BYTES = 64 << 10;
/** Larger arguments are recorded without their values. */
const MAX_REQUEST_BYTES = 256 << 10;
const ID_WINDOW = 300;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * Reads copies of both streams of a server and passes the messages that matter to the tracker. Ordinary calls and
 * responses are matched by their ids and not parsed, which would take more time than passing them.
 */
export class MessageReader {
  readonly #tracker: CallTracker;
  readonly #now: () => Moment;
  readonly fromClient: LineTap = new LineTap((line) => this.#clientLine(line));
  readonly fromServer: LineTap = new LineTap((line) => this.#serverLine(line));

  constructor(tracker: CallTracker, now: () => Moment) {
    this.#tracker = tracker;
    this.#now = now;
  }

  #clientLine(line: TappedLine): void {
    if (line.kind === "long") return;
    const { bytes } = line;
    const isCall = bytes.includes(CALL);
    if (!isCall && !CLIENT_MARKERS.some((marker) => bytes.includes(marker))) return;
    const now = this.#now();
    if (isCall && bytes.length <= MAX_RAW_BYTES) {
      const text = messageText(bytes);
      const id = isCallMessage(text) ? idIn(text) : undefined;
      if (id !== undefined && !PARSED_CALL.test(text)) {
        this.#tracker.open(idKey(id), text, now);
        return;
      }
    }
    for (const message of parseMessages(bytes.toString("utf8")))
      this.#tracker.fromClient(message, toLatin1(requestText(message, bytes.length)), now);
  }

  #serverLine(line: TappedLine): void {
    if (line.kind === "long") {
      const id = idIn(line.head.toString("latin1"), line.tail);
      const head = line.head.toString("utf8");
      if (id !== undefined) this.#tracker.settleLong(idKey(id), line.isError, head, line.size, this.#now());
      return;
    }
    const { bytes } = line;
    const first = firstByte(bytes);
    if (first === undefined) return;
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      this.#tracker.addNoise();
      return;
    }
    if (!this.#tracker.isWaiting) return;
    const now = this.#now();
    if (first === OPEN_BRACE && bytes.length <= MAX_RAW_BYTES) {
      const text = messageText(bytes);
      const id = idIn(text);
      if (id !== undefined && this.#tracker.isOpenCall(idKey(id)) && isResponse(text) && !PARSED_RESPONSE.test(text)) {
        this.#tracker.settle(idKey(id), text, now);
        return;
      }
    }
    for (const message of parseMessages(bytes.toString("utf8"))) this.#tracker.fromServer(message, now);
  }
}

/** As latin1, without a carriage return at the end. */
function messageText(bytes: Buffer): string {
  return bytes.toString("latin1", 0, bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length);
}

function requestText(message: Message, bytes: number): string {
  if (message.kind !== "request") return "{}";
  const { method, params } = message;
  const { arguments: args, ...rest } = params;
  return JSON.stringify({ method, params: bytes > MAX_REQUEST_BYTES ? rest : { ...rest, arguments: args } });
}

/** The first byte that is not white space. */
function firstByte(bytes: Buffer): number | undefined {
  for (const byte of bytes) if (byte > 0x20) return byte;
  return undefined;
}

const FIRST_ID = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*,/;
const LAST_ID = /[,{]\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0")?\s*\}\s*$/;
/** The whole end of a message, so that an id inside of a value is not taken for the id of the message. */
const BEHIND_PARAMS =
  /\}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?,\s*"id"\s*:\s*(?:\d{1,15}|"[^"\\]{1,200}")(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0")?\s*\}\s*$/;

/** The id of a message without parsing it: SDKs write it first or last. */
function idIn(head: string, tail: string = head.slice(-ID_WINDOW)): RequestId | undefined {
  const first = FIRST_ID.exec(head.slice(0, ID_WINDOW))?.[1];
  const text = first ?? (BEHIND_PARAMS.test(tail) ? LAST_ID.exec(tail)?.[1] : undefined);
  return text === undefined ? undefined : (JSON.parse(text) as RequestId);
}

const CALL_FIRST = /^\s*\{\s*"method"\s*:\s*"tools\/call"|^\s*\{[^{}[\]]{0,260}"method"\s*:\s*"tools\/call"/;
const RESPONSE_FIRST = /^\s*\{\s*"(?:result|error)"|^\s*\{[^{}[\]]{0,260}"(?:result|error)"\s*:/;

/** Whether the method stands before all nested values, so that it is the message's own. */
function isCallMessage(text: string): boolean {
  return CALL_FIRST.test(text.slice(0, ID_WINDOW));
}

function isResponse(text: string): boolean {
  return RESPONSE_FIRST.test(text.slice(0, ID_WINDOW));
}
