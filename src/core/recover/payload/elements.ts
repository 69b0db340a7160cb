import { objectOf } from "../../json/values.ts";
import { listedKeys, onlyText, propertyOf } from "../../schema/lookup.ts";
import { typedValue } from "../coerce.ts";
import { attributesOf, commentEnd, decodeEntities, tokenAt } from "../lex/token.ts";
import { cleanName } from "../tools.ts";
import { Draft } from "./draft.ts";
import { readParameters } from "./markup.ts";
import { called, type Envelope, no, type Payload, type Read, type Source } from "./payload.ts";
import {
  ARGUMENTS_ELEMENTS,
  NAME_ELEMENTS,
  nextCloser,
  PARAMETER_ELEMENTS,
  readElement,
  SERVER_ELEMENTS,
} from "./tree.ts";
import { readYaml } from "./yaml.ts";

const MAX_LINE = 256;

/** `<name>f</name>` or `<tool_name>f</tool_name>` and then the arguments. */
export const nameElement: Payload = (source, at, envelope) => {
  const token = envelope.name === undefined ? tokenAt(source, at) : null;
  const isServer = token !== null && SERVER_ELEMENTS.has(token.key);
  if (token === null || token.close || token.value !== undefined) return undefined;
  if (!isServer && !NAME_ELEMENTS.has(token.key)) return undefined;
  const first = shortElement(source, at);
  const named = isServer && first !== null ? shortElement(source, source.skipBlanks(first.end)) : first;
  if (named === null || !NAME_ELEMENTS.has(named.key)) return no(at);
  if (!/^[\p{L}\p{N}_.:/-]+$/u.test(named.text)) return no(at, "invalid-name");
  return readParameters(source, named.end, envelope, named.text);
};

/** An element that holds a few words. */
function shortElement(
  source: Source,
  at: number,
): { readonly key: string; readonly text: string; readonly end: number } | null {
  const token = tokenAt(source, at);
  const closer = token === null ? null : nextCloser(source, token.end);
  if (token === null || closer === null) return null;
  return { key: token.key, text: source.text.slice(token.end, closer.start).trim(), end: closer.end };
}

/** `<tool>f</tool>` and then an element with the arguments: JSON, elements, or the only text that the tool takes. */
export const nameTag: Payload = (source, at, envelope) => {
  if (!/[\p{L}\p{N}_]/u.test(source.at(at))) return undefined;
  const closer = nextCloser(source, at);
  const name = source.text.slice(at, closer?.start ?? at).trim();
  if (closer === null || !/^[\p{L}\p{N}_.:/-]+$/u.test(name)) return no(at);
  // The tag of the call was lost but for the name, and its closer is that of a parameter.
  if (PARAMETER_ELEMENTS.has(closer.key)) return readParameters(source, closer.start, envelope, name);
  if (closer.key !== envelope.key) return no(at);
  const start = source.skipBlanks(closer.end);
  const input = tokenAt(source, start);
  if (input === null || input.close || !ARGUMENTS_ELEMENTS.has(input.key)) return no(start);
  const bodyAt = source.skipBlanks(input.end);
  if (source.at(bodyAt) === "{" || source.at(bodyAt) === "<") return readParameters(source, start, envelope, name);
  const body = readElement(source, input.end, { kind: "whole", key: input.key, skin: input.skin, parent: "" });
  return body.isCut ? no(source.length, "truncated", name) : plainBody(source, body.raw, body.end, name);
};

const TOOL_NAME = "TOOL_NAME:";
const BEGIN_ARGUMENT = "BEGIN_ARG:";
const END_ARGUMENT = "\nEND_ARG";

/** Continue: `TOOL_NAME: f`, and each argument between the lines `BEGIN_ARG: a` and `END_ARG`. */
export const argumentBlocks: Payload = (source, at) => {
  if (!source.startsWith(TOOL_NAME, at)) return undefined;
  const nameEnd = source.skipWhile(at, MAX_LINE, (c) => c !== 10);
  const written = source.text.slice(at + TOOL_NAME.length, nameEnd).trim();
  const name = cleanName(written, source.tools)?.name ?? "";
  if (!source.tools.has(name)) return no(nameEnd, "unknown-name", written);
  const draft = new Draft(name, source.tools.schema(name), false);
  let i = source.skipBlanks(nameEnd);
  while (source.startsWith(BEGIN_ARGUMENT, i)) {
    const keyEnd = source.skipWhile(i, MAX_LINE, (c) => c !== 10);
    const end = source.find(END_ARGUMENT, keyEnd, Number.POSITIVE_INFINITY);
    if (end === -1) return no(source.length, "truncated", name, source.length);
    draft.addText(source.text.slice(i + BEGIN_ARGUMENT.length, keyEnd).trim(), source.text.slice(keyEnd + 1, end));
    i = source.skipBlanks(end + END_ARGUMENT.length);
  }
  const raw = source.text.slice(nameEnd, i).trim();
  return called(name, objectOf(draft.values), raw, i, { doubts: draft.doubts(), repairs: [...draft.repairs] });
};

/**
 * A tag named after the tool. It is a call if its body or its attributes are parameters of the tool. Without any, or
 * with plain text for a tool that takes one text, it must be alone on its lines: in a sentence it is a word.
 */
export const toolElement: Payload = (source, at, envelope) => {
  if (envelope.name === undefined) return undefined;
  const read = readToolElement(source, at, envelope, envelope.name);
  const call = read.kind === "done" ? read.calls[0] : undefined;
  if (read.kind !== "done" || call === undefined || !call.complete) return read;
  const schema = source.tools.schema(call.name);
  const keys = Object.keys(call.args);
  if (listedKeys(schema) !== undefined && keys.some((key) => propertyOf(schema, key) === undefined))
    return no(read.end, "schema", call.name);
  // In a wrapper the wrapper shows that it is a call.
  if (envelope.depth > 0 || !(read.isThin === true || keys.length === 0)) return read;
  return source.reading.standsAlone(read.end) ? read : no(read.end, "not-anchored", call.name);
};

/** `isThin`: nothing in it belongs to the tool alone. */
type ElementCall = Read & { readonly isThin?: boolean };

function readToolElement(source: Source, at: number, envelope: Envelope, name: string): ElementCall {
  if (envelope.selfClosed || attributesOf(envelope.attributes).size > 0)
    return readAttributes(source, at, envelope, name);
  const bodyAt = skipComments(source, at);
  const start = source.skipBlanks(bodyAt);
  const c = source.at(start);
  if (c === "") return no(start, "truncated", name);
  const token = c === "<" ? tokenAt(source, start) : null;
  const isMarkup = token !== null && (!token.close || token.key === envelope.key);
  if (c === "{" || c === "]" || isMarkup) return readParameters(source, start, envelope, name);
  const body = readElement(source, bodyAt, { kind: "whole", key: envelope.key, skin: envelope.skin, parent: "" });
  return body.isCut ? no(source.length, "truncated", name) : plainBody(source, body.raw, body.end, name);
}

function readAttributes(source: Source, at: number, envelope: Envelope, name: string): ElementCall {
  const schema = source.tools.schema(name);
  const attributes = attributesOf(envelope.attributes);
  const rawArguments = envelope.attributes.trim();
  // `<f` and then YAML up to `/>`: the tag was never closed.
  const yaml =
    attributes.size === 0 && rawArguments.includes(":") ? yamlCall(source, envelope.attributes, name, at) : undefined;
  if (yaml !== undefined) return yaml;
  const entries = [...attributes].map(
    ([key, value]) => [key, typedValue(value, propertyOf(schema, key), new Set())] as const,
  );
  const end = envelope.selfClosed ? at : emptyBodyEnd(source, at, envelope);
  if (end === undefined) return no(at, source.isEnd(source.skipBlanks(at)) ? "truncated" : "malformed", name);
  return { ...called(name, objectOf(entries), rawArguments, end), isThin: true };
}

/** `<f a="1"></f>`: an element with attributes only. Returns its end. */
function emptyBodyEnd(source: Source, at: number, { key }: Envelope): number | undefined {
  const close = source.skipBlanks(at);
  const token = tokenAt(source, close);
  return token?.close === true && token.key === key ? token.end : undefined;
}

/** Where the body begins: behind the comments and instructions in front of it. */
function skipComments(source: Source, at: number): number {
  let i = at;
  for (let end: number | undefined = at; end !== undefined; end = commentEnd(source, source.skipBlanks(i))) i = end;
  return i;
}

export function yamlCall(source: Source, raw: string, name: string, end: number): Read | undefined {
  const unstated = new Set<string>();
  const yaml = readYaml(raw, source.tools.schema(name), unstated);
  if (yaml === undefined) return undefined;
  return called(name, yaml, raw.trim(), end, { doubts: { unquoted: true, unstated: [...unstated] } });
}

export function plainBody(source: Source, raw: string, end: number, written: string): ElementCall {
  const name = cleanName(written, source.tools)?.name ?? written;
  const schema = source.tools.schema(name);
  const yaml = yamlCall(source, raw, name, end);
  if (yaml !== undefined) return yaml;
  const only = onlyText(schema);
  if (only === undefined) return no(end, "malformed", name);
  // It names a parameter, so it is not the value of one.
  const key = /^[\s-]{0,64}["']?([\w-]{1,64})["']?[ \t]{0,4}:/.exec(raw)?.[1];
  if (key !== undefined && propertyOf(schema, key) !== undefined) return no(end, "ambiguous", name);
  const value = typedValue(plainText(raw), propertyOf(schema, only), new Set());
  const read = called(name, objectOf([[only, value]]), raw.trim(), end, { repairs: ["body-as-argument"] });
  return { ...read, isThin: true };
}

/** Decodes XML text: CDATA is literal, entities are decoded. */
function plainText(raw: string): string {
  const parts = raw.split("<![CDATA[");
  const first = parts.shift() ?? "";
  const rest = parts.map((part) => {
    const end = part.indexOf("]]>");
    return end === -1 ? part : part.slice(0, end) + decodeEntities(part.slice(end + 3));
  });
  return (decodeEntities(first) + rest.join("")).trim();
}
