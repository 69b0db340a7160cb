import { skipWhitespace } from "../json/read-string.ts";
import { lexToken, type Token } from "../lex/token.ts";
import { readJsonArguments } from "./json-arguments.ts";
import { readParameters } from "./markup.ts";
import { type Envelope, MORE, no, type Payload, type Read, type Source } from "./payload.ts";
import { CALL_ELEMENTS, KEY_ELEMENTS, NAME_ELEMENTS, SERVER_ELEMENTS, WRAPPERS } from "./vocabulary.ts";

const MAX_NAME = 256;

/** `f` followed by its arguments: GLM's pairs, parameters, a JSON object, or nothing before the closer. */
export const namedBody: Payload = {
  starts: (source, at) => {
    if (at >= source.text.length) return source.final ? false : undefined;
    return /[\p{L}\p{N}_]/u.test(source.text[at] as string);
  },
  read: readNamed,
};

function readNamed(source: Source, at: number, envelope: Envelope): Read {
  const { text, final } = source;
  const stop = Math.min(text.length, at + MAX_NAME);
  let i = at;
  while (i < stop && !" \t\r\n<{(".includes(text[i] as string)) i += 1;
  if (i >= stop) {
    if (stop < at + MAX_NAME && !final) return MORE;
    // The bare name of a declared tool, cut before its closer: a call without arguments.
    const name = text.slice(at, i);
    if (stop < at + MAX_NAME && isWholeName(source, name)) return bare(name, i);
    return no(i, "truncated");
  }
  const name = text.slice(at, i).trim().replace(/:$/, "");
  i = skipWhitespace(text, i, text.length);
  if (i >= text.length) {
    if (!final) return MORE;
    return source.tools.has(name) ? bare(name, i) : no(i, "truncated");
  }
  if (!/^[\p{L}\p{N}_.:/@=>-]+$/u.test(name)) return no(i, "invalid-name");
  if (text[i] === "{") return readJsonArguments(source, i, envelope, name);
  if (text[i] !== "<") return no(i);
  // `function=f>`: the model lost the bracket of the tag.
  const lost = /^(function|call|tool|invoke)=([^>]+)>$/.exec(name);
  if (lost !== null) return readParameters(source, i, { ...envelope, key: lost[1] as string }, lost[2] as string);
  const token = lexToken(text, i, final);
  if (token === "more") return MORE;
  if (token === null) return source.tools.has(name) ? bare(name, i) : no(i);
  if (token.key === "tool_sep") return hunyuan(readSeparated(source, token.end, envelope, name));
  return readUntagged(source, i, token, envelope, name);
}

/** Is this a declared tool, and not the beginning of another one's name? */
function isWholeName({ tools }: Source, name: string): boolean {
  return tools.has(name) && !tools.names.some((other) => other !== name && other.startsWith(name));
}

/** Hunyuan v3 is GLM with a separator. */
function hunyuan(read: Read): Read {
  return read.kind === "done" ? { ...read, format: "hy-v3" } : read;
}

function readSeparated(source: Source, at: number, envelope: Envelope, name: string): Read {
  const { text, final } = source;
  const i = skipWhitespace(text, at, text.length);
  if (i >= text.length && !final) return MORE;
  const token = lexToken(text, i, final);
  if (token === "more") return MORE;
  if (token === null) return text[i] === "{" ? readJsonArguments(source, i, envelope, name) : no(i);
  return readUntagged(source, i, token, envelope, name);
}

/** What follows the name is a tag. */
function readUntagged(source: Source, i: number, token: Token, envelope: Envelope, name: string): Read {
  if (token.close && (token.key === envelope.key || WRAPPERS.has(token.key))) {
    // One word between tags is a call without arguments only if it is no word of a language.
    const plausible = /^[\w.:/-]+$/.test(name) && /[_.:\d]|[a-z][A-Z]/.test(name);
    return plausible || source.tools.has(name) ? bare(name, i) : no(i, "invalid-name");
  }
  if (token.close || (CALL_ELEMENTS.has(token.key) && !KEY_ELEMENTS.has(token.key))) return no(i);
  return readParameters(source, i, envelope, name);
}

function bare(name: string, end: number): Read {
  return { kind: "done", calls: [{ name, args: {}, rawArguments: "", complete: true }], end, repairs: [] };
}

/** `<name>f</name>` or `<tool_name>f</tool_name>` and then the arguments. */
export const nameElement: Payload = {
  starts: (source, at) => {
    if (source.text[at] !== "<") return at >= source.text.length && !source.final ? undefined : false;
    const token = lexToken(source.text, at, source.final);
    if (token === "more") return undefined;
    if (token === null || token.close || token.value !== undefined) return false;
    return NAME_ELEMENTS.has(token.key) || SERVER_ELEMENTS.has(token.key);
  },
  read: (source, at, envelope) => {
    let element = shortElement(source, at);
    if (element === "more") return MORE;
    if (element === null) return no(at);
    if (SERVER_ELEMENTS.has(element.key)) {
      element = shortElement(source, skipWhitespace(source.text, element.end, source.text.length));
      if (element === "more") return MORE;
      if (element === null || !NAME_ELEMENTS.has(element.key)) return no(at);
    }
    const name = element.text;
    if (!/^[\p{L}\p{N}_.:/-]+$/u.test(name)) return no(at, "invalid-name");
    return readParameters(source, element.end, envelope, name);
  },
};

/** An element that holds a few words. */
function shortElement(
  source: Source,
  at: number,
): { readonly key: string; readonly text: string; readonly end: number } | "more" | null {
  const { text, final } = source;
  if (at >= text.length) return final ? null : "more";
  if (text[at] !== "<") return null;
  const token = lexToken(text, at, final);
  if (token === "more" || token === null) return token;
  const close = text.slice(token.end, token.end + MAX_NAME).indexOf("</");
  if (close === -1) return !final && text.length - token.end < MAX_NAME ? "more" : null;
  const closer = lexToken(text, token.end + close, final);
  if (closer === "more" || closer === null) return closer;
  return { key: token.key, text: text.slice(token.end, token.end + close).trim(), end: closer.end };
}
