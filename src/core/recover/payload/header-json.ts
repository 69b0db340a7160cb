import { skipWhitespace } from "../json/read-string.ts";
import { lexToken } from "../lex/token.ts";
import { readJsonArguments } from "./json-arguments.ts";
import { skipFence } from "./json-calls.ts";
import { type Envelope, MORE, no, type Payload, type Read, type Source } from "./payload.ts";

/** A head is short; longer than this it is something else. */
const MAX_HEAD = 400;
/** Words in a head that are never the name. */
const ROLES: ReadonlySet<string> = new Set([
  "function",
  "json",
  "assistant",
  "commentary",
  "analysis",
  "tool",
  "code",
  "plugin",
  "tool_calls",
]);
const RECIPIENT = /\bto=([^\s<{"]+)/;

/** Recipients that are no tools. */
const ADDRESSEES: ReadonlySet<string> = new Set(["assistant", "user", "self", "all", "final", "system"]);

/** What Kimi's id looks like. */
const INDEXED = /^functions\.([^\s:<>{}"'`()]{1,128}):(\d{1,6})\s{0,4}/;

/** `functions.f:0{…}`, with nothing around it. */
export const indexedJson: Payload = {
  starts: (source, at) => {
    const head = source.text.slice(at, at + 160);
    const found = INDEXED.exec(head);
    if (found !== null && found[0].length < head.length) return head[found[0].length] === "{";
    if (source.final || head.length === 160) return false;
    return /^functions\.[^\s:<>{}"'`()]*(?::\d{0,6}\s{0,4})?$/.test(head) ? undefined : false;
  },
  read: (source, at, envelope) => {
    const head = INDEXED.exec(source.text.slice(at, at + 160));
    if (head === null) return no(at);
    const id = `functions.${head[1]}:${head[2]}`;
    return readJsonArguments(source, at + head[0].length, { ...envelope, id }, head[1] as string);
  },
};

interface Head {
  readonly name: string;
  readonly id?: string;
  readonly end: number;
  /** The format that only this head has. */
  readonly format?: string;
}

/**
 * A head of words and separator tokens, then one JSON object: DeepSeek (`function<sep>f`), Kimi K2 (`functions.f:0<begin>`),
 * Mistral (`f[CALL_ID]x[ARGS]`), Harmony (`commentary to=functions.f <|message|>`).
 */
function headed(needsRecipient: boolean): Payload {
  return {
    starts: (source, at) => {
      if (at >= source.text.length) return source.final ? false : undefined;
      return !"{}]`\"'".includes(source.text[at] as string);
    },
    read: (source, at, envelope) => {
      const head = readHead(source, at, needsRecipient);
      if (head === "more") return MORE;
      if (head === null) return no(at);
      return readBody(source, head, envelope);
    },
  };
}

export const headerJson: Payload = headed(false);
export const recipientJson: Payload = headed(true);

function readHead(source: Source, at: number, needsRecipient: boolean): Head | "more" | null {
  const { text, final } = source;
  const stop = Math.min(text.length, at + MAX_HEAD);
  const pieces: Array<{ readonly separator: string; readonly text: string }> = [];
  let separator = "";
  let from = at;
  let i = at;
  const push = (end: number): void => {
    const piece = text.slice(from, end).trim();
    if (piece !== "") pieces.push({ separator, text: piece });
  };
  for (;;) {
    if (i >= stop) return stop === text.length && stop < at + MAX_HEAD && !final ? "more" : null;
    const c = text[i] as string;
    if (c === "{" || c === "`") break;
    if (c === "<") {
      const token = lexToken(text, i, final);
      if (token === "more") return "more";
      if (token === null) return null;
      // An ordinary tag after a recipient: the body is a separate envelope (Muse Glimmer).
      if (!token.key.startsWith("|")) {
        if (!needsRecipient) return null;
        break;
      }
      push(i);
      separator = token.key;
      if (isClosing(separator)) return null;
      i = token.end;
      from = i;
      // Harmony's message begins: a head without a recipient is not a call.
      if (needsRecipient && separator === "|message|" && !pieces.some((piece) => RECIPIENT.test(piece.text)))
        return null;
      continue;
    }
    if (c === "[") {
      const mark = /^\[(CALL_ID|ARGS)\]/.exec(text.slice(i, i + 9));
      if (mark === null) return !final && text.length - i < 9 ? "more" : null;
      push(i);
      separator = mark[1] as string;
      i += mark[0].length;
      from = i;
      continue;
    }
    i += 1;
  }
  push(i);
  const head = headOf(pieces, i, needsRecipient);
  // The token before the arguments is Kimi's alone; all the others DeepSeek writes too.
  return head !== null && separator === "|tool_call_argument_begin|" ? { ...head, format: "kimi-k2" } : head;
}

function isClosing(key: string): boolean {
  return /(_end\||_end_|\|end\||\|call\||\|im_end\||\|eot|\|eom)/.test(key);
}

function headOf(
  pieces: ReadonlyArray<{ readonly separator: string; readonly text: string }>,
  end: number,
  needsRecipient: boolean,
): Head | null {
  for (const piece of pieces) {
    const to = RECIPIENT.exec(piece.text);
    if (to !== null) return ADDRESSEES.has(to[1] as string) ? null : { name: to[1] as string, end };
  }
  if (needsRecipient) return null;
  const labelled = pieces.find((piece) => piece.separator.endsWith(":name|"));
  const id = pieces.find(
    (piece) => piece.separator === "CALL_ID" || (labelled !== undefined && piece.separator === ""),
  )?.text;
  const named = labelled ?? pieces.find((piece) => piece.separator !== "CALL_ID" && !ROLES.has(piece.text));
  if (named === undefined || /\s/.test(named.text)) return null;
  if (id !== undefined) return { name: named.text, id, end };
  // Kimi K2: the whole of `functions.f:0` is the id that must be echoed back.
  return /:\d{1,6}$/.test(named.text) ? { name: named.text, id: named.text, end } : { name: named.text, end };
}

function readBody(source: Source, head: Head, envelope: Envelope): Read {
  const at = skipFence(source, head.end);
  if (at === undefined) return MORE;
  const start = skipWhitespace(source.text, at, source.text.length);
  if (start >= source.text.length) return source.final ? no(start, "truncated") : MORE;
  if (source.text[start] === "<") return source.open(source, start, envelope.depth + 1) ?? no(start);
  if (source.text[start] !== "{") return no(start);
  const inner = head.id === undefined ? envelope : { ...envelope, id: head.id };
  const read = readJsonArguments(source, start, inner, head.name);
  if (read.kind !== "done") return read;
  return { ...read, fenced: at > head.end, ...(head.format === undefined ? {} : { format: head.format }) };
}
