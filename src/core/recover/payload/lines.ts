import { skipWhitespace } from "../json/read-string.ts";
import { readJsonArguments } from "./json-arguments.ts";
import { skipFence } from "./json-calls.ts";
import { type Envelope, MORE, no, type Payload, type Read, type Source } from "./payload.ts";

const MAX_NAME = 200;

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

function nameLine(source: Source, at: number): { readonly name: string; readonly next: number } | "more" | null {
  const { text, final } = source;
  const stop = Math.min(text.length, at + MAX_NAME);
  let i = at;
  while (i < stop && text[i] !== "\n") i += 1;
  if (i >= stop) return stop === text.length && !final ? "more" : null;
  const name = text
    .slice(at, i)
    .trim()
    .replace(/^[`"'[]+|[`"'\]]+$/g, "")
    .replace(/\(\)$/, "");
  return name === "" || /\s/.test(name) ? null : { name, next: i + 1 };
}

/** Can the name's line still hold one word? Ends the waiting on ordinary prose early. */
function startsName(source: Source, at: number): boolean | undefined {
  const { text, final } = source;
  const line = text.slice(at, at + MAX_NAME);
  const end = line.indexOf("\n");
  const word = (end === -1 ? line : line.slice(0, end)).trim();
  if (word === "" && end === -1) return final ? false : undefined;
  if (word === "" || /\s/.test(word) || "{[<".includes(word[0] as string) || word.startsWith("``")) return false;
  if (end === -1) return final || line.length >= MAX_NAME ? false : undefined;
  return true;
}

export const reactCall: Payload = {
  starts: startsName,
  read: (source, at, envelope) => {
    const named = nameLine(source, at);
    if (named === "more") return MORE;
    if (named === null) return no(at);
    const { text, final } = source;
    const start = skipWhitespace(text, named.next, text.length);
    const label = LABELS.find((one) => text.startsWith(one, start));
    if (label === undefined) {
      const partial = LABELS.some(
        (one) => one.startsWith(text.slice(start, start + one.length)) && text.length - start < one.length,
      );
      return partial && !final ? MORE : no(start);
    }
    return argumentsAt(source, start + label.length, envelope, named.name);
  },
};

/** Functionary: `>>>f` and the arguments on the next line. `>>>all` is plain text. */
export const functionaryCall: Payload = {
  starts: startsName,
  read: (source, at, envelope) => {
    const named = nameLine(source, at);
    if (named === "more") return MORE;
    if (named === null || named.name === "all") return no(at);
    return argumentsAt(source, named.next, envelope, named.name);
  },
};

function argumentsAt(source: Source, at: number, envelope: Envelope, name: string): Read {
  const { text, final } = source;
  const fence = skipWhitespace(text, at, text.length);
  const inner = skipFence(source, fence);
  if (inner === undefined) return MORE;
  const start = skipWhitespace(text, inner, text.length);
  if (start >= text.length) return final ? no(start, "truncated", name) : MORE;
  if (text[start] !== "{") return no(start, "malformed", name);
  const read = readJsonArguments(source, start, envelope, name);
  return read.kind === "done" ? { ...read, fenced: inner > fence } : read;
}
