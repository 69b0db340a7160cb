import type { JsonObject } from "../../model/tool-call.ts";
import { argumentsOf } from "../call-shape.ts";
import { readJson } from "../json/read-json.ts";
import { skipWhitespace } from "../json/read-string.ts";
import { attributesOf } from "../lex/attributes.ts";
import { isNameChar, lexToken, type Token } from "../lex/token.ts";
import { propertySchema, typesOf } from "../schema.ts";
import type { Schema } from "../tools.ts";
import { childrenValue } from "./children.ts";
import { add, addValue, type Draft } from "./draft.ts";
import { type ElementPlace, parameterPlace, readElement } from "./element-value.ts";
import { originalCase } from "./markup-case.ts";
import type { Envelope, Source } from "./payload.ts";
import {
  ARGUMENTS_ELEMENTS,
  CALL_ELEMENTS,
  KEY_ELEMENTS,
  NAME_ELEMENTS,
  PARAMETER_ELEMENTS,
  VALUE_ELEMENTS,
  WRAPPERS,
} from "./vocabulary.ts";
import { readYaml } from "./yaml.ts";

const MAX_NAME = 128;

/** The result for one parameter. `stop`: the call ends here. `open`: the text ends here. */
export type Step =
  | { readonly kind: "more" }
  | { readonly kind: "stop" }
  | { readonly kind: "open" }
  | { readonly kind: "next"; readonly end: number };

/** Reads the parameter that a tag opens. */
export function readOne(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const attributes = attributesOf(token.attributes);
  if (KEY_ELEMENTS.has(token.key)) return readPair(source, token, envelope, draft);
  if (PARAMETER_ELEMENTS.has(token.key)) {
    const key = token.value ?? (attributes.get("name") ?? attributes.get("key"))?.trim();
    if (key === undefined) {
      const step = readNameThenValue(source, token, envelope, draft);
      if (step.kind !== "stop" || !source.tools.has(draft.name)) return step;
      // In a tag named after the tool, and where the tool declares it, this is the name of the parameter.
      const isName =
        envelope.key === draft.name.toLowerCase() ||
        propertySchema(source.tools.schema(draft.name), token.key) !== undefined;
      if (!isName) draft.ambiguous = true;
      return readElementParameter(source, token, envelope, draft);
    }
    if (token.self) {
      addValue(source, draft, key, attributes.get("value") ?? "", attributes, envelope, false);
      return { kind: "next", end: token.end };
    }
    const read = readElement(
      source,
      token.end,
      parameterPlace(token, envelope.key, token.skin, declares(source, draft)),
    );
    if (read.kind === "more") return read;
    const unclosed = read.kind === "value" && !read.closed;
    const raw = unclosed ? withoutWrongCloser(read.raw) : read.raw;
    if (unclosed && read.raw.trim() === "") draft.unstated.add(key);
    else addValue(source, draft, key, raw, attributes, envelope, token.value !== undefined);
    if (read.kind === "open") return read;
    if (unclosed) draft.repairs.add("missing-closer");
    return { kind: "next", end: read.end };
  }
  if (VALUE_ELEMENTS.has(token.key)) return readKeyless(source, token, envelope, draft);
  if (ARGUMENTS_ELEMENTS.has(token.key) && propertySchema(source.tools.schema(draft.name), token.key) === undefined) {
    return readArgumentsElement(source, token, draft);
  }
  if (
    token.key.includes("|") ||
    CALL_ELEMENTS.has(token.key) ||
    WRAPPERS.has(token.key) ||
    (NAME_ELEMENTS.has(token.key) && token.key === "tool_name")
  )
    return { kind: "stop" };
  const next = originalCase(source.text, token);
  const schema = source.tools.schema(draft.name);
  // Another tool's own tag, where no parameter is called so: the next call.
  if (
    draft.entries.length > 0 &&
    schema !== undefined &&
    source.tools.has(next) &&
    propertySchema(schema, next) === undefined
  )
    return { kind: "stop" };
  return readElementParameter(source, token, envelope, draft);
}

/** Is this the tag of a parameter the tool declares? Every one is, when it declares none. */
function declares(source: Source, draft: Draft): (token: Token) => boolean {
  const schema = source.tools.schema(draft.name);
  return (token) =>
    schema === undefined ||
    propertySchema(schema, token.value ?? attributesOf(token.attributes).get("name") ?? "") !== undefined;
}

/** `<arg_key>a</arg_key><arg_value>1</arg_value>` */
function readPair(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const key = readElement(source, token.end, parameterPlace(token, envelope.key, token.skin));
  if (key.kind !== "value") return key;
  const name = withoutDoubledTag(key.raw, token.key).trim();
  const value = tokenAfterClosers(source, key.end, token.key);
  if (value === "more") return { kind: "more" };
  if (value === "end") return { kind: "open" };
  if (value === null || !VALUE_ELEMENTS.has(value.key)) {
    draft.unstated.add(name);
    return { kind: "next", end: key.end };
  }
  const read = readElement(source, value.end, parameterPlace(value, envelope.key, value.skin));
  if (read.kind === "more") return read;
  // Without its own closer the value runs up to the line of the next one.
  const unclosed = read.kind === "value" && !read.closed;
  const raw = withoutDoubledTag(unclosed ? withoutWrongCloser(read.raw) : read.raw, value.key);
  // A key holds no markup: two of them ran together.
  if (name.includes("<") || name === "") draft.ambiguous = true;
  else if (unclosed && read.raw.trim() === "") draft.unstated.add(name);
  else addValue(source, draft, name, raw, attributesOf(""), envelope, unclosed);
  return read.kind === "open" ? read : { kind: "next", end: read.end };
}

/** The token behind the closers of an element, which may be doubled. `end`: the text ends before one. */
function tokenAfterClosers({ text, final }: Source, from: number, key: string): Token | "more" | "end" | null {
  for (let at = from; ; ) {
    at = skipWhitespace(text, at, text.length);
    if (at >= text.length) return final ? "end" : "more";
    const token = lexToken(text, at, final);
    if (token === null || token === "more" || !token.close || token.key !== key) return token;
    at = token.end;
  }
}

/** A value whose key is not known: it is read, so that the call ends where it does, and the call is refused. */
function readKeyless(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const read = readElement(source, token.end, parameterPlace(token, envelope.key, token.skin));
  draft.ambiguous = true;
  return read.kind === "value" ? { kind: "next", end: read.end } : read;
}

/** `<arg_value><arg_value>1</arg_value></arg_value>`: the inside of an element whose whole content is the same element. */
function withoutDoubledTag(raw: string, key: string): string {
  const text = raw.trim();
  const open = text[0] === "<" ? lexToken(text, 0, true) : null;
  if (open === null || open === "more" || open.close || open.self || open.key !== key) return raw;
  const at = text.lastIndexOf("</");
  const close = at < open.end ? null : lexToken(text, at, true);
  if (close === null || close === "more" || close.key !== key || close.end < text.length) return raw;
  const inner = text.slice(open.end, at);
  return inner.toLowerCase().includes(`${key}>`) ? raw : inner;
}

/** `<parameter>a</parameter>1`: some models close the tag after the name. */
function readNameThenValue(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const { text, final } = source;
  const close = text.indexOf("</", token.end);
  if (close === -1 || close - token.end > 256)
    return final || close !== -1 || text.length - token.end > 256 ? { kind: "stop" } : { kind: "more" };
  const closer = lexToken(text, close, final);
  if (closer === "more") return { kind: "more" };
  if (closer === null) return { kind: "stop" };
  // In a tag named after the tool an element between elements is a parameter called so.
  const behind = skipWhitespace(text, closer.end, text.length);
  if (envelope.key === draft.name.toLowerCase() && text[behind] === "<") return { kind: "stop" };
  const key = text.slice(token.end, close).trim();
  const next = nextStructure(source, closer.end);
  if (next === "more") return { kind: "more" };
  if (next === -1) return { kind: "open" };
  const value = text.slice(closer.end, next).trim();
  if (/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key) && value !== "")
    addValue(source, draft, key, value, attributesOf(""), envelope, false);
  else if (value === "") return { kind: "stop" };
  else draft.ambiguous = true;
  return { kind: "next", end: next };
}

/** The next tag of the dialect's own, -1 when the text ends without one. */
function nextStructure(source: Source, from: number): number | "more" {
  for (let i = source.text.indexOf("<", from); i !== -1; i = source.text.indexOf("<", i + 1)) {
    const token = lexToken(source.text, i, source.final);
    if (token === "more") return "more";
    if (
      token !== null &&
      (PARAMETER_ELEMENTS.has(token.key) || CALL_ELEMENTS.has(token.key) || WRAPPERS.has(token.key))
    )
      return i;
  }
  return source.final ? -1 : "more";
}

/** `<arguments>{…}</arguments>`, or the same around parameters, which then simply follow. */
function readArgumentsElement(source: Source, token: Token, draft: Draft): Step {
  const at = skipWhitespace(source.text, token.end, source.text.length);
  if (at >= source.text.length) return source.final ? { kind: "open" } : { kind: "more" };
  if (source.text[at] !== "{") return { kind: "next", end: token.end };
  const read = readJson(source.text, at, source.text.length, { final: source.final });
  if (read.kind === "open") return source.final ? { kind: "open" } : { kind: "more" };
  const args = read.kind === "value" ? argumentsOf(read.value) : undefined;
  if (read.kind !== "value" || args === undefined) return { kind: "stop" };
  for (const repair of read.repairs) draft.repairs.add(repair);
  for (const [key, value] of Object.entries(args.args)) add(draft, key, value);
  return { kind: "next", end: read.end };
}

/** MiniMax M3, Cline and others: the element is named after the parameter. */
function readElementParameter(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const schema = source.tools.schema(draft.name);
  const key = originalCase(source.text, token);
  if (token.self) {
    addValue(source, draft, key, "", attributesOf(""), envelope, false);
    return { kind: "next", end: token.end };
  }
  const place: ElementPlace = {
    key: token.key,
    closers: new Set([token.key]),
    parent: envelope.key,
    skin: token.skin,
    follows: (other) => !other.key.includes("|"),
    followsWord: (at) => toolNameLine(source, at),
    // In the middle of a line only a parameter that is still to come can have begun.
    cuts: (other, startsLine) => {
      const sibling = originalCase(source.text, other);
      return (startsLine || !draft.seen.has(sibling)) && propertySchema(schema, sibling) !== undefined;
    },
  };
  const read = readElement(source, token.end, place);
  if (read.kind === "more") return read;
  const unclosed = read.kind === "value" && !read.closed;
  const written = unclosed ? withoutWrongCloser(read.raw) : read.raw;
  const own = propertySchema(schema, key);
  const types = own === undefined || schema === undefined ? undefined : typesOf(own, schema);
  const raw = types?.has("object") || types?.has("array") ? written : withoutDoubledTag(written, token.key);
  // An opener too many is passed over. With its own closer it may also be meant literally.
  if (raw !== written && !unclosed) draft.ambiguous = true;
  const structured =
    types === undefined || !types.has("string")
      ? (childrenValue(raw, own, schema, draft.repairs) ?? yamlObject(raw, own, types))
      : undefined;
  if (unclosed && read.raw.trim() === "") draft.unstated.add(key);
  else if (structured !== undefined) add(draft, key, structured, types?.has("array") ? "list" : undefined);
  else addValue(source, draft, key, raw, attributesOf(""), envelope, /^\r?\n/.test(raw));
  if (read.kind === "open") return read;
  if (unclosed) draft.repairs.add("missing-closer");
  return { kind: "next", end: read.end };
}

/**
 * A value without its own closer: the blanks before what ended it are layout, and so is a closer at its end that
 * nothing in it has opened (`<city>Oslo</ctiy>`).
 */
function withoutWrongCloser(raw: string): string {
  const text = raw.trimEnd();
  const at = text.lastIndexOf("</");
  if (at === -1 || text.length - at > 80) return text;
  const closer = lexToken(text, at, true);
  if (closer === null || closer === "more" || closer.end < text.length) return text;
  return text.toLowerCase().includes(`<${closer.key}`) ? text : text.slice(0, at);
}

/** A declared tool's name alone on its line: the next call, its tag without brackets. */
function toolNameLine({ text, final, tools }: Source, at: number): boolean | undefined {
  const stop = Math.min(text.length, at + MAX_NAME);
  let i = at;
  while (i < stop && isNameChar(text.charCodeAt(i))) i += 1;
  const name = text.slice(at, i);
  if (i >= text.length) return !final && tools.names.some((one) => one.startsWith(name)) ? undefined : false;
  if (!tools.has(name)) return false;
  if (text[i] === ":") i += 1;
  while (i < text.length && i < stop && (text[i] === " " || text[i] === "\t" || text[i] === "\r")) i += 1;
  return i >= text.length && !final ? undefined : text[i] === "\n";
}

/** `<place>city: Oslo</place>` where an object is declared. */
function yamlObject(
  raw: string,
  schema: Schema | undefined,
  types: ReadonlySet<string> | undefined,
): JsonObject | undefined {
  if (types?.size !== 1 || !types.has("object") || /^\s*[{<]/.test(raw)) return undefined;
  return readYaml(raw, schema);
}
