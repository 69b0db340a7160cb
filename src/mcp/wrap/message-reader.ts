import type { CallTracker, Moment } from "./call-tracker.ts";
import { parseMessages, type RequestId } from "./json-rpc.ts";
import { LineTap, type TappedLine } from "./line-tap.ts";

/** Client messages with one of these are parsed. PHP escapes the slash. */
const CLIENT_MARKERS = ['"tools/call"', '"tools\\/call"', '"initialize"', '"notifications/cancelled"', '"tasks/'];
const SERVER_MARKERS = ['"result"', '"error"'];
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Reads copies of both streams of a server and passes the messages that matter to the tracker. */
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
    if (line.kind === "long" || !CLIENT_MARKERS.some((marker) => line.bytes.includes(marker))) return;
    const now = this.#now();
    for (const message of parseMessages(line.bytes.toString("utf8"))) this.#tracker.fromClient(message, now);
  }

  #serverLine(line: TappedLine): void {
    if (line.kind === "long") {
      const head = line.head.toString("utf8");
      const id = responseId(head, line.tail);
      if (id !== undefined) this.#tracker.fromServerUnparsed(id, head, line.isError, line.size, this.#now());
      return;
    }
    const { bytes } = line;
    const first = firstByte(bytes);
    if (first === undefined) return;
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
      this.#tracker.addNoise();
      return;
    }
    if (!this.#tracker.isWaiting || !SERVER_MARKERS.some((marker) => bytes.includes(marker))) return;
    const now = this.#now();
    for (const message of parseMessages(bytes.toString("utf8"))) this.#tracker.fromServer(message, now);
  }
}

/** The first byte that is not white space. */
function firstByte(bytes: Buffer): number | undefined {
  for (const byte of bytes) if (byte > 0x20) return byte;
  return undefined;
}

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")`;
const FIRST_ID = new RegExp(String.raw`^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*${ID}`);
const LAST_ID = new RegExp(String.raw`${ID}(?:\s*,\s*"jsonrpc"\s*:\s*"2\.0")?\s*\}\s*$`);

/** The id of a long response: SDKs write it before or behind the result. */
function responseId(head: string, tail: string): RequestId | undefined {
  const text = FIRST_ID.exec(head)?.[1] ?? LAST_ID.exec(tail)?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as RequestId);
}
