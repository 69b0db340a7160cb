import type { Json, JsonObject } from "../../model/tool-call.ts";
import { argumentsOf } from "../call-shape.ts";
import { typedValue } from "../coerce.ts";
import { readJson } from "../json/read-json.ts";
import { skipBlanks } from "../json/read-string.ts";
import type { Repair } from "../json/repairs.ts";
import { objectOf } from "../json/tolerant.ts";
import { attributesOf, decodeEntities } from "../lex/attributes.ts";
import { lexToken, type Token } from "../lex/token.ts";
import { cleanName } from "../name.ts";
import { isPlainObject, propertySchema, typesOf } from "../schema.ts";
import { childrenValue } from "./children.ts";
import { type ElementPlace, parameterPlace, readElement } from "./element-value.ts";
import { originalCase } from "./markup-case.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";
import {
  ARGUMENTS_ELEMENTS,
  CALL_ELEMENTS,
  isWord,
  KEY_ELEMENTS,
  NAME_ELEMENTS,
  PARAMETER_ELEMENTS,
  VALUE_ELEMENTS,
  WRAPPERS,
} from "./vocabulary.ts";

/** The parameters of a call whose opener carried the name: markup of any dialect, or one JSON object. */
export const markupArguments: Payload = {
  starts: (_source, _at, envelope) => isWord(envelope.name),
  read: (source, at, envelope) => readParameters(source, at, envelope, envelope.name ?? ""),
};

/** What has been read of a call so far. */
interface Draft {
  readonly name: string;
  readonly entries: Array<[string, Json]>;
  readonly repairs: Set<Repair>;
  readonly seen: Map<string, number>;
  /** Lists that repetition made, still growing. */
  readonly lists: Map<string, Json[]>;
}

export function readParameters(source: Source, at: number, envelope: Envelope, rawName: string): Read {
  const { text, final } = source;
  const name = cleanName(rawName, source.tools)?.name;
  if (name === undefined) return no(at, "bad-name");
  const draft: Draft = { name, entries: [], repairs: new Set(), seen: new Map(), lists: new Map() };
  const finish = (end: number, complete = true): Read => ({
    kind: "done",
    calls: [
      {
        name: rawName,
        args: unwrapArguments(source, draft),
        rawArguments: text.slice(at, end).trim(),
        ...(envelope.id === undefined ? {} : { id: envelope.id }),
        complete,
      },
    ],
    end,
    repairs: [...draft.repairs],
  });
  if (envelope.selfClosed) return finish(at);
  let i = at;
  for (;;) {
    i = skipBlanks(text, i, text.length);
    if (i >= text.length) {
      if (!final) return MORE;
      // Every pair is whole, so only the closer is lost; with no pair at all it cannot be told.
      if (draft.entries.length === 0) return source.eager ? finish(i, false) : no(i, "truncated", name);
      draft.repairs.add("missing-closer");
      return finish(i);
    }
    const c = text[i];
    if (c === "{" && draft.entries.length === 0) return readJsonArguments(source, i, envelope, rawName);
    if (c !== "<" && c !== "]") {
      const next = text.indexOf("<", i);
      if (draft.entries.length === 0 || next === -1) {
        if (draft.entries.length > 0 && final) return finish(i);
        return next === -1 && !final && text.length - i < 64 ? MORE : no(i, "malformed", name);
      }
      draft.repairs.add("dropped-text");
      i = next;
      continue;
    }
    const token = lexToken(text, i, final);
    if (token === "more") return MORE;
    if (token === null) {
      if (draft.entries.length > 0 && final && text.length - i < 40) return finish(i);
      return no(i, final && text.length - i < 40 ? "truncated" : "malformed", name);
    }
    if (token.close) {
      if (
        PARAMETER_ELEMENTS.has(token.key) ||
        VALUE_ELEMENTS.has(token.key) ||
        KEY_ELEMENTS.has(token.key) ||
        ARGUMENTS_ELEMENTS.has(token.key)
      ) {
        i = token.end;
        continue;
      }
      const stray =
        token.key !== envelope.key &&
        !CALL_ELEMENTS.has(token.key) &&
        !WRAPPERS.has(token.key) &&
        !token.key.includes("|");
      if (stray && draft.entries.some(([key]) => key.toLowerCase() === token.key)) {
        // The closer of a parameter, written twice.
        i = token.end;
        continue;
      }
      if (token.key !== envelope.key) draft.repairs.add("missing-closer");
      return finish(i);
    }
    const step = readOne(source, token, envelope, draft);
    if (step.kind === "more") return MORE;
    if (step.kind === "stop") {
      if (draft.entries.length === 0 && !token.key.includes("|")) return no(i, "malformed", name);
      draft.repairs.add("missing-closer");
      return finish(i);
    }
    if (step.kind === "open")
      return source.eager
        ? ({ ...finish(text.length, false), repairs: [...draft.repairs, "truncated"] } as Read)
        : no(text.length, "truncated", name);
    i = step.end;
  }
}

/** All arguments in one parameter called `arguments`: what it holds was meant. */
function unwrapArguments(source: Source, draft: Draft): JsonObject {
  const only = draft.entries.length === 1 ? draft.entries[0] : undefined;
  const schema = source.tools.schema(draft.name);
  if (
    only !== undefined &&
    isPlainObject(only[1]) &&
    WRAPPING.has(only[0]) &&
    propertySchema(schema, only[0]) === undefined
  ) {
    if (schema !== undefined || only[0] === "arguments") return only[1];
  }
  return objectOf(draft.entries);
}

const WRAPPING: ReadonlySet<string> = new Set(["arguments", "parameters", "input", "args", "properties"]);

type Step =
  | { readonly kind: "more" }
  | { readonly kind: "stop" }
  | { readonly kind: "open" }
  | { readonly kind: "next"; readonly end: number };

function readOne(source: Source, token: Token, envelope: Envelope, draft: Draft): Step {
  const attributes = attributesOf(token.attributes);
  if (KEY_ELEMENTS.has(token.key)) return readPair(source, token, envelope, draft);
  if (PARAMETER_ELEMENTS.has(token.key)) {
    const key = token.value ?? (attributes.get("name") ?? attributes.get("key"))?.trim();
    if (key === undefined) {
      const step = readNameThenValue(source, token, envelope, draft);
      return step.kind === "stop" && source.tools.has(draft.name)
        ? readElementParameter(source, token, envelope, draft)
        : step;
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
    addValue(source, draft, key, read.raw, attributes, envelope, token.value !== undefined);
    if (read.kind === "open") return read;
    if (!read.closed) draft.repairs.add("missing-closer");
    return { kind: "next", end: read.end };
  }
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
  const at = skipBlanks(source.text, key.end, source.text.length);
  if (at >= source.text.length) return source.final ? { kind: "open" } : { kind: "more" };
  const value = lexToken(source.text, at, source.final);
  if (value === "more") return { kind: "more" };
  if (value === null || !VALUE_ELEMENTS.has(value.key)) return { kind: "next", end: key.end };
  const read = readElement(source, value.end, parameterPlace(value, envelope.key, value.skin));
  if (read.kind === "more") return read;
  addValue(source, draft, key.raw.trim(), read.raw, attributesOf(""), envelope, false);
  return read.kind === "open" ? read : { kind: "next", end: read.end };
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
  const key = text.slice(token.end, close).trim();
  const next = nextStructure(source, closer.end);
  if (next === "more") return { kind: "more" };
  if (next === -1) return { kind: "open" };
  const value = text.slice(closer.end, next).trim();
  if (/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key) && value !== "")
    addValue(source, draft, key, value, attributesOf(""), envelope, false);
  else if (value === "") return { kind: "stop" };
  else draft.repairs.add("dropped-text");
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
  const at = skipBlanks(source.text, token.end, source.text.length);
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
    cuts: (other, startsLine) => startsLine && propertySchema(schema, originalCase(source.text, other)) !== undefined,
  };
  const read = readElement(source, token.end, place);
  if (read.kind === "more") return read;
  const own = propertySchema(schema, key);
  const types = own === undefined || schema === undefined ? undefined : typesOf(own, schema);
  const structured =
    types === undefined || !types.has("string") ? childrenValue(read.raw, own, schema, draft.repairs) : undefined;
  if (structured !== undefined) add(draft, key, structured);
  else addValue(source, draft, key, read.raw, attributesOf(""), envelope, false);
  if (read.kind === "open") return read;
  if (!read.closed) draft.repairs.add("missing-closer");
  return { kind: "next", end: read.end };
}

const ENTITY = /&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|lt|gt|amp|quot|apos|nbsp);/g;

function addValue(
  source: Source,
  draft: Draft,
  key: string,
  raw: string,
  attributes: ReadonlyMap<string, string>,
  envelope: Envelope,
  trimLines: boolean,
): void {
  let text = raw;
  // One line break on either side belongs to the markup.
  if (trimLines) text = text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  const value = /^\s*<value>([\s\S]*)<\/value>\s*$/.exec(text);
  if (value !== null) text = value[1] as string;
  const cdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text);
  if (cdata !== null) text = cdata[1] as string;
  else if (envelope.entities && text.includes("&") && !text.includes("<") && !text.replace(ENTITY, "").includes("&")) {
    draft.repairs.add("decoded-entities");
    text = decodeEntities(text);
  }
  const schema = source.tools.schema(draft.name);
  const property = propertySchema(schema, key);
  const kind = attributes.get("string") ?? attributes.get("type");
  const types = property === undefined || schema === undefined ? undefined : typesOf(property, schema);
  const declared = types === undefined || types.size === 0 ? undefined : types.has("array") ? "list" : "one";
  if (property === undefined && (kind === "true" || kind === "string")) add(draft, key, text);
  else add(draft, key, typedValue(text, property, schema, draft.repairs), declared);
}

/** A repeated parameter is a list, unless it was declared as something else: then the last one counts. */
function add(draft: Draft, key: string, value: Json, declared?: "one" | "list"): void {
  const earlier = draft.seen.get(key);
  if (earlier === undefined) {
    draft.seen.set(key, draft.entries.length);
    draft.entries.push([key, value]);
    return;
  }
  draft.repairs.add("repeated-parameter");
  if (declared === "one") {
    (draft.entries[earlier] as [string, Json])[1] = value;
    return;
  }
  const entry = draft.entries[earlier] as [string, Json];
  let list = draft.lists.get(key);
  if (list === undefined) {
    list = Array.isArray(entry[1]) && (declared === "list" || !Array.isArray(value)) ? [...entry[1]] : [entry[1]];
    draft.lists.set(key, list);
    entry[1] = list;
  }
  if (declared === "list" && Array.isArray(value)) for (const item of value as readonly Json[]) list.push(item);
  else list.push(value);
}

/** `<function=f>{"a": 1}</function>` */
export function readJsonArguments(source: Source, at: number, envelope: Envelope, name: string): Read {
  const { text, final, memo, origin } = source;
  const known = memo.get(at - origin);
  if (known !== undefined) return { kind: "done", calls: known.calls, end: origin + known.end, repairs: known.repairs };
  const read = readJson(text, at, text.length, { boundary: envelope.boundary, final });
  if (read.kind === "open") {
    if (!final) return MORE;
    return no(text.length, "truncated", name);
  }
  if (read.kind === "none") return no(read.at, "malformed", name);
  const args = argumentsOf(read.value);
  if (args === undefined) return no(at + 1, "not-an-object", name);
  const call: RawCall = {
    name,
    args: unwrapNamed(args.args, name) ?? args.args,
    rawArguments: text.slice(at, read.end),
    ...(envelope.id === undefined ? {} : { id: envelope.id }),
    complete: true,
  };
  const done = { calls: [call], end: read.end - origin, repairs: [...read.repairs, ...args.repairs] };
  memo.set(at - origin, done);
  return { kind: "done", ...done, end: read.end };
}

/** `{"name": "f", "arguments": {…}}` where the arguments of `f` were due. */
function unwrapNamed(args: JsonObject, name: string): JsonObject | undefined {
  const keys = Object.keys(args);
  if (keys.length !== 2 || args.name !== name) return undefined;
  const inner = args.arguments ?? args.parameters;
  return inner === undefined ? undefined : argumentsOf(inner)?.args;
}
