import { canonicalJson } from "../json/values.ts";
import type { Json } from "../model/tool-call.ts";

/** The types of JSON Schema. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A compiled schema. An unsupported part accepts every value (`isOpaque`), and values under it are never repaired. */
export interface SchemaNode {
  readonly isOpaque: boolean;
  /** The readable part of an opaque schema: enough to convert values, not to reject them. */
  readonly readable: SchemaNode | undefined;
  /** Absent if every type is allowed. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** Canonical JSON texts. */
  readonly members: ReadonlySet<string> | undefined;
  readonly isNullable: boolean;
  /** Whether `properties` exists, even if it is empty. */
  readonly listsProperties: boolean;
  /** Whether the schema itself allows undeclared keys explicitly. */
  readonly allowsOthers: boolean;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Schema of undeclared keys; `false` if they are forbidden. */
  readonly additional: SchemaNode | false;
  readonly items: SchemaNode;
  /** The value must fit an alternative of each group. */
  readonly unions: readonly Union[];
  readonly limits: Limits;
}

export interface Union {
  /** `oneOf`: no other alternative may fit. Applies only to repaired values, because many schemas mean `anyOf`. */
  readonly isExclusive: boolean;
  readonly alternatives: readonly SchemaNode[];
}

export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  /** Received text is assumed to match; text made by repair must match. A format is only a comment. */
  readonly pattern?: string;
}

const LIMIT_NAMES = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;

const TYPES: ReadonlySet<string> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** Keywords that decide whether a value fits but are not evaluated here. */
const UNREAD_KEYWORDS = [
  "patternProperties",
  "if",
  "not",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
  "propertyNames",
  "contains",
  "prefixItems",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
];

const MAX_SCHEMA_NODES = 10_000;

interface MutableNode {
  isOpaque: boolean;
  readable: SchemaNode | undefined;
  isNullable: boolean;
  listsProperties: boolean;
  allowsOthers: boolean;
  types: ReadonlySet<JsonType> | undefined;
  members: ReadonlySet<string> | undefined;
  properties: Map<string, SchemaNode>;
  required: Set<string>;
  additional: SchemaNode | false;
  items: SchemaNode;
  unions: Union[];
  limits: Limits;
}

type Fields = Readonly<Record<string, unknown>>;

function emptyNode(): MutableNode {
  return {
    isOpaque: false,
    readable: undefined,
    isNullable: false,
    listsProperties: false,
    allowsOthers: false,
    types: undefined,
    members: undefined,
    properties: new Map(),
    required: new Set(),
    additional: ANY,
    items: ANY,
    unions: [],
    limits: {},
  };
}

/** Accepts everything. */
export const ANY: SchemaNode = {
  isOpaque: true,
  readable: undefined,
  isNullable: false,
  listsProperties: false,
  allowsOthers: false,
  types: undefined,
  members: undefined,
  properties: new Map(),
  required: new Set(),
  get additional(): SchemaNode {
    return ANY;
  },
  get items(): SchemaNode {
    return ANY;
  },
  unions: [],
  limits: {},
};

/** Accepts nothing. */
const NEVER: SchemaNode = { ...emptyNode(), types: new Set() };

/** Compiles the parameters of a tool. Never throws: anything that is not a schema accepts everything. */
export function compileSchema(schema: unknown): SchemaNode {
  return new Compiler(schema).compile(schema);
}

class Compiler {
  readonly #root: unknown;
  /** Cached by schema object, so that recursive references end. */
  readonly #nodes = new Map<object, MutableNode>();

  constructor(root: unknown) {
    this.#root = root;
  }

  compile(schema: unknown): SchemaNode {
    // An explicit list instead of recursion: schemas come from clients.
    const queue: { readonly schema: Fields; readonly node: MutableNode }[] = [];
    const nodeOf = (part: unknown): SchemaNode => {
      if (part === false) return NEVER;
      const target = this.#resolve(part);
      if (target === undefined) return ANY;
      const known = this.#nodes.get(target);
      if (known !== undefined) return known;
      if (this.#nodes.size >= MAX_SCHEMA_NODES) return ANY;
      const node = emptyNode();
      this.#nodes.set(target, node);
      // Keywords beside a reference count too, but are not evaluated.
      const isRef = target.$ref !== undefined;
      node.isOpaque = isRef || UNREAD_KEYWORDS.some((keyword) => target[keyword] !== undefined);
      if (isRef) node.readable = nodeOf({ $ref: target.$ref });
      else {
        const filled = node.isOpaque ? emptyNode() : node;
        if (node.isOpaque) node.readable = filled;
        queue.push({ schema: target, node: filled });
      }
      return node;
    };
    const root = nodeOf(schema);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) this.#fill(next.node, next.schema, nodeOf);
    return root;
  }

  /** Follows references within the schema. Returns undefined for anything other than a schema object. */
  #resolve(part: unknown): Fields | undefined {
    let current = part;
    for (let hops = 0; hops < 16; hops += 1) {
      if (!isFields(current)) return undefined;
      const { $ref } = current;
      if ($ref === undefined) return current;
      if (typeof $ref !== "string" || !$ref.startsWith("#")) return undefined;
      if (Object.keys(current).some((key) => !HARMLESS_BESIDE_REF.has(key))) return current;
      current = this.#pointer($ref.slice(1));
    }
    return undefined;
  }

  #pointer(pointer: string): unknown {
    let current: unknown = this.#root;
    for (const part of pointer.split("/").slice(1)) {
      const key = decodePointer(part);
      if (Array.isArray(current)) current = current[Number(key)];
      else if (isFields(current) && Object.hasOwn(current, key)) current = current[key];
      else return undefined;
    }
    return current;
  }

  #fill(node: MutableNode, schema: Fields, nodeOf: (part: unknown) => SchemaNode): void {
    node.types = namedTypes(schema);
    node.isNullable = schema.nullable === true;
    if (Array.isArray(schema.enum)) node.members = new Set(schema.enum.map((one) => canonicalJson(one as Json)));
    if (schema.const !== undefined) node.members = new Set([canonicalJson(schema.const as Json)]);
    node.listsProperties = isFields(schema.properties);
    if (isFields(schema.properties))
      for (const [key, part] of Object.entries(schema.properties)) node.properties.set(key, nodeOf(part));
    if (Array.isArray(schema.required))
      for (const key of schema.required) if (typeof key === "string") node.required.add(key);
    const { additionalProperties: others } = schema;
    node.allowsOthers = others === true || isFields(others);
    if (others === false && schema.patternProperties === undefined) node.additional = false;
    else if (isFields(others)) node.additional = nodeOf(others);
    if (isFields(schema.items)) node.items = nodeOf(schema.items);
    node.limits = limitsOf(schema);
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const alternatives = schema[keyword];
      if (Array.isArray(alternatives) && alternatives.length > 0)
        node.unions.push({ isExclusive: keyword === "oneOf", alternatives: alternatives.map(nodeOf) });
    }
    // Each part of `allOf` is a group with one alternative: the value must fit all of them.
    if (Array.isArray(schema.allOf))
      for (const part of schema.allOf) node.unions.push({ isExclusive: false, alternatives: [nodeOf(part)] });
  }
}

const HARMLESS_BESIDE_REF = new Set(["$ref", "title", "description", "default", "examples", "deprecated", "$comment"]);

function decodePointer(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Returns undefined if every type is allowed. An unknown type name allows every type. */
function namedTypes({ type, nullable }: Fields): ReadonlySet<JsonType> | undefined {
  const names = (Array.isArray(type) ? type : [type]).map((name) => {
    const word = typeof name === "string" ? name.toLowerCase() : "";
    return TYPE_ALIASES[word] ?? word;
  });
  if (names.length === 0 || !names.every((name) => TYPES.has(name))) return undefined;
  return new Set([...(names as JsonType[]), ...(nullable === true ? (["null"] as const) : [])]);
}

/** Type names used by Gemini, Python and people. */
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  list: "array",
};

function limitsOf(schema: Fields): Limits {
  return {
    ...Object.fromEntries(
      LIMIT_NAMES.flatMap((name) => (typeof schema[name] === "number" ? [[name, schema[name]]] : [])),
    ),
    ...(schema.uniqueItems === true && { uniqueItems: true }),
    ...(typeof schema.pattern === "string" && { pattern: schema.pattern }),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
