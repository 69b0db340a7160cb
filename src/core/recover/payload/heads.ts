import { propertyOf } from "../../schema/lookup.ts";
import { Text } from "../../text/cursor.ts";
import { PARALLEL } from "../call-shape.ts";
import { nameIn } from "../formats/index-formats.ts";
import { STEPS } from "../formats/table.ts";
import { isCutToken, type Token, tokenAt } from "../lex/token.ts";
import { cleanName } from "../tools.ts";
import { plainBody, yamlCall } from "./elements.ts";
import { jsonCalls, linesEnd, readJsonArguments } from "./json-calls.ts";
import { readPairs, readParenthesized } from "./key-values.ts";
import { readParameters } from "./markup.ts";
import { called, type Envelope, no, type Payload, type Read, readSequence, type Source, skipFence } from "./payload.ts";
import { CALL_ELEMENTS, KEY_ELEMENTS, WRAPPERS } from "./tree.ts";

/** A head is short; longer than this it is something else. */
const MAX_HEAD = 400;
const MAX_NAME = 256;
const MAX_TEXT = 1000;
/** Words in a head that are never the name. */
const ROLES: ReadonlySet<string> = new Set([
  ...["function", "json", "assistant", "commentary", "analysis", "tool", "code", "plugin", "tool_calls"],
]);
const RECIPIENT = /\bto=([^\s<{"]+)/;
/** Recipients that are no tools. */
const ADDRESSEES: ReadonlySet<string> = new Set(["assistant", "user", "self", "all", "final", "system"]);

/** The end of the word at `at`: blanks and the given characters end it. */
function wordEnd(source: Source, at: number, ends: string): number {
  return source.skipWhile(at, MAX_NAME, (c) => c > 32 && !ends.includes(String.fromCharCode(c)));
}

/** Reads an object with the arguments, in a fence if there is one. */
function argumentsAt(source: Source, from: number, envelope: Envelope, name: string): Read {
  const { at, fenced } = skipFence(source, from);
  if (source.isEnd(at)) return no(at, "truncated", name);
  if (source.at(at) !== "{") return no(at, "malformed", name);
  const read = readJsonArguments(source, at, envelope, name);
  return read.kind === "done" ? { ...read, fenced } : read;
}

/** `functions.f:0{…}`, with nothing around it. */
export const indexedJson: Payload = (source, at, envelope) => {
  const head = indexedHead(source, at);
  return head && readJsonArguments(source, head.end, { ...envelope, id: head.id }, head.name);
};

/** The id, and where the arguments behind it begin, also behind the token that separates them. */
function indexedHead(source: Source, at: number): (Head & { readonly end: number }) | undefined {
  const from = at + "functions.".length;
  const colon = wordEnd(source, from, ":<>{}\"'`()");
  if (source.at(colon) !== ":" || colon === from) return undefined;
  const idEnd = source.skipWhile(colon + 1, 6, (c) => c >= 48 && c <= 57);
  if (idEnd === colon + 1) return undefined;
  const next = source.skipWhile(idEnd, 4, (c) => c <= 32);
  const token = source.at(next) === "<" ? tokenAt(source, next) : null;
  const isSeparated = token !== null && source.formats.separators.has(token.key);
  const end = isSeparated ? source.skipBlanks(token.end) : next;
  if (source.at(end) !== "{") return undefined;
  return { id: source.text.slice(at, idEnd), name: source.text.slice(from, colon), end };
}

interface Piece {
  readonly separator: string;
  readonly text: string;
}

interface Head {
  readonly name: string;
  readonly id?: string;
}

/**
 * A head of words and separator tokens, then one JSON object: DeepSeek (`function<sep>f`), Kimi K2 (`functions.f:0<begin>`),
 * Mistral (`f[CALL_ID]x[ARGS]`), Harmony (`commentary to=functions.f <|message|>`).
 */
function headed(needsRecipient: boolean): Payload {
  return (source, at, envelope) => {
    if (source.isEnd(at) || "{}]`\"'".includes(source.at(at))) return undefined;
    const found = readPieces(source, at, needsRecipient);
    const head = found === undefined ? undefined : headOf(found.pieces, needsRecipient);
    if (found === undefined || head === undefined) return no(at);
    const { end, separator } = found;
    if (head.name.endsWith(PARALLEL)) return jsonCalls(source, end, envelope) ?? no(end);
    if (source.at(end) === "<") return source.open(end, envelope.depth + 1) ?? no(end);
    const read = argumentsAt(source, end, { ...envelope, id: head.id ?? envelope.id }, head.name);
    const format = source.formats.separators.get(separator);
    return read.kind === "done" && format !== undefined ? { ...read, format } : read;
  };
}

export const headerJson: Payload = headed(false);
export const recipientJson: Payload = headed(true);

/** Reads the words of a head up to its arguments. `separator` is the last one. */
function readPieces(
  source: Source,
  at: number,
  needsRecipient: boolean,
): { readonly pieces: readonly Piece[]; readonly separator: string; readonly end: number } | undefined {
  const pieces: Piece[] = [];
  let separator = "";
  for (let from = at; ; ) {
    const end = source.skipWhile(
      from,
      Math.max(0, MAX_HEAD - (from - at)),
      (c) => c !== 123 && c !== 96 && c !== 60 && c !== 91,
    );
    if (end - at >= MAX_HEAD || source.isEnd(end)) return undefined;
    const text = source.text.slice(from, end).trim();
    if (text !== "") pieces.push({ separator, text });
    const next = separatorAt(source, end);
    if (next === undefined) return undefined;
    // Arguments, or an ordinary tag after a recipient: the body is a separate envelope (Muse Glimmer).
    if (next.end === end) return source.at(end) === "<" && !needsRecipient ? undefined : { pieces, separator, end };
    separator = next.key;
    from = next.end;
    // Harmony's message begins: a head without a recipient is not a call.
    if (needsRecipient && separator === "|message|" && !pieces.some((one) => RECIPIENT.test(one.text)))
      return undefined;
  }
}

/** The token or mark between two parts of a head. With `end` at `i`, the head ends there. `undefined`: this is no head. */
function separatorAt(source: Source, i: number): { readonly key: string; readonly end: number } | undefined {
  const c = source.at(i);
  if (c === "[") {
    const mark = ["[CALL_ID]", "[ARGS]"].find((one) => source.startsWith(one, i));
    return mark === undefined ? undefined : { key: mark.slice(1, -1), end: i + mark.length };
  }
  if (c !== "<") return { key: "", end: i };
  const token = tokenAt(source, i);
  if (token === null) return undefined;
  if (!token.key.startsWith("|")) return { key: "", end: i };
  return /_end\||_end_|\|end\||\|call\||\|im_end\||\|eot|\|eom/.test(token.key) ? undefined : token;
}

function headOf(pieces: readonly Piece[], needsRecipient: boolean): Head | undefined {
  const to = pieces.map((piece) => RECIPIENT.exec(piece.text)?.[1]).find((one) => one !== undefined);
  if (to !== undefined) return ADDRESSEES.has(to) ? undefined : { name: to };
  if (needsRecipient) return undefined;
  const labeled = pieces.find((piece) => piece.separator.endsWith(":name|"));
  const id = pieces.find(
    (piece) => piece.separator === "CALL_ID" || (labeled !== undefined && piece.separator === ""),
  )?.text;
  const name = (labeled ?? pieces.find((piece) => piece.separator !== "CALL_ID" && !ROLES.has(piece.text)))?.text;
  if (name === undefined || /\s/.test(name)) return undefined;
  if (id !== undefined) return { name, id };
  // Kimi K2: the whole of `functions.f:0` is the id that must be echoed back.
  return /:\d{1,6}$/.test(name) ? { name, id: name } : { name };
}

/** ReAct and Qwen-Agent: the name is on the opener's line, the arguments follow a label on the next. */
const INPUT_LABELS = [
  ...["Action Input", "Action input", "Action Arguments"].flatMap((label) => [
    ...[`${label}:`, `**${label}:**`, `**${label}**:`],
  ]),
  ...STEPS.map((step) => `Action Input ${step}:`),
  ...["✿ARGS✿:", "✿ARGS✿", "行动输入:", "行动输入：", "动作输入:", "动作输入："],
];

/** A line with one word on it, and where the next line starts. */
function nameLine(source: Source, at: number): { readonly name: string; readonly next: number } | undefined {
  let isWord = true;
  const end = source.skipWhile(at, MAX_NAME, (c) => {
    // Ends the waiting on ordinary prose early: what follows a blank is a second word.
    if (c > 32 && !isWord) return false;
    if (c === 32 || c === 9) isWord = false;
    return c !== 10;
  });
  if (source.at(end) !== "\n" || end - at >= MAX_NAME) return undefined;
  const word = source.text.slice(at, end).trim();
  if (word === "" || "{[<".includes(word[0] as string) || word.startsWith("``")) return undefined;
  const name = word.replace(/^[`"'[]+|[`"'\]]+$/g, "").replace(/\(\)$/, "");
  return name === "" || /\s/.test(name) ? undefined : { name, next: end + 1 };
}

export const reactCall: Payload = (source, from, envelope) => {
  const head = nameLine(source, from);
  if (head === undefined) return undefined;
  const { name, next } = head;
  const start = source.skipBlanks(next);
  const label = INPUT_LABELS.find((one) => source.startsWith(one, start));
  if (label === undefined) return no(start);
  const at = source.skipBlanks(start + label.length);
  // Minutes of meetings have bold labels and plain words, too.
  if ("{`".includes(source.at(at)) || !/^(?:Action|行动|动作)/.test(label))
    return argumentsAt(source, at, envelope, name);
  const end = source.skipWhile(at, MAX_TEXT, (c) => c !== 10);
  const line = source.text.slice(at, end).trim();
  const text = line.replace(/^(["'])(.*)\1$/, "$2");
  return text === "" || end - at >= MAX_TEXT ? no(end, "malformed", name) : plainBody(source, text, end, name);
};

/** Functionary: `>>>f` and the arguments on the next line. `>>>all` is plain text. */
export const functionaryCall: Payload = (source, at, envelope) => {
  const head = nameLine(source, at);
  if (head === undefined || head.name === "all") return head && no(head.next);
  return argumentsAt(source, head.next, envelope, head.name);
};

/** Another envelope directly inside: wrappers, `<tool_call>` around `<function=f>`, an opener written twice. */
export const nestedEnvelope: Payload = (source, at, { depth }) => {
  const startsOne = (i: number): boolean => !source.isEnd(i) && "<]f".includes(source.at(i));
  if (!startsOne(at)) return undefined;
  const readOne = (i: number): Read => source.open(i, depth + 1) ?? no(i);
  // A fence is one candidate, so it is read with all its calls.
  return source.text[source.reading.origin] === "`" ? readSequence(source, at, readOne, startsOne) : readOne(at);
};

/** The same behind a few words: Inkling writes the name in the header too, GigaChat `function call`. */
export const wordThenNested: Payload = (source, at, envelope) => {
  if (source.isEnd(at)) return undefined;
  const end = source.skipWhile(at, 100, (c) => c !== 10 && c !== 60 && c !== 123);
  return source.open(source.skipBlanks(end), envelope.depth + 1) ?? no(at);
};

const LOST_BRACKETS = ["function=", "call=", "tool=", "invoke=", "function name=", "invoke name="];

/** `function=f>`, `invoke name="f">`: the tag of the call without its first bracket. */
export const lostBracket: Payload = (source, at, envelope) => {
  if (!LOST_BRACKETS.some((beginning) => source.startsWith(beginning, at))) return undefined;
  const end = source.skipWhile(at, MAX_NAME, (c) => c !== 62 && c !== 60 && c !== 10);
  const token = source.at(end) === ">" ? tokenAt(new Text(`<${source.text.slice(at, end)}>`, true), 0) : null;
  const name = token === null ? undefined : nameIn(token);
  if (token === null || name === undefined) return no(at);
  return readParameters(source, end + 1, { ...envelope, key: token.key }, name);
};

/** `f` followed by its arguments: GLM's pairs, parameters, JSON, `a=1`, lines `a: 1`, or nothing before the closer. */
export const namedBody: Payload = (source, at, envelope) => {
  const { tools } = source;
  if (source.isEnd(at) || !/[\p{L}\p{N}_]/u.test(source.at(at))) return undefined;
  const end = wordEnd(source, at, "<{(");
  const name = source.text.slice(at, end).replace(/:$/, "");
  const i = source.skipBlanks(end);
  // The bare name of a declared tool, cut before its closer: a call without arguments.
  if (source.isEnd(i)) {
    const isWhole = i > end || !tools.names.some((other) => other !== name && other.startsWith(name));
    return tools.has(name) && isWhole ? called(name, {}, "", i) : no(i, "truncated");
  }
  if (!/^[\p{L}\p{N}_.:/@-]+$/u.test(name)) return no(i, "invalid-name");
  const token = source.at(i) === "<" ? tokenAt(source, i) : null;
  const glued = token !== null && isKeyCloser(token) ? gluedTool(source, name) : undefined;
  if (glued !== undefined) return readParameters(source, at + glued.length, envelope, glued);
  const format = token === null ? undefined : source.formats.separators.get(token.key);
  if (token === null || format === undefined) return argumentsBehind(source, i, envelope, name);
  // Hunyuan v3 is GLM with a separator; some of its models write DeepSeek's head, `function<tool_sep>f`, before it.
  const from = source.skipBlanks(token.end);
  const to = name === "function" ? wordEnd(source, from, "<{") : from;
  const read = argumentsBehind(source, to, envelope, to > from ? source.text.slice(from, to) : name);
  return read.kind === "done" ? { ...read, format } : read;
};

/** Reads arguments in whichever notation they begin: an object, tags, or words; the first two in a fence, too. */
function argumentsBehind(source: Source, from: number, envelope: Envelope, name: string): Read {
  const { at, fenced } = skipFence(source, from);
  const c = source.at(at);
  if (c === "{") return argumentsAt(source, from, envelope, name);
  if (c !== "<") {
    const end = wordEnd(source, at, "<");
    const isKey = source.at(end) === "<" && isKeyCloser(tokenAt(source, end));
    return isKey ? readParameters(source, at, envelope, name) : readWords(source, at, envelope, name);
  }
  const read = readTags(source, at, envelope, name);
  return read.kind === "done" ? { ...read, fenced } : read;
}

/** `</arg_key>`: where no key is open, the key lost its opening tag. */
function isKeyCloser(token: Token | null): boolean {
  return token?.close === true && KEY_ELEMENTS.has(token.key);
}

/** The only declared tool whose name begins the word, if one of its parameters is the rest of it. */
function gluedTool(source: Source, word: string): string | undefined {
  const isGlued = (name: string): boolean =>
    word.startsWith(name) && propertyOf(source.tools.schema(name), word.slice(name.length)) !== undefined;
  const [only, ...others] = source.tools.names.filter(isGlued);
  return others.length === 0 ? only : undefined;
}

/** Arguments without brackets behind a name: `a=1 b="x"`, or a line `a: 1` for each that the tool declares. */
function readWords(source: Source, at: number, envelope: Envelope, name: string, closer = "<"): Read {
  const pairs = readPairs(source, at, name, closer);
  if (pairs.kind === "done" || pairs.reason === "ambiguous") return pairs;
  const from = lineStart(source.text, at);
  const end = from === undefined ? undefined : linesEnd(source, at, envelope);
  const lines = end === undefined ? undefined : yamlCall(source, source.text.slice(from, end), name, end);
  const schema = source.schemaOf(name);
  const isDeclared = (key: string): boolean => propertyOf(schema, key) !== undefined;
  return lines?.kind === "done" && Object.keys(lines.calls[0]?.args ?? {}).every(isDeclared) ? lines : pairs;
}

/** Where the line begins, if only blanks precede `at` on it. */
function lineStart(text: string, at: number): number | undefined {
  let i = at;
  while (text[i - 1] === " " || text[i - 1] === "\t") i -= 1;
  return text[i - 1] === "\n" ? i : undefined;
}

/** What follows the name is a tag. */
function readTags(source: Source, i: number, envelope: Envelope, name: string): Read {
  const token = tokenAt(source, i);
  const isDeclared = source.tools.has(name);
  // The closer that the end of the text cut off; any other damage may have been an argument.
  if (token === null) return isDeclared && isCutToken(source, i) ? called(name, {}, "", i) : no(i);
  if (token.close && (token.key === envelope.key || WRAPPERS.has(token.key))) {
    // One word between tags is a call without arguments only if it is no word of a language.
    const isPlausible = /^[\w.:/-]+$/.test(name) && /[_.:\d]|[a-z][A-Z]/.test(name);
    return isPlausible || isDeclared ? called(name, {}, "", i) : no(i, "invalid-name");
  }
  const isStray = token.close && !isKeyCloser(token);
  return isStray || CALL_ELEMENTS.has(token.key) ? no(i) : readParameters(source, i, envelope, name);
}

/** Words between the name and its arguments. */
const ARGUMENT_LABEL =
  /^(?:\*\*)?(?:tool |function |action )?(?:with )?(?:these |the following )?(?:arguments?|args|inputs?|parameters?|params|with)(?:\*\*)?[:=]?(?:\*\*)?(?=[\s{(])/i;
const MAX_ARGUMENT_LABEL = 48;

/**
 * A name and its arguments without an envelope: `f[ARGS]{…}`, `f{…}`, `f({…})`, `f(a=1)`; `f` on its own line and then
 * a fence with Python; `[f]{…}[/f]`; and after a label in a bracket, `[Tool Use: f({…})]`, `[Called f with args: {…}]`,
 * `[tool: f] {…}`, `[tool_call: f a=1]`.
 */
export const callLine: Payload = (source, at, envelope) => {
  const named = lineName(source, at);
  if (named === undefined) return undefined;
  const read = lineArguments(source, at, named, envelope);
  if (read.kind === "no") return read;
  const end = bracketEnd(source, read.end, named);
  const isMarked = named.bracket !== "none" || read.fenced === true || envelope.block;
  return isMarked || source.reading.standsAlone(end) ? { ...read, end } : no(end, "not-anchored", named.name);
};

interface LineName {
  readonly name: string;
  readonly end: number;
  /** The call is in a bracket that is still open, or was closed around the label or the name. */
  readonly bracket: "none" | "open" | "closed";
}

/** The declared name at `at`, behind an opening bracket if there is one. */
function lineName(source: Source, at: number): LineName | undefined {
  const isBracket = source.at(at) === "[";
  // The label of a bracket (`[Tool Use:`, `[tool_call]`) precedes the name.
  const label = isBracket ? "" : source.text.slice(source.reading.origin, at);
  const isLabeled = label.startsWith("[");
  const from = isBracket ? source.skipBlanks(at + 1) : at;
  const end = wordEnd(source, from, "[](){}<>\"'`,;=");
  const name = cleanName(source.text.slice(from, end).replace(/:$/, ""), source.tools)?.name;
  if (name === undefined || end - from >= MAX_NAME || !source.tools.has(name)) return undefined;
  if (source.at(end) === "]") return isBracket || isLabeled ? { name, end: end + 1, bracket: "closed" } : undefined;
  if (isBracket) return undefined;
  return { name, end, bracket: !isLabeled ? "none" : label.includes("]") ? "closed" : "open" };
}

function lineArguments(source: Source, at: number, { name, end, bracket }: LineName, envelope: Envelope): Read {
  const isMarked = bracket !== "none" || at > source.reading.origin;
  // "Calling `f` with these arguments:", and the object below, in a fence or not.
  const isQuoted = isMarked && source.at(end) === "`" && source.text[at - 1] === "`";
  let i = isQuoted ? end + 1 : end;
  let isLabeled = false;
  if (source.startsWith("[ARGS]", i)) i += "[ARGS]".length;
  else if (isMarked) [i, isLabeled] = skipArgumentLabel(source, i);
  if (isQuoted) return isLabeled ? argumentsAt(source, i, envelope, name) : no(i, "malformed", name);
  if (source.at(i) === ":") i += 1;
  if (source.at(i) === " ") i += 1;
  if (source.at(i) === "{") return readJsonArguments(source, i, envelope, name);
  if (source.at(i) === "(") return readParenthesized(source, i, name);
  // ReAct: `Action: f[text]`
  if (bracket === "none" && isMarked && source.at(i) === "[" && i === end) return bracketText(source, i, name);
  if (bracket === "open") {
    const read = readWords(source, i, envelope, name, "]");
    const isCut = read.kind === "done" && source.isEnd(source.skipBlanks(read.end));
    return isCut ? no(read.end, "truncated", name) : read;
  }
  if (envelope.block || isLabeled) return readWords(source, source.skipBlanks(i), envelope, name, "`");
  if (source.at(i) !== "\n") return no(i, "malformed", name);
  // ChatGLM: the call is written in Python, as a call to `tool_call`.
  const { at: start, fenced } = skipFence(source, i);
  if (!fenced || !source.startsWith("tool_call(", start)) return no(start, "malformed", name);
  const read = readParenthesized(source, start + "tool_call".length, name);
  return read.kind === "no" ? read : { ...read, fenced };
}

/** The position behind the label of the arguments, and whether there was one. */
function skipArgumentLabel(source: Source, end: number): [number, boolean] {
  const comma = source.skipBlanks(end);
  const at = source.at(comma) === "," ? source.skipBlanks(comma + 1) : comma;
  source.skipWhile(at, MAX_ARGUMENT_LABEL, (c) => c !== 10 && c !== 123 && c !== 40);
  const label = ARGUMENT_LABEL.exec(source.text.slice(at, at + MAX_ARGUMENT_LABEL))?.[0];
  return label === undefined ? [at, false] : [source.skipBlanks(at + label.length), true];
}

/** The only text that the tool takes, in brackets up to the end of the line. */
function bracketText(source: Source, at: number, name: string): Read {
  const end = source.skipWhile(at, MAX_TEXT, (c) => c !== 10);
  const line = source.text.slice(at, end).trimEnd();
  const text = line.slice(1, -1).trim();
  return line.endsWith("]") && text !== ""
    ? plainBody(source, text, at + line.length, name)
    : no(end, "malformed", name);
}

/** The end of the call with the bracket that closes it: `]`, or `[/f]`. Closers of labels are the row's. */
function bracketEnd(source: Source, end: number, { name, bracket }: LineName): number {
  if (bracket === "none") return end;
  const closer = bracket === "open" ? "]" : `[/${name}]`;
  const at = source.skipBlanks(end);
  return source.startsWith(closer, at) ? at + closer.length : end;
}

/** Whether a name on a line is followed by what {@link callLine} reads. */
export function startsArguments(source: Pick<Source, "at" | "startsWith">, end: number): boolean {
  const c = source.at(end);
  if (c === "[") return source.startsWith("[ARGS]", end);
  const isApart = c === " " || (c === ":" && source.at(end + 1) === " ");
  return c === "{" || c === "(" || (isApart && source.at(c === ":" ? end + 2 : end + 1) === "{");
}
