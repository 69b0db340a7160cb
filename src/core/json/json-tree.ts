/** A JSON value with its place in the text it was read from. */
export type JsonNode = (
  | { readonly kind: "object"; readonly members: readonly JsonMember[]; readonly hasDuplicates: boolean }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number" | "true" | "false" | "null" }
) & { readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  /** Where the key begins; the member ends with its value. */
  readonly start: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

export const MAX_JSON_DEPTH = 64;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const PLAIN_STRING = /[^"\\\p{Cc}]*/uy;
const LITERALS = ["true", "false", "null"] as const;

interface OpenObject {
  readonly kind: "object";
  readonly start: number;
  readonly members: JsonMember[];
  readonly keys: Set<string>;
  hasDuplicates: boolean;
  key: { readonly name: string; readonly start: number; readonly end: number } | undefined;
}

interface OpenArray {
  readonly kind: "array";
  readonly start: number;
  readonly items: JsonNode[];
}

/**
 * Reads the JSON value that begins at `from`, after white space. Returns undefined if no value begins there, if it is
 * not complete, or if it is nested deeper than {@link MAX_JSON_DEPTH}.
 */
export function readTree(text: string, from = 0): JsonNode | undefined {
  const open: (OpenObject | OpenArray)[] = [];
  let at = skip(SPACE, text, from);
  for (;;) {
    const step = readValueOrOpen(text, at, open);
    if (step === undefined) return undefined;
    at = step.at;
    if (step.node === undefined) continue;
    let node: JsonNode = step.node;
    // Closes every container that ends here.
    for (;;) {
      const parent = open.at(-1);
      if (parent === undefined) return node;
      addTo(parent, node);
      at = skip(SPACE, text, at);
      const sign = text.charAt(at);
      if (sign === ",") {
        at = afterComma(text, at + 1, parent);
        if (at === -1) return undefined;
        break;
      }
      if (sign !== (parent.kind === "object" ? "}" : "]")) return undefined;
      at += 1;
      open.pop();
      node = closed(parent, at);
    }
  }
}

/** Reads a scalar or an empty container, or opens a container and moves to its first value. */
function readValueOrOpen(
  text: string,
  at: number,
  open: (OpenObject | OpenArray)[],
): { readonly at: number; readonly node?: JsonNode } | undefined {
  const sign = text.charAt(at);
  if (sign !== "{" && sign !== "[") {
    const node = readScalar(text, at);
    return node && { at: node.end, node };
  }
  if (open.length >= MAX_JSON_DEPTH) return undefined;
  const inside = skip(SPACE, text, at + 1);
  if (sign === "[") {
    const list: OpenArray = { kind: "array", start: at, items: [] };
    if (text.charAt(inside) === "]") return { at: inside + 1, node: closed(list, inside + 1) };
    open.push(list);
    return { at: inside };
  }
  const object: OpenObject = {
    ...{ kind: "object", start: at, members: [], keys: new Set(), hasDuplicates: false, key: undefined },
  };
  if (text.charAt(inside) === "}") return { at: inside + 1, node: closed(object, inside + 1) };
  const value = readKey(text, inside, object);
  if (value === -1) return undefined;
  open.push(object);
  return { at: value };
}

function afterComma(text: string, at: number, parent: OpenObject | OpenArray): number {
  const next = skip(SPACE, text, at);
  return parent.kind === "array" ? next : readKey(text, next, parent);
}

/** Returns where the value of the key begins, or -1. */
function readKey(text: string, at: number, object: OpenObject): number {
  const key = readString(text, at);
  if (key === undefined) return -1;
  const colon = skip(SPACE, text, key.end);
  if (text.charAt(colon) !== ":") return -1;
  object.key = { name: key.value, start: at, end: key.end };
  return skip(SPACE, text, colon + 1);
}

function addTo(parent: OpenObject | OpenArray, value: JsonNode): void {
  if (parent.kind === "array") {
    parent.items.push(value);
    return;
  }
  const { key } = parent;
  if (key === undefined) return;
  if (parent.keys.has(key.name)) parent.hasDuplicates = true;
  parent.keys.add(key.name);
  parent.members.push({ key: key.name, start: key.start, keyEnd: key.end, value });
  parent.key = undefined;
}

function closed(open: OpenObject | OpenArray, end: number): JsonNode {
  const { start } = open;
  return open.kind === "array"
    ? { kind: "array", items: open.items, start, end }
    : { kind: "object", members: open.members, hasDuplicates: open.hasDuplicates, start, end };
}

function readScalar(text: string, at: number): JsonNode | undefined {
  if (text.charAt(at) === '"') return readString(text, at);
  const literal = LITERALS.find((word) => text.startsWith(word, at));
  if (literal !== undefined) return { kind: literal, start: at, end: at + literal.length };
  const end = skip(NUMBER, text, at);
  return end === at ? undefined : { kind: "number", start: at, end };
}

function readString(
  text: string,
  at: number,
): { readonly kind: "string"; readonly value: string; readonly start: number; readonly end: number } | undefined {
  if (text.charAt(at) !== '"') return undefined;
  let end = at + 1;
  for (;;) {
    end = skip(PLAIN_STRING, text, end);
    const sign = text.charAt(end);
    if (sign === '"') break;
    if (sign !== "\\" || end + 1 >= text.length) return undefined;
    end += 2;
  }
  end += 1;
  try {
    return { kind: "string", value: JSON.parse(text.slice(at, end)), start: at, end };
  } catch {
    return undefined;
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Where white space after `at` ends. */
export function skipSpace(text: string, at: number): number {
  return skip(SPACE, text, at);
}

/** Reads a text that is one JSON value and nothing else. */
export function readWholeTree(text: string): JsonNode | undefined {
  const node = readTree(text);
  return node !== undefined && skipSpace(text, node.end) === text.length ? node : undefined;
}
