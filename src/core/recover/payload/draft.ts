import type { Json, JsonObject } from "../../model/tool-call.ts";
import type { Doubts } from "../arguments-fit.ts";
import { typedValue } from "../coerce.ts";
import { canonicalJson } from "../json/canonical.ts";
import { objectOf } from "../json/object-of.ts";
import type { Repair } from "../json/repairs.ts";
import { decodeEntities } from "../lex/attributes.ts";
import { isPlainObject, propertySchema, requiredKeys, typesOf } from "../schema.ts";
import type { Schema } from "../tools.ts";
import { childrenValue } from "./children.ts";
import type { Envelope, Source } from "./payload.ts";

/** What has been read of a call so far. */
export interface Draft {
  readonly name: string;
  readonly required: ReadonlySet<string>;
  readonly entries: Array<[string, Json]>;
  readonly repairs: Set<Repair>;
  readonly seen: Map<string, number>;
  /** Lists that repetition made, still growing. */
  readonly lists: Map<string, Json[]>;
  /** Parameters that were opened without a value. */
  readonly unstated: Set<string>;
  /** A tag is at an invalid position, so its meaning is a guess. */
  ambiguous: boolean;
}

export function newDraft(name: string, schema: Schema | undefined): Draft {
  return {
    name,
    required: new Set(schema === undefined ? [] : requiredKeys(schema, schema)),
    entries: [],
    repairs: new Set(),
    seen: new Map(),
    lists: new Map(),
    unstated: new Set(),
    ambiguous: false,
  };
}

/** What is not certain about a call that was read; a value that came later states its parameter. */
export function doubtsOf(draft: Draft): { readonly doubts?: Doubts } {
  const unstated = [...draft.unstated].filter((key) => !draft.seen.has(key));
  if (draft.ambiguous) return { doubts: { ambiguous: true } };
  return unstated.length === 0 ? {} : { doubts: { unstated } };
}

/** All arguments in one parameter called `arguments`: what it holds was meant. */
export function unwrapArguments(source: Source, draft: Draft): JsonObject {
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

const ENTITY = /&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|lt|gt|amp|quot|apos|nbsp);/g;

export function addValue(
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
  const structured = types !== undefined && (types.has("array") || types.has("object")) && !types.has("string");
  const elements = structured && /^\s*</.test(text) ? childrenValue(text, property, schema, draft.repairs) : undefined;
  if (elements !== undefined) add(draft, key, elements, declared);
  else if (property === undefined && (kind === "true" || kind === "string")) add(draft, key, text);
  else add(draft, key, typedValue(text, property, schema, draft.repairs), declared);
}

/** A repeated parameter is a list, unless it was declared as something else: then the last one counts. */
export function add(draft: Draft, key: string, value: Json, declared?: "one" | "list"): void {
  const earlier = draft.seen.get(key);
  if (earlier === undefined) {
    draft.seen.set(key, draft.entries.length);
    draft.entries.push([key, value]);
    return;
  }
  draft.repairs.add("repeated-parameter");
  const entry = draft.entries[earlier] as [string, Json];
  if (declared === "one") {
    // The text does not say which of two values of a required parameter counts.
    if (draft.required.has(key) && canonicalJson(entry[1]) !== canonicalJson(value)) draft.ambiguous = true;
    entry[1] = value;
    return;
  }
  let list = draft.lists.get(key);
  if (list === undefined) {
    list = Array.isArray(entry[1]) && (declared === "list" || !Array.isArray(value)) ? [...entry[1]] : [entry[1]];
    draft.lists.set(key, list);
    entry[1] = list;
  }
  if (declared === "list" && Array.isArray(value)) for (const item of value as readonly Json[]) list.push(item);
  else list.push(value);
}
