import { typedValue } from "../coerce.ts";
import { objectOf } from "../json/object-of.ts";
import { skipBlanks } from "../json/read-string.ts";
import { attributesOf, decodeEntities } from "../lex/attributes.ts";
import { remarkEnd } from "../lex/remark.ts";
import { lexToken } from "../lex/token.ts";
import { propertySchema, typesOf } from "../schema.ts";
import { isSchema } from "../tools.ts";
import { readElement } from "./element-value.ts";
import { readParameters } from "./markup.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";
import { readYaml } from "./yaml.ts";

/** A tag named after the tool: parameters as elements, as YAML, as attributes, or one plain text. */
export const toolElement: Payload = {
  starts: (_source, _at, envelope) => envelope.name !== undefined,
  read: readToolElement,
};

function readToolElement(source: Source, at: number, envelope: Envelope): Read {
  const { text, final } = source;
  const name = envelope.name ?? "";
  const attributes = attributesOf(envelope.attributes);
  if (envelope.selfClosed || attributes.size > 0) {
    const schema = source.tools.schema(name);
    const entries = [...attributes].map(
      ([key, value]) => [key, typedValue(value, propertySchema(schema, key), schema, new Set())] as const,
    );
    // `<f` and then YAML up to `/>`: the tag was never closed.
    const yaml =
      attributes.size === 0 && envelope.attributes.includes(":") ? readYaml(envelope.attributes, schema) : undefined;
    if (yaml !== undefined)
      return {
        kind: "done",
        calls: [{ name, args: yaml, rawArguments: envelope.attributes.trim(), complete: true }],
        end: at,
        repairs: [],
      };
    if (envelope.selfClosed) {
      return {
        kind: "done",
        calls: [{ name, args: objectOf(entries), rawArguments: envelope.attributes.trim(), complete: true }],
        end: at,
        repairs: [],
      };
    }
    return emptyBody(source, at, envelope, { name, args: objectOf(entries), rawArguments: envelope.attributes.trim() });
  }
  const bodyAt = afterRemarks(text, at, final);
  if (bodyAt === "more") return MORE;
  const start = skipBlanks(text, bodyAt, text.length);
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

/** `<f a="1"></f>`: the attributes are all there is. */
function emptyBody(source: Source, at: number, envelope: Envelope, call: Omit<RawCall, "complete">): Read {
  const { text, final } = source;
  const close = skipBlanks(text, at, text.length);
  if (close >= text.length) return final ? no(close, "truncated", call.name) : MORE;
  const token = text[close] === "<" ? lexToken(text, close, final) : null;
  if (token === "more") return MORE;
  const schema = source.tools.schema(call.name);
  const declared = Object.keys(call.args).every((key) => propertySchema(schema, key) !== undefined);
  if (token === null || !token.close || token.key !== envelope.key || !declared) return no(at, "malformed", call.name);
  // In the middle of a line it is markup that somebody speaks of.
  let end = token.end;
  while (text[end] === " " || text[end] === "\t" || text[end] === "\r") end += 1;
  if (end >= text.length && !final) return MORE;
  if (end < text.length && text[end] !== "\n" && text[end] !== "<") return no(at, "not-anchored", call.name);
  return { kind: "done", calls: [{ ...call, complete: true }], end: token.end, repairs: [] };
}

/** Where the body begins: behind the comments and instructions in front of it. */
function afterRemarks(text: string, at: number, final: boolean): number | "more" {
  for (let i = at; ; ) {
    const end = remarkEnd(text, skipBlanks(text, i, text.length), final);
    if (end === undefined) return i;
    if (end === "more") return end;
    i = end;
  }
}

function plainBody(source: Source, raw: string, end: number, name: string): Read {
  const schema = source.tools.schema(name);
  const done = (args: ReturnType<typeof objectOf>): Read => ({
    kind: "done",
    calls: [{ name, args, rawArguments: raw.trim(), complete: true }],
    end,
    repairs: [],
  });
  const yaml = readYaml(raw, schema);
  if (yaml !== undefined) return done(yaml);
  // One declared text parameter: the body is its value.
  const properties = schema?.properties;
  const required = schema?.required;
  const texts =
    isSchema(properties) && schema !== undefined
      ? Object.keys(properties).filter((key) => typesOf(propertySchema(schema, key), schema).has("string"))
      : [];
  const keys =
    Array.isArray(required) && required.length === 1
      ? required
      : Array.isArray(required) && required.length > 1
        ? []
        : texts;
  const only = keys[0];
  if (keys.length !== 1 || typeof only !== "string") return no(end, "malformed", name);
  return done(objectOf([[only, typedValue(plainText(raw), propertySchema(schema, only), schema, new Set())]]));
}

/** Text as XML means it: CDATA is literal, entities stand for characters. */
function plainText(raw: string): string {
  const parts = raw.split("<![CDATA[");
  const first = parts.shift() ?? "";
  const rest = parts.map((part) => {
    const end = part.indexOf("]]>");
    return end === -1 ? part : part.slice(0, end) + decodeEntities(part.slice(end + 3));
  });
  return (decodeEntities(first) + rest.join("")).trim();
}
