import type { Json } from "../../model/tool-call.ts";
import { typedValue } from "../coerce.ts";
import type { Repair } from "../json/values.ts";
import { objectOf } from "../json/values.ts";
import { Text } from "../lex/text.ts";
import { commentEnd, MINIMAX_PREFIX, originalCase, tokenAt } from "../lex/token.ts";
import { itemSchema, propertySchema, typesOf } from "../schema.ts";
import type { Schema } from "../tools.ts";
import { tagsFrom } from "./tree.ts";

const MAX_NESTING = 32;

interface Child {
  readonly key: string;
  readonly raw: string;
}

/** The schemas and repairs of the value that is being read. */
interface ValueContext {
  readonly root: Schema | undefined;
  readonly repairs: Set<Repair>;
  readonly depth: number;
}

/**
 * Parses the elements inside an element: an object, or a list if they are `<item>`s, numbered, or all of one name under
 * a declared list. `undefined` without elements, or with text between them.
 */
export function childrenValue(
  raw: string,
  schema: Schema | undefined,
  root: Schema | undefined,
  repairs: Set<Repair>,
): Json | undefined {
  return elementsValue(raw, schema, { root, repairs, depth: 0 });
}

function elementsValue(raw: string, schema: Schema | undefined, context: ValueContext): Json | undefined {
  const { root, depth } = context;
  if (depth > MAX_NESTING || !raw.includes("<")) return undefined;
  // MiniMax M3 puts its token before every tag; inside a value it has no meaning.
  const children = childElements(raw.replaceAll(MINIMAX_PREFIX, ""));
  const first = children?.[0];
  if (children === undefined || first === undefined) return undefined;
  const types: ReadonlySet<string> = typesOf(schema, root);
  const isList = types.has("array");
  const isObject = types.has("object");
  // One `<item>` where a single value is declared is that value.
  if (children.length === 1 && first.key === "item" && types.size > 0 && !isList && !isObject)
    return childValue(first.raw, schema, context);
  const items = itemSchema(schema, root);
  const isNumbered = children.every((child, index) => child.key === String(index));
  // A list with a single object whose members are written without a tag around them.
  if (isList && !isObject && !isNumbered && isOneItem(children, items, root))
    return [membersOf(children, items, context)];
  const isListed = children.every((child) => child.key === first.key) && (first.key === "item" || isList);
  if (isNumbered || (isListed && (isList || !isObject)))
    return children.map((child) => childValue(child.raw, items, context));
  return membersOf(children, schema, context);
}

/** The elements of a text that consists of elements only. */
function childElements(raw: string): readonly Child[] | undefined {
  const source = new Text(raw, true);
  const children: Child[] = [];
  for (let i = source.skipBlanks(0); !source.isEnd(i); i = source.skipBlanks(i)) {
    if (source.at(i) !== "<") return undefined;
    const comment = commentEnd(source, i);
    if (comment !== undefined) {
      i = comment;
      continue;
    }
    const token = tokenAt(source, i);
    if (token === null || token.close || token.key.includes("|")) return undefined;
    const close = token.self ? { start: token.end, end: token.end } : matchingClose(source, token.end, token.key);
    if (close === undefined) return undefined;
    children.push({ key: originalCase(raw, token), raw: raw.slice(token.end, close.start) });
    i = close.end;
  }
  return children;
}

/** Whether these are members that a list's item declares, and not the items. */
function isOneItem(children: readonly Child[], items: Schema | undefined, root: Schema | undefined): boolean {
  const isDeclared = children.every((child) => propertySchema(items, child.key, root) !== undefined);
  const keys = new Set(children.map((child) => child.key));
  return isDeclared && keys.size === children.length && !children.every(({ raw }) => raw.trimStart().startsWith("<"));
}

function membersOf(children: readonly Child[], schema: Schema | undefined, context: ValueContext): Json {
  const values = new Map<string, Json[]>();
  for (const { key, raw } of children) {
    const value = childValue(raw, propertySchema(schema, key, context.root), context);
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  return objectOf([...values].map(([key, list]) => [key, list.length === 1 ? (list[0] as Json) : list] as const));
}

function childValue(raw: string, schema: Schema | undefined, context: ValueContext): Json {
  const { root, repairs, depth } = context;
  const nested = typesOf(schema, root).has("string")
    ? undefined
    : elementsValue(raw, schema, { ...context, depth: depth + 1 });
  return nested ?? typedValue(raw.trim(), schema, root, repairs);
}

function matchingClose(
  source: Text,
  from: number,
  key: string,
): { readonly start: number; readonly end: number } | undefined {
  let depth = 0;
  for (const token of tagsFrom(source, from)) {
    if (token.key !== key || token.self) continue;
    if (token.close && depth === 0) return token;
    depth += token.close ? -1 : 1;
  }
  return undefined;
}
