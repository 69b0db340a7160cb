import { canonicalJson, objectOf, type Repair } from "../../json/values.ts";
import type { Json } from "../../model/tool-call.ts";
import type { SchemaNode } from "../../schema/compile.ts";
import { itemsOf, propertyOf, requiredOf, typesOf } from "../../schema/lookup.ts";
import { Text } from "../../text/cursor.ts";
import type { Doubts } from "../arguments-fit.ts";
import { typedValue } from "../coerce.ts";
import { commentEnd, decodeEntities, MINIMAX_PREFIX, originalCase, type Token, tokenAt } from "../lex/token.ts";
import { tagsFrom } from "./tree.ts";
import { readYaml } from "./yaml.ts";

const ENTITY = /&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|lt|gt|amp|quot|apos|nbsp);/g;

/** How the text of a parameter becomes its value. */
export interface ValueOptions {
  /** The tag says that it is text. A schema knows better. */
  readonly isText?: boolean;
  /** One line break on either side belongs to the markup. */
  readonly trimsLines?: boolean;
  /** In a dialect whose elements are named after parameters, elements are members, unless text is declared. */
  readonly isNested?: boolean;
}

/** What has been read of a call so far. */
export class Draft {
  readonly name: string;
  readonly schema: SchemaNode | undefined;
  /** The parameters in the order of their first values. */
  readonly values = new Map<string, Json>();
  readonly repairs = new Set<Repair>();
  /** Parameters that were opened without a value. */
  readonly unstated = new Set<string>();
  /** A tag is at an invalid position, so its meaning is a guess. */
  isAmbiguous = false;
  /** Values are decoded when they are clearly entity-encoded. */
  private readonly decodes: boolean;
  /** Lists that repetition made, still growing. */
  private readonly lists = new Map<string, Json[]>();

  constructor(name: string, schema: SchemaNode | undefined, decodes: boolean) {
    this.name = name;
    this.schema = schema;
    this.decodes = decodes;
  }

  declares(key: string): boolean {
    return propertyOf(this.schema, key) !== undefined;
  }

  /** What is not certain about the call; a value that came later states its parameter. */
  doubts(): Doubts {
    const unstated = [...this.unstated].filter((key) => !this.values.has(key));
    return { ambiguous: this.isAmbiguous, unquoted: true, unstated };
  }

  addText(key: string, raw: string, options: ValueOptions = {}): void {
    const { isText = false, trimsLines = false, isNested = false } = options;
    const property = propertyOf(this.schema, key);
    const types: ReadonlySet<string> = typesOf(property);
    const isStructured = (isNested || types.has("array") || types.has("object")) && !types.has("string");
    const structured = isStructured ? this.structureIn(raw, property, isNested) : undefined;
    const text = this.unwrapped(trimsLines ? withoutLayout(raw) : raw);
    const isGiven = isText && property === undefined;
    this.add(key, structured ?? (isGiven ? text : typedValue(text, property, this.repairs)), types);
  }

  /** The value of elements, or of lines in YAML where only an object is declared. */
  private structureIn(raw: string, schema: SchemaNode | undefined, isNested: boolean): Json | undefined {
    const elements = childrenValue(raw, schema, this.repairs);
    const types: ReadonlySet<string> = typesOf(schema);
    const isYaml = isNested && types.size === 1 && types.has("object") && !/^\s*[{<]/.test(raw);
    return elements ?? (isYaml ? readYaml(raw, schema) : undefined);
  }

  /** The text without `<value>`, CDATA and entities around it. */
  private unwrapped(text: string): string {
    const inner = /^\s*<value>([\s\S]*)<\/value>\s*$/.exec(text)?.[1] ?? text;
    const literal = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(inner)?.[1];
    if (literal !== undefined) return literal;
    const isEncoded =
      this.decodes && inner.includes("&") && !inner.includes("<") && !inner.replace(ENTITY, "").includes("&");
    if (!isEncoded) return inner;
    this.repairs.add("decoded-entities");
    return decodeEntities(inner);
  }

  /** A repeated parameter is a list, unless it was declared as something else: then the last one counts. */
  add(key: string, value: Json, types: ReadonlySet<string> = new Set()): void {
    const earlier = this.values.get(key);
    if (earlier === undefined) {
      this.values.set(key, value);
      return;
    }
    this.repairs.add("repeated-parameter");
    if (types.size === 0 || types.has("array")) {
      this.addItem(key, earlier, value, types.has("array"));
      return;
    }
    // The text does not show which of two values of a required parameter counts.
    const isRequired = requiredOf(this.schema).includes(key);
    if (isRequired && canonicalJson(earlier) !== canonicalJson(value)) this.isAmbiguous = true;
    this.values.set(key, value);
  }

  private addItem(key: string, earlier: Json, value: Json, isDeclared: boolean): void {
    let list = this.lists.get(key);
    if (list === undefined) {
      list = Array.isArray(earlier) && (isDeclared || !Array.isArray(value)) ? [...earlier] : [earlier];
      this.lists.set(key, list);
      this.values.set(key, list);
    }
    if (isDeclared && Array.isArray(value)) for (const item of value as readonly Json[]) list.push(item);
    else list.push(value);
  }
}

/**
 * A value without the line breaks around it. Where its closer is indented the call was laid out: the lines are as far
 * indented as the closer, and a single line is the value.
 */
function withoutLayout(raw: string): string {
  const text = raw.replace(/^\r?\n/, "");
  const end = text.length - trailingBlanks(text);
  const indent = text.slice(end);
  const isLaidOut = text !== raw && indent !== "" && text[end - 1] === "\n";
  return (isLaidOut ? dedented(text.slice(0, Math.max(0, end - 1)), indent) : undefined) ?? text.replace(/\r?\n$/, "");
}

/** The lines without their indentation, if all of them have it. */
function dedented(text: string, indent: string): string | undefined {
  const lines = text.split("\n");
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === "")) return undefined;
  if (lines.length === 1) return text.trim();
  return lines
    .map((line) => line.slice(indent.length))
    .join("\n")
    .replace(/\r$/, "");
}

function trailingBlanks(text: string): number {
  let i = text.length;
  while (text[i - 1] === " " || text[i - 1] === "\t") i -= 1;
  return text.length - i;
}

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
  schema: SchemaNode | undefined,
  repairs: Set<Repair>,
  depth = 0,
): Json | undefined {
  // MiniMax M3 puts its token before every tag; inside a value it has no meaning.
  const children = depth > MAX_NESTING ? [] : childElements(raw.replaceAll(MINIMAX_PREFIX, ""));
  const [first, ...others] = children;
  if (first === undefined) return undefined;
  const toValue = (child: Child, own: SchemaNode | undefined): Json => {
    const isText = typesOf(own).has("string");
    const nested = isText ? undefined : childrenValue(child.raw, own, repairs, depth + 1);
    return nested ?? typedValue(child.raw.trim(), own, repairs);
  };
  const types = typesOf(schema);
  const isList = types.has("array");
  const isOther = types.size > 0 && !isList && !types.has("object");
  // One `<item>` where a single value is declared is that value.
  if (others.length === 0 && first.key === "item" && isOther) return toValue(first, schema);
  const items = itemsOf(schema);
  const isNumbered = children.every((child, index) => child.key === String(index));
  // A list with a single object whose members are written without a tag around them.
  if (isList && !types.has("object") && !isNumbered && isOneItem(children, items))
    return [membersOf(children, (child) => toValue(child, propertyOf(items, child.key)))];
  const isAlike = others.every((child) => child.key === first.key);
  if (isNumbered || (isAlike && (isList || (first.key === "item" && !types.has("object")))))
    return children.map((child) => toValue(child, items));
  return membersOf(children, (child) => toValue(child, propertyOf(schema, child.key)));
}

/** The elements of a text that consists of elements only; none of other texts. */
function childElements(raw: string): readonly Child[] {
  const source = new Text(raw, true);
  const children: Child[] = [];
  for (let i = source.skipBlanks(0); !source.isEnd(i); i = source.skipBlanks(i)) {
    const comment = commentEnd(source, i);
    const token = comment === undefined ? tokenAt(source, i) : null;
    if (comment !== undefined) i = comment;
    else {
      if (token === null || token.close || token.key.includes("|")) return [];
      const close = token.self ? { start: token.end, end: token.end } : matchingClose(source, token.end, token.key);
      if (close === undefined) return [];
      children.push({ key: originalCase(raw, token), raw: raw.slice(token.end, close.start) });
      i = close.end;
    }
  }
  return children;
}

function matchingClose(source: Text, from: number, key: string): Token | undefined {
  let depth = 0;
  for (const token of tagsFrom(source, from)) {
    if (token.key !== key || token.self) continue;
    if (token.close && depth === 0) return token;
    depth += token.close ? -1 : 1;
  }
  return undefined;
}

/** Whether these are members that a list's item declares, and not the items. */
function isOneItem(children: readonly Child[], items: SchemaNode | undefined): boolean {
  const isDeclared = children.every((child) => propertyOf(items, child.key) !== undefined);
  const keys = new Set(children.map((child) => child.key));
  return isDeclared && keys.size === children.length && !children.every(({ raw }) => raw.trimStart().startsWith("<"));
}

/** An object of the children; those of one name are a list. */
function membersOf(children: readonly Child[], toValue: (child: Child) => Json): Json {
  const members = [...Map.groupBy(children, (child) => child.key)];
  return objectOf(
    members.map(([key, [first, ...others]]) => {
      const value = toValue(first as Child);
      return [key, others.length === 0 ? value : [value, ...others.map(toValue)]] as const;
    }),
  );
}
