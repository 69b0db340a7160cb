import type { Json } from "../../model/tool-call.ts";
import { typedValue } from "../coerce.ts";
import { objectOf } from "../json/object-of.ts";
import type { Repair } from "../json/repairs.ts";
import { commentEnd, lexToken, MINIMAX_PREFIX } from "../lex/token.ts";
import { itemSchema, propertySchema, typesOf } from "../schema.ts";
import type { Schema } from "../tools.ts";
import { nextTag } from "./element-value.ts";
import { originalCase } from "./markup-case.ts";

const MAX_NESTING = 32;

interface Child {
  readonly key: string;
  readonly raw: string;
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
  depth = 0,
): Json | undefined {
  if (depth > MAX_NESTING || !raw.includes("<")) return undefined;
  // MiniMax M3 puts its token before every tag; inside a value it has no meaning.
  if (raw.includes(MINIMAX_PREFIX)) raw = raw.replaceAll(MINIMAX_PREFIX, "");
  const types = schema === undefined || root === undefined ? new Set<string>() : typesOf(schema, root);
  const children: Child[] = [];
  let i = 0;
  for (;;) {
    const at = nextTag(raw, i, "");
    if (at === -1) {
      if (raw.slice(i).trim() !== "") return undefined;
      break;
    }
    if (raw.slice(i, at).trim() !== "") return undefined;
    const remark = commentEnd(raw, at, true);
    if (typeof remark === "number") {
      i = remark;
      continue;
    }
    const token = lexToken(raw, at, true);
    if (token === null || token === "more" || token.close || token.key.includes("|")) return undefined;
    const key = originalCase(raw, token);
    if (token.self) {
      children.push({ key, raw: "" });
      i = token.end;
      continue;
    }
    const close = matchingClose(raw, token.end, token.key);
    if (close === undefined) return undefined;
    children.push({ key, raw: raw.slice(token.end, close.start) });
    i = close.end;
  }
  if (children.length === 0) return undefined;
  const keys = new Set(children.map((child) => child.key));
  const listed = keys.size === 1 && (keys.has("item") || types.has("array"));
  const numbered = children.every((child, index) => child.key === String(index));
  // One `<item>` where a single value is declared is that value.
  const [single] = children;
  if (children.length === 1 && single?.key === "item" && types.size > 0 && !types.has("array") && !types.has("object"))
    return childValue(single.raw, schema, root, repairs, depth);
  const items = itemSchema(schema, root);
  // A list with a single object whose members are written without a tag around them.
  const bare = types.has("array") && !types.has("object") && !numbered && isOneItem(children, items, root);
  if (bare) return [membersOf(children, items, root, repairs, depth)];
  if ((listed && !(types.has("object") && !types.has("array"))) || numbered) {
    return children.map((child) => childValue(child.raw, items, root, repairs, depth));
  }
  return membersOf(children, schema, root, repairs, depth);
}

/** Are these members that a list's item declares, and not the items? */
function isOneItem(children: readonly Child[], items: Schema | undefined, root: Schema | undefined): boolean {
  const declared = children.every((child) => propertySchema(items, child.key, root) !== undefined);
  return (
    declared && new Set(children.map((child) => child.key)).size === children.length && !children.every(hasElements)
  );
}

function hasElements(child: Child): boolean {
  return child.raw.trimStart().startsWith("<");
}

function membersOf(
  children: readonly Child[],
  schema: Schema | undefined,
  root: Schema | undefined,
  repairs: Set<Repair>,
  depth: number,
): Json {
  const values = new Map<string, Json[]>();
  for (const { key, raw: inner } of children) {
    const value = childValue(inner, propertySchema(schema, key, root), root, repairs, depth);
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  return objectOf([...values].map(([key, list]) => [key, list.length === 1 ? (list[0] as Json) : list] as const));
}

function childValue(
  raw: string,
  schema: Schema | undefined,
  root: Schema | undefined,
  repairs: Set<Repair>,
  depth: number,
): Json {
  const types = schema === undefined || root === undefined ? undefined : typesOf(schema, root);
  const nested =
    types === undefined || !types.has("string") ? childrenValue(raw, schema, root, repairs, depth + 1) : undefined;
  return nested ?? typedValue(raw.trim(), schema, root, repairs);
}

function matchingClose(
  raw: string,
  from: number,
  key: string,
): { readonly start: number; readonly end: number } | undefined {
  let depth = 0;
  for (let i = nextTag(raw, from, ""); i !== -1; i = nextTag(raw, i, "")) {
    const token = lexToken(raw, i, true);
    if (token === null || token === "more") {
      i += 1;
      continue;
    }
    if (token.key === key && !token.self) {
      if (!token.close) depth += 1;
      else if (depth === 0) return { start: i, end: token.end };
      else depth -= 1;
    }
    i = token.end;
  }
  return undefined;
}
