import { type JsonMember, type JsonNode, readWholeTree } from "../json/json-tree.ts";
import { rewriteLooseJson } from "../json/rewrite.ts";
import { applyEdits, canonicalJson, type Edit } from "../json/values.ts";
import type { Json } from "../model/tool-call.ts";
import type { JsonType, SchemaNode } from "../schema/compile.ts";
import { type FitRules, findMisfit, memberPath, typesOfValue } from "../schema/fits.ts";

/** Faults of a call, by the group that settings switch. */
export const FAULTS = {
  values: [
    "json-as-text",
    "number-as-text",
    "boolean-as-text",
    "text-as-number",
    "null-for-optional",
    "single-item",
    "comma-list",
    "enum-spelling",
    "typed-value",
  ],
  keys: ["key-spelling", "wrapper"],
  json: ["empty", "double-encoded", "empty-object-first", "repeated", "trailing-text", "fence", "syntax"],
} as const;
export type Fault = (typeof FAULTS)[keyof typeof FAULTS][number];

/** Whether the settings allow the repair of a fault. */
export type FaultFilter = (fault: Fault) => boolean;

/** One change of a call's arguments. */
export interface Repair {
  readonly class: Fault;
  /** JSON path of the changed value. */
  readonly path: string;
  /** The JSON texts; absent where the whole arguments changed. */
  readonly before?: string;
  readonly after?: string;
}

export interface Change {
  readonly edits: readonly Edit[];
  readonly repairs: readonly Repair[];
}

/** A parsed text, and how its values are compared. */
export interface Source extends FitRules {
  readonly text: string;
}

/** The value of a node. */
export function nodeValue({ text }: Source, { start, end }: JsonNode): Json {
  return JSON.parse(text.slice(start, end)) as Json;
}

const UNCHANGED: Change = { edits: [], repairs: [] };

/**
 * Returns the change that makes a value fit its schema: none if it fits, and undefined if there is no change or more
 * than one. A value that fits is never changed, whatever it looks like.
 */
export function repairValue(source: Source, value: JsonNode, schema: SchemaNode, path: string): Change | undefined {
  if (findMisfit(source, nodeValue(source, value), schema, path) === undefined) return UNCHANGED;
  const found = new Map<string, Change>();
  for (const change of proposals(source, value, schema, path)) {
    const text = applyEdits(source.text.slice(value.start, value.end), change.edits, value.start);
    if (!fitsAsText({ ...source, text, isStrict: true }, schema)) continue;
    const read = canonicalJson(JSON.parse(text));
    if (!found.has(read)) found.set(read, change);
  }
  const [only, other] = found.values();
  return other === undefined ? only : undefined;
}

/** Whether a JSON text fits. */
export function fitsAsText(source: Source, schema: SchemaNode): boolean {
  const node = readWholeTree(source.text);
  return node !== undefined && findMisfit(source, nodeValue(source, node), schema) === undefined;
}

/** Every reading that may fit. The caller drops those that do not. */
function* proposals(source: Source, value: JsonNode, schema: SchemaNode, path: string): Iterable<Change> {
  for (const { alternatives } of schema.unions)
    for (const alternative of alternatives) {
      const change = repairValue(source, value, alternative, path);
      if (change !== undefined && change !== UNCHANGED) yield change;
    }
  const raw = source.text.slice(value.start, value.end);
  const replace = (fault: Fault, text: string, inner: readonly Repair[] = []): Change => ({
    edits: [{ start: value.start, end: value.end, text }],
    repairs: [{ class: fault, path, before: raw, after: text }, ...inner],
  });
  const wants = (type: JsonType): boolean => schema.types?.has(type) === true;
  if (value.kind === "string")
    yield* readingsOfText({ ...source, text: value.value.trim() }, schema, replace, wants, path);
  if (value.kind === "number" && wants("string")) yield replace("text-as-number", JSON.stringify(raw));
  if ((value.kind === "number" || value.kind === "true" || value.kind === "false") && wants("array"))
    yield replace("single-item", `[${raw}]`);
  if (value.kind === "object") {
    const inner = typedValue(value, source);
    if (inner !== undefined) yield replace("typed-value", inner);
    if (wants("object") || schema.properties.size > 0) {
      const change = repairMembers(source, value, schema, path);
      if (change !== undefined) yield change;
    }
  }
  if (value.kind === "array") {
    const change = repairItems(source, value.items, schema.items, path);
    if (change !== undefined) yield change;
  }
}

type Replace = (fault: Fault, text: string, inner?: readonly Repair[]) => Change;

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const WHOLE_FLOAT = /^(-?(?:0|[1-9]\d*))\.0+$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function* readingsOfText(
  source: Source,
  schema: SchemaNode,
  replace: Replace,
  wants: (type: JsonType) => boolean,
  path: string,
): Iterable<Change> {
  const { text } = source;
  if (wants("number") && NUMBER.test(text)) yield replace("number-as-text", text);
  else if (wants("integer") && INTEGER.test(text)) yield replace("number-as-text", text);
  else if (wants("integer")) {
    const whole = WHOLE_FLOAT.exec(text)?.[1];
    if (whole !== undefined) yield replace("number-as-text", whole);
  }
  if (wants("boolean") && /^(?:true|false)$/i.test(text)) yield replace("boolean-as-text", text.toLowerCase());
  if (schema.members !== undefined) {
    const member = spelledLike(text, schema.members);
    if (member !== undefined) yield replace("enum-spelling", member);
    if (NUMBER.test(text) && schema.members.has(text)) yield replace("number-as-text", text);
  }
  if (wants("array") || wants("object")) yield* readingsOfJsonText(source, schema, replace, path);
  if (wants("array")) yield* readingsAsList(source, schema.items, replace);
}

/** A list or an object that was written as text, in JSON or in Python's notation. */
function* readingsOfJsonText(source: Source, schema: SchemaNode, replace: Replace, path: string): Iterable<Change> {
  const { text } = source;
  if (!/^[[{(]/.test(text)) return;
  const json = readWholeTree(text) === undefined ? rewriteLooseJson(text) : text;
  if (json === undefined) return;
  const node = readWholeTree(json);
  if (node === undefined || (node.kind !== "array" && node.kind !== "object")) return;
  const inner = repairValue({ ...source, text: json }, node, schema, path);
  if (inner !== undefined) yield replace("json-as-text", applyEdits(json, inner.edits), inner.repairs);
}

/** A single item without its list, or items separated by commas if that is the only meaning. */
function* readingsAsList(source: Source, items: SchemaNode, replace: Replace): Iterable<Change> {
  const { text } = source;
  if (text === "" || items.isOpaque) return;
  const { members } = items;
  const one = itemText(source, items) ?? (members && spelledLike(text, members));
  if (one !== undefined && (members !== undefined || !/[[\](){}"'`,\n;|]/.test(text)))
    yield replace("single-item", `[${one}]`);
  const parts = text.split(",").map((part) => part.trim());
  const isClosedSet = members !== undefined || (items.types !== undefined && !items.types.has("string"));
  // With a comma in a member, the meaning of commas is ambiguous.
  const hasCommas = members !== undefined && [...members].some((member) => member.includes(","));
  if (parts.length < 2 || parts.length > 1000 || !isClosedSet || hasCommas) return;
  const texts = parts.map((part) => itemText({ ...source, text: part }, items));
  if (texts.every((part) => part !== undefined)) yield replace("comma-list", `[${texts.join(", ")}]`);
}

/** The JSON text of an item, if the text itself or the number in it fits. */
function itemText({ text, steps }: Source, items: SchemaNode): string | undefined {
  const readings = [JSON.stringify(text), ...(NUMBER.test(text) ? [text] : [])];
  return readings.find((json) => fitsAsText({ text: json, steps }, items));
}

/** The only member that equals the text but for case, blanks, `_` and `-`. */
function spelledLike(text: string, members: ReadonlySet<string>): string | undefined {
  const wanted = folded(text);
  const found = [...members].filter((member) => member.startsWith('"') && folded(JSON.parse(member)) === wanted);
  return wanted !== "" && found.length === 1 ? found[0] : undefined;
}

/** Removes the characters in which spellings differ: case, blanks, `_` and `-`. */
export function folded(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

const TYPE_NAMES = new Set(["string", "number", "integer", "boolean", "array", "object"]);

/** The value of `{"type": "integer", "value": 5}`, which some models send for a plain 5. */
function typedValue(value: JsonNode & { readonly kind: "object" }, source: Source): string | undefined {
  if (value.members.length !== 2) return undefined;
  const type = value.members.find(({ key }) => key === "type")?.value;
  const inner = value.members.find(({ key }) => key === "value")?.value;
  if (type?.kind !== "string" || inner === undefined || !TYPE_NAMES.has(type.value)) return undefined;
  const isOfType = typesOfValue(nodeValue(source, inner)).some((name) => name === type.value);
  return isOfType ? source.text.slice(inner.start, inner.end) : undefined;
}

/** Repairs an item of a list. Other values do not become a nested list, because the intended rows are unknown. */
export function repairItem(source: Source, item: JsonNode, schema: SchemaNode, path: string): Change | undefined {
  const change = repairValue(source, item, schema, path);
  return change?.repairs.some((one) => one.class === "single-item" && one.path === path) === true ? undefined : change;
}

function repairItems(source: Source, items: readonly JsonNode[], schema: SchemaNode, path: string): Change | undefined {
  const changes = items.map((item, index) => repairItem(source, item, schema, `${path}[${index}]`));
  return changes.every((change) => change !== undefined) ? join(changes) : undefined;
}

function join(changes: readonly Change[]): Change {
  return {
    edits: changes.flatMap(({ edits }) => edits),
    repairs: changes.flatMap(({ repairs }) => repairs),
  };
}

/** Repairs values and keys of an object, and removes nulls of optional members. */
function repairMembers(
  source: Source,
  object: JsonNode & { readonly kind: "object" },
  schema: SchemaNode,
  path: string,
): Change | undefined {
  // Of two values for one key, either may be meant.
  if (object.hasDuplicates) return undefined;
  const changes: Change[] = [];
  const dropped = new Set<JsonMember>();
  for (const member of object.members) {
    const name = schema.properties.has(member.key) ? member.key : respelled(member.key, object, schema);
    const at = memberPath(path, member.key);
    const declared = name === undefined ? schema.additional : schema.properties.get(name);
    if (declared === undefined || declared === false) return undefined;
    if (name !== undefined && isNeedlessNull(source, member.value, declared, name, schema)) {
      dropped.add(member);
      changes.push({ edits: [], repairs: [{ class: "null-for-optional", path: at, before: "null" }] });
      continue;
    }
    const change = repairValue(source, member.value, declared, at);
    if (change === undefined) return undefined;
    changes.push(change);
    if (name !== undefined && name !== member.key) changes.push(renamed(member, name, path));
  }
  changes.push({ edits: dropEdits(object.members, dropped), repairs: [] });
  return join(changes);
}

export function isNeedlessNull(
  source: Source,
  value: JsonNode,
  declared: SchemaNode,
  name: string,
  { required }: SchemaNode,
): boolean {
  return value.kind === "null" && !required.has(name) && findMisfit(source, null, declared) !== undefined;
}

function renamed({ key, start, keyEnd }: JsonMember, name: string, path: string): Change {
  const text = JSON.stringify(name);
  return {
    edits: [{ start, end: keyEnd, text }],
    repairs: [{ class: "key-spelling", path: memberPath(path, key), before: JSON.stringify(key), after: text }],
  };
}

/**
 * The declared key that differs only in spelling from an undeclared one. Applies only if the undeclared key cannot be
 * intended: the declared one is required and missing, or no other keys are allowed.
 */
function respelled(
  key: string,
  { members }: JsonNode & { readonly kind: "object" },
  { properties, required, additional }: SchemaNode,
): string | undefined {
  const wanted = folded(key);
  const present = new Set(members.map((member) => member.key));
  const names = [...properties.keys()].filter((name) => folded(name) === wanted);
  const rivals = members.filter((member) => !properties.has(member.key) && folded(member.key) === wanted);
  const [name] = names;
  if (name === undefined || names.length > 1 || rivals.length > 1 || present.has(name)) return undefined;
  return required.has(name) || additional === false ? name : undefined;
}

/** Removes members together with their commas. */
function dropEdits(members: readonly JsonMember[], dropped: ReadonlySet<JsonMember>): readonly Edit[] {
  const edits: Edit[] = [];
  let hasKept = false;
  for (const [index, member] of members.entries()) {
    if (!dropped.has(member)) {
      hasKept = true;
      continue;
    }
    const before = members[index - 1];
    const next = members[index + 1];
    if (hasKept && before !== undefined) edits.push({ start: before.value.end, end: member.value.end, text: "" });
    else edits.push({ start: member.start, end: next?.start ?? member.value.end, text: "" });
  }
  return edits;
}
