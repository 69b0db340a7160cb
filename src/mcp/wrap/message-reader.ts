import { type CallTracker, fromLatin1, type Moment, toLatin1 } from "./call-tracker.ts";
import { type Message, parseMessages } from "./json-rpc.ts";
import { LineTap, type TappedLine } from "./line-tap.ts";

const CALL = '"tools/call"';
/** Other messages of the client that are parsed. PHP escapes the slash. */
const CLIENT_MARKERS = [
  ...['"initialize"', '"notifications/cancelled"', '"tools\\/call"', '"tasks/'],
  ...['"tools/list"', '"tools\\/list"'],
];
/** Longer messages are truncated before they are recorded. */
const MAX_RAW_CHARS = 64 << 10;
/** Larger arguments are recorded without their values. */
const MAX_REQUEST_CHARS = 256 << 10;
/** Ids and methods are searched in this many characters at both ends. */
const WINDOW = 300;

/**
 * Reads copies of both streams of a server and passes the messages that matter to the tracker. Ordinary calls and
 * responses are matched by their ids and not parsed, which would take more time than passing them.
 */
export class MessageReader {
  readonly #tracker: CallTracker;
  readonly #now: () => Moment;
  readonly fromClient: LineTap = new LineTap((line) => this.readClientLine(line));
  readonly fromServer: LineTap = new LineTap((line) => this.#serverLine(line));

  constructor(tracker: CallTracker, now: () => Moment) {
    this.#tracker = tracker;
    this.#now = now;
  }

  readClientLine(line: TappedLine, isRepaired = false): void {
    if (line.kind === "long") return;
    const { text } = line;
    const isCall = text.includes(CALL);
    if (!isCall && !CLIENT_MARKERS.some((marker) => text.includes(marker))) return;
    const now = this.#now();
    // A request with `requestState` continues an earlier call.
    if (isCall && text.length <= MAX_RAW_CHARS && CALL_START.test(text) && !text.includes('"requestState"')) {
      const key = keyIn(text, text);
      if (key !== undefined) {
        this.#tracker.open(key, text, now, isRepaired);
        return;
      }
    }
    for (const message of parseMessages(fromLatin1(text)))
      this.#tracker.fromClient(message, toLatin1(requestText(message, text.length)), now, isRepaired);
  }

  #serverLine(line: TappedLine): void {
    if (line.kind === "long") {
      const key = keyIn(line.head, line.tail);
      if (key !== undefined) this.#tracker.settleLong(key, line.isError, fromLatin1(line.head), line.size, this.#now());
      return;
    }
    const { text } = line;
    if (!text.startsWith("{")) {
      const trimmed = text.trimStart();
      if (trimmed === "") return;
      if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) {
        this.#tracker.addNoise();
        return;
      }
    }
    if (!this.#tracker.isWaiting) return;
    const now = this.#now();
    if (text.length <= MAX_RAW_CHARS && RESPONSE_START.test(text) && !needsParsing(text)) {
      const key = keyIn(text, text);
      if (key !== undefined && this.#tracker.isOpenCall(key)) {
        this.#tracker.settle(key, text, now);
        return;
      }
    }
    for (const message of parseMessages(fromLatin1(text))) this.#tracker.fromServer(message, now);
  }
}

/** Such a response may not settle its call. */
function needsParsing(response: string): boolean {
  return response.includes('"input_required"') || response.includes('"taskId"');
}

/** A request as it is recorded. */
export function requestText(message: Message, chars: number): string {
  if (message.kind !== "request") return "{}";
  const { method, params } = message;
  const { arguments: args, ...rest } = params;
  return JSON.stringify({ method, params: chars > MAX_REQUEST_CHARS ? rest : { ...rest, arguments: args } });
}

// These expressions match before or after all nested values, so a match belongs to the message itself.
const CALL_START = /^\s{0,9}\{[^{}[\]]{0,260}"method"\s{0,9}:\s{0,9}"tools\/call"/;
const RESPONSE_START = /^\s{0,9}\{[^{}[\]]{0,260}"(?:result|error)"\s{0,9}:/;
const VERSION = String.raw`\s{0,9}"jsonrpc"\s{0,9}:\s{0,9}"2\.0"\s{0,9}`;
const ID = String.raw`\s{0,9}"id"\s{0,9}:\s{0,9}(\d{1,15}|"[^"\\]{1,200}")\s{0,9}`;
const ID_FIRST = new RegExp(String.raw`^\s{0,9}\{(?:${VERSION},)?${ID},`);
const ID_LAST = new RegExp(String.raw`\}\s{0,9}(?:,${VERSION})?,${ID}(?:,${VERSION})?\}\s{0,9}$`);

/** The id of a message, as it is written: SDKs write it first or last. Undefined if the message must be parsed. */
function keyIn(head: string, tail: string): string | undefined {
  return ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail.slice(-WINDOW))?.[1];
}
