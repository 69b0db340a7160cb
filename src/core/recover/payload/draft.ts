import type { Json } from "../../model/tool-call.ts";
import type { Doubts } from "../arguments-fit.ts";
import { typedValue } from "../coerce.ts";
import type { Repair } from "../json/values.ts";
import { canonicalJson } from "../json/values.ts";
import { decodeEntities } from "../lex/token.ts";
import { propertySchema, requiredKeys, typesOf } from "../schema.ts";
import type { Schema } from "../tools.ts";
import { childrenValue } from "./children.ts";

const ENTITY = /&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|lt|gt|amp|quot|apos|nbsp);/g;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** How the text of a parameter becomes its value. */
export interface ValueOptions {
  readonly attributes?: ReadonlyMap<string, string>;
  /** One line break on either side belongs to the markup. */
  readonly trimsLines?: boolean;
}

/** What has been read of a call so far. */
export class Draft {
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly entries: Array<[string, Json]> = [];
  readonly repairs = new Set<Repair>();
  /** Parameters that were opened without a value. */
  readonly unstated = new Set<string>();
  /** A tag is at an invalid position, so its meaning is a guess. */
  isAmbiguous = false;
  /** Values are decoded when they are clearly entity-encoded. */
  private readonly decodes: boolean;
  private readonly places = new Map<string, number>();
  /** Lists that repetition made, still growing. */
  private readonly lists = new Map<string, Json[]>();

  constructor(name: string, schema: Schema | undefined, decodes: boolean) {
    this.name = name;
    this.schema = schema;
    this.decodes = decodes;
  }

  has(key: string): boolean {
    return this.places.has(key);
  }

  declares(key: string): boolean {
    return propertySchema(this.schema, key) !== undefined;
  }

  /** What is not certain about the call; a value that came later states its parameter. */
  doubts(): Doubts | undefined {
    if (this.isAmbiguous) return { ambiguous: true };
    const unstated = [...this.unstated].filter((key) => !this.has(key));
    return unstated.length === 0 ? undefined : { unstated };
  }

  addText(key: string, raw: string, { attributes = NO_ATTRIBUTES, trimsLines = false }: ValueOptions = {}): void {
    const { schema, repairs } = this;
    const text = this.unwrapped(trimsLines ? raw.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : raw);
    const property = propertySchema(schema, key);
    const types: ReadonlySet<string> = typesOf(property, schema);
    const isStructured = (types.has("array") || types.has("object")) && !types.has("string");
    const elements = isStructured && /^\s*</.test(text) ? childrenValue(text, property, schema, repairs) : undefined;
    const kind = attributes.get("string") ?? attributes.get("type");
    const isText = property === undefined && (kind === "true" || kind === "string");
    this.add(key, elements ?? (isText ? text : typedValue(text, property, schema, repairs)), types);
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
    const place = this.places.get(key);
    if (place === undefined) {
      this.places.set(key, this.entries.length);
      this.entries.push([key, value]);
      return;
    }
    this.repairs.add("repeated-parameter");
    const entry = this.entries[place] as [string, Json];
    if (types.size > 0 && !types.has("array")) {
      // The text does not show which of two values of a required parameter counts.
      const isRequired = this.schema !== undefined && requiredKeys(this.schema, this.schema).includes(key);
      if (isRequired && canonicalJson(entry[1]) !== canonicalJson(value)) this.isAmbiguous = true;
      entry[1] = value;
      return;
    }
    this.addItem(key, entry, value, types.has("array"));
  }

  private addItem(key: string, entry: [string, Json], value: Json, isDeclared: boolean): void {
    let list = this.lists.get(key);
    if (list === undefined) {
      list = Array.isArray(entry[1]) && (isDeclared || !Array.isArray(value)) ? [...entry[1]] : [entry[1]];
      this.lists.set(key, list);
      entry[1] = list;
    }
    if (isDeclared && Array.isArray(value)) for (const item of value as readonly Json[]) list.push(item);
    else list.push(value);
  }
}
