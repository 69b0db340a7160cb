import { tokenAt } from "../lex/token.ts";
import { readJsonArguments } from "./json-calls.ts";
import { plainBody } from "./named.ts";
import { type Envelope, no, type Payload, type Read, type Source, skipFence } from "./payload.ts";

/** A head is short; longer than this it is something else. */
const MAX_HEAD = 400;
const MAX_NAME = 200;
const MAX_TEXT = 1000;
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

/** `functions.f:0{…}`, with nothing around it. */
export const indexedJson: Payload = {
  starts: (source, at) => source.at(indexedEnd(source, at)) === "{" && indexedEnd(source, at) > at,
  read: (source, at, envelope) => {
    const end = indexedEnd(source, at);
    const id = source.text.slice(at, end).trim();
    return readJsonArguments(source, end, { ...envelope, id }, id.slice("functions.".length, id.lastIndexOf(":")));
  },
};

function indexedEnd(source: Source, at: number): number {
  const from = at + "functions.".length;
  const colon = source.skipWhile(from, 128, (c) => !" \t\n\r:<>{}\"'`()".includes(String.fromCharCode(c)));
  if (source.at(colon) !== ":" || colon === from) return at;
  const end = source.skipWhile(colon + 1, 6, (c) => c >= 48 && c <= 57);
  return end === colon + 1 ? at : source.skipWhile(end, 4, (c) => c <= 32);
}

interface Piece {
  readonly separator: string;
  readonly text: string;
}

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
    starts: (source, at) => !source.isEnd(at) && !"{}]`\"'".includes(source.at(at)),
    read: (source, at, envelope) => {
      const head = readHead(source, at, needsRecipient);
      return head === null ? no(at) : readBody(source, head, envelope);
    },
  };
}

export const headerJson: Payload = headed(false);
export const recipientJson: Payload = headed(true);

function readHead(source: Source, at: number, needsRecipient: boolean): Head | null {
  const { text } = source;
  const pieces: Piece[] = [];
  let separator = "";
  let from = at;
  for (;;) {
    const i = source.skipWhile(
      from,
      Math.max(0, MAX_HEAD - (from - at)),
      (c) => c !== 123 && c !== 96 && c !== 60 && c !== 91,
    );
    if (i - at >= MAX_HEAD || source.isEnd(i)) return null;
    const piece = text.slice(from, i).trim();
    if (piece !== "") pieces.push({ separator, text: piece });
    const next = separatorAt(source, i);
    if (next === null) return null;
    // Arguments, or an ordinary tag after a recipient: the body is a separate envelope (Muse Glimmer).
    if (next.end === i) {
      if (text[i] === "<" && !needsRecipient) return null;
      // The token before the arguments is Kimi's alone; all the others DeepSeek writes too.
      const head = headOf(pieces, i, needsRecipient);
      return head !== null && separator === "|tool_call_argument_begin|" ? { ...head, format: "kimi-k2" } : head;
    }
    separator = next.key;
    from = next.end;
    // Harmony's message begins: a head without a recipient is not a call.
    if (needsRecipient && separator === "|message|" && !pieces.some((one) => RECIPIENT.test(one.text))) return null;
  }
}

/** The token or mark between two parts of a head. With `end` at `i`, the head ends there. `null`: this is no head. */
function separatorAt(source: Source, i: number): { readonly key: string; readonly end: number } | null {
  const c = source.at(i);
  if (c === "[") {
    const mark = ["[CALL_ID]", "[ARGS]"].find((one) => source.startsWith(one, i));
    return mark === undefined ? null : { key: mark.slice(1, -1), end: i + mark.length };
  }
  if (c !== "<") return { key: "", end: i };
  const token = tokenAt(source, i);
  if (token === null) return null;
  if (!token.key.startsWith("|")) return { key: "", end: i };
  return isClosing(token.key) ? null : token;
}

function isClosing(key: string): boolean {
  return /(_end\||_end_|\|end\||\|call\||\|im_end\||\|eot|\|eom)/.test(key);
}

function headOf(pieces: readonly Piece[], end: number, needsRecipient: boolean): Head | null {
  for (const piece of pieces) {
    const to = RECIPIENT.exec(piece.text);
    if (to !== null) return ADDRESSEES.has(to[1] as string) ? null : { name: to[1] as string, end };
  }
  if (needsRecipient) return null;
  const labeled = pieces.find((piece) => piece.separator.endsWith(":name|"));
  const id = pieces.find(
    (piece) => piece.separator === "CALL_ID" || (labeled !== undefined && piece.separator === ""),
  )?.text;
  const named = labeled ?? pieces.find((piece) => piece.separator !== "CALL_ID" && !ROLES.has(piece.text));
  if (named === undefined || /\s/.test(named.text)) return null;
  if (id !== undefined) return { name: named.text, id, end };
  // Kimi K2: the whole of `functions.f:0` is the id that must be echoed back.
  return /:\d{1,6}$/.test(named.text) ? { name: named.text, id: named.text, end } : { name: named.text, end };
}

function readBody(source: Source, head: Head, envelope: Envelope): Read {
  if (source.at(head.end) === "<") return source.open(head.end, envelope.depth + 1) ?? no(head.end);
  const inner = head.id === undefined ? envelope : { ...envelope, id: head.id };
  const read = argumentsAt(source, head.end, inner, head.name);
  return read.kind === "done" && head.format !== undefined ? { ...read, format: head.format } : read;
}

function argumentsAt(source: Source, at: number, envelope: Envelope, name: string): Read {
  const { at: start, fenced } = skipFence(source, at);
  if (source.isEnd(start)) return no(start, "truncated", name);
  if (source.at(start) !== "{") return no(start, "malformed", name);
  const read = readJsonArguments(source, start, envelope, name);
  return read.kind === "done" ? { ...read, fenced } : read;
}

/** ReAct and Qwen-Agent: the name is on the opener's line, the arguments follow a label on the next. */
const LABELS = [
  ...["Action Input", "Action input", "Action Arguments"].flatMap((label) => [
    `${label}:`,
    `**${label}:**`,
    `**${label}**:`,
  ]),
  "✿ARGS✿:",
  "✿ARGS✿",
];

interface NameLine {
  readonly name: string;
  /** Where the next line starts. */
  readonly next: number;
}

/** A line with one word on it. */
function nameLine(source: Source, at: number): NameLine | null {
  let isWord = true;
  const end = source.skipWhile(at, MAX_NAME, (c) => {
    // Ends the waiting on ordinary prose early: what follows a blank is a second word.
    if (c > 32 && !isWord) return false;
    if (c === 32 || c === 9) isWord = false;
    return c !== 10;
  });
  if (source.at(end) !== "\n" || end - at >= MAX_NAME) return null;
  const word = source.text.slice(at, end).trim();
  if (word === "" || "{[<".includes(word[0] as string) || word.startsWith("``")) return null;
  const name = word.replace(/^[`"'[]+|[`"'\]]+$/g, "").replace(/\(\)$/, "");
  return name === "" || /\s/.test(name) ? null : { name, next: end + 1 };
}

const startsName: Payload["starts"] = (source, at) => nameLine(source, at) !== null;

export const reactCall: Payload = {
  starts: startsName,
  read: (source, at, envelope) => {
    const named = nameLine(source, at);
    if (named === null) return no(at);
    const start = source.skipBlanks(named.next);
    const label = LABELS.find((one) => source.startsWith(one, start));
    if (label === undefined) return no(start);
    const value = source.skipBlanks(start + label.length);
    // Minutes of meetings have bold labels and plain words, too.
    const isJson = "{`".includes(source.at(value)) || !label.startsWith("Action");
    return isJson ? argumentsAt(source, value, envelope, named.name) : textAt(source, value, named.name);
  },
};

/** A line of text for a tool that takes one text. */
function textAt(source: Source, at: number, name: string): Read {
  const end = source.skipWhile(at, MAX_TEXT, (c) => c !== 10);
  const text = source.text
    .slice(at, end)
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return text === "" || end - at >= MAX_TEXT ? no(end, "malformed", name) : plainBody(source, text, end, name);
}

/** Functionary: `>>>f` and the arguments on the next line. `>>>all` is plain text. */
export const functionaryCall: Payload = {
  starts: startsName,
  read: (source, at, envelope) => {
    const named = nameLine(source, at);
    if (named === null || named.name === "all") return no(at);
    return argumentsAt(source, named.next, envelope, named.name);
  },
};

/** Another envelope directly inside: wrappers, `<tool_call>` around `<function=f>`, an opener written twice. */
export const nestedEnvelope: Payload = {
  starts: (source, at) => !source.isEnd(at) && "<]f".includes(source.at(at)),
  read: (source, at, envelope) => source.open(at, envelope.depth + 1) ?? no(at),
};

/** The same behind a few words: Inkling writes the name in the header too, GigaChat `function call`. */
export const wordThenNested: Payload = {
  starts: (source, at) => !source.isEnd(at),
  read: (source, at, envelope) => {
    const end = source.skipWhile(at, 100, (c) => c !== 10 && c !== 60 && c !== 123);
    return source.open(source.skipBlanks(end), envelope.depth + 1) ?? no(at);
  },
};
