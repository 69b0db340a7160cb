import { typedValue } from "../coerce.ts";
import { objectOf } from "../json/object-of.ts";
import { skipWhitespace } from "../json/read-string.ts";
import { attributesOf, decodeEntities } from "../lex/attributes.ts";
import { commentEnd, lexToken } from "../lex/token.ts";
import { propertySchema, typesOf } from "../schema.ts";
import { isSchema, type Schema } from "../tools.ts";
import { readElement } from "./element-value.ts";
import { readParameters } from "./markup.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";
import { readYaml } from "./yaml.ts";

/**
 * A tag named after the tool. It is a call if its body or its attributes are parameters of the tool. Without any, or
 * with plain text for a tool that takes one text, it must be alone on its lines: in a sentence it is a word.
 */
export const toolElement: Payload = {
  starts: (_source, _at, envelope) => envelope.name !== undefined,
  read: (source, at, envelope) => anchored(source, envelope, readToolElement(source, at, envelope)),
};

type Done = Extract<Read, { kind: "done" }>;

/** Refuses what is called like a tool and has nothing of it. `isThin`: nothing in it belongs to the tool alone. */
function anchored(source: Source, envelope: Envelope, read: Read & { readonly isThin?: boolean }): Read {
  const call = read.kind === "done" ? read.calls[0] : undefined;
  if (read.kind !== "done" || call === undefined || !call.complete) return read;
  const schema = source.tools.schema(call.name);
  const keys = Object.keys(call.args);
  if (isSchema(schema?.properties) && keys.some((key) => propertySchema(schema, key) === undefined))
    return no(read.end, "schema", call.name);
  // In a wrapper the wrapper says that it is a call.
  if (envelope.depth > 0 || !(read.isThin === true || keys.length === 0)) return read;
  const alone = source.standsAlone(read.end);
  if (alone === undefined) return MORE;
  return alone ? read : no(read.end, "not-anchored", call.name);
}

function readToolElement(source: Source, at: number, envelope: Envelope): Read & { readonly isThin?: boolean } {
  const { text, final } = source;
  const name = envelope.name ?? "";
  const attributes = attributesOf(envelope.attributes);
  if (envelope.selfClosed || attributes.size > 0) {
    const schema = source.tools.schema(name);
    const rawArguments = envelope.attributes.trim();
    const unstated = new Set<string>();
    // `<f` and then YAML up to `/>`: the tag was never closed.
    const yaml =
      attributes.size === 0 && envelope.attributes.includes(":")
        ? readYaml(envelope.attributes, schema, unstated)
        : undefined;
    if (yaml !== undefined) return calledWith(name, yaml, rawArguments, at, unstated);
    const entries = [...attributes].map(
      ([key, value]) => [key, typedValue(value, propertySchema(schema, key), schema, new Set())] as const,
    );
    const end = envelope.selfClosed ? at : emptyBodyEnd(source, at, envelope, name);
    if (typeof end !== "number") return end;
    return { ...calledWith(name, objectOf(entries), rawArguments, end), isThin: true };
  }
  const bodyAt = afterRemarks(text, at, final);
  if (bodyAt === "more") return MORE;
  const start = skipWhitespace(text, bodyAt, text.length);
  if (start >= text.length) return final ? no(start, "truncated", name) : MORE;
  if (text[start] === "<" || text[start] === "{" || text[start] === "]") {
    const token = text[start] === "<" ? lexToken(text, start, final) : null;
    if (token === "more") return MORE;
    if (text[start] !== "<" || (token !== null && (!token.close || token.key === envelope.key)))
      return readParameters(source, start, envelope, name);
  }
  const inner = readElement(source, bodyAt, {
    key: envelope.key,
    closers: new Set([envelope.key]),
    parent: "",
    skin: envelope.skin,
    follows: () => true,
    cuts: () => false,
  });
  if (inner.kind === "more") return MORE;
  if (inner.kind === "open") return no(text.length, "truncated", name);
  return plainBody(source, inner.raw, inner.end, name);
}

function calledWith(
  name: string,
  args: RawCall["args"],
  rawArguments: string,
  end: number,
  unstated: ReadonlySet<string> = new Set(),
): Done {
  const doubts = unstated.size === 0 ? {} : { doubts: { unstated: [...unstated] } };
  return { kind: "done", calls: [{ name, args, rawArguments, complete: true, ...doubts }], end, repairs: [] };
}

/** `<f a="1"></f>`: an element with attributes only. Returns its end. */
function emptyBodyEnd(source: Source, at: number, envelope: Envelope, name: string): number | Read {
  const { text, final } = source;
  const close = skipWhitespace(text, at, text.length);
  if (close >= text.length) return final ? no(close, "truncated", name) : MORE;
  const token = text[close] === "<" ? lexToken(text, close, final) : null;
  if (token === "more") return MORE;
  return token?.close === true && token.key === envelope.key ? token.end : no(at, "malformed", name);
}

/** Where the body begins: behind the comments and instructions in front of it. */
function afterRemarks(text: string, at: number, final: boolean): number | "more" {
  for (let i = at; ; ) {
    const end = commentEnd(text, skipWhitespace(text, i, text.length), final);
    if (end === undefined) return i;
    if (end === "more") return end;
    i = end;
  }
}

function plainBody(source: Source, raw: string, end: number, name: string): Read & { readonly isThin?: boolean } {
  const schema = source.tools.schema(name);
  const unstated = new Set<string>();
  const yaml = readYaml(raw, schema, unstated);
  if (yaml !== undefined) return calledWith(name, yaml, raw.trim(), end, unstated);
  const only = onlyText(schema);
  if (only === undefined) return no(end, "malformed", name);
  // It names a parameter, so it is not the value of one.
  const key = /^[\s-]{0,64}["']?([\w-]{1,64})["']?[ \t]{0,4}:/.exec(raw)?.[1];
  if (key !== undefined && propertySchema(schema, key) !== undefined) return no(end, "ambiguous", name);
  const value = typedValue(plainText(raw), propertySchema(schema, only), schema, new Set());
  return {
    ...calledWith(name, objectOf([[only, value]]), raw.trim(), end),
    repairs: ["body-as-argument"],
    isThin: true,
  };
}

/** The parameter that a plain text is the value of: the only one that is required, else the only one that takes text. */
function onlyText(schema: Schema | undefined): string | undefined {
  const { required, properties } = schema ?? {};
  if (schema === undefined || !isSchema(properties)) return undefined;
  const takesText = (key: string): boolean => typesOf(propertySchema(schema, key), schema).has("string");
  if (Array.isArray(required) && required.length > 0) {
    const [only, ...others] = required as readonly unknown[];
    const isText = typeof only === "string" && (takesText(only) || hasNoType(schema, only));
    return others.length === 0 && isText ? only : undefined;
  }
  const texts = Object.keys(properties).filter(takesText);
  return texts.length === 1 ? texts[0] : undefined;
}

function hasNoType(schema: Schema, key: string): boolean {
  return typesOf(propertySchema(schema, key), schema).size === 0;
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
