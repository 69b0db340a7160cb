import type { DeclaredTool } from "./types.ts";

/** A JSON Schema, as far as value conversion needs it. */
export type Schema = { readonly [key: string]: unknown };

/** The declared tools by name. */
export interface ToolIndex {
  readonly size: number;
  has(name: string): boolean;
  /** Schema of the arguments, if declared. */
  schema(name: string): Schema | undefined;
  readonly names: readonly string[];
  /**
   * The only declared tool that has this name in another spelling: another case, `-` or nothing for `_`, a namespace
   * too many (`functions.f`, `ns:f`) or too few (`f` for `mcp__server__f`).
   */
  like(name: string): string | undefined;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Indexes the tool lists of the three APIs. */
export function indexTools(tools: readonly DeclaredTool[] | undefined): ToolIndex {
  const byName = new Map<string, DeclaredTool>();
  for (const tool of tools ?? []) {
    const name = tool.function?.name ?? tool.name;
    if (typeof name === "string" && name !== "") byName.set(name, tool);
  }
  return {
    size: byName.size,
    has: (name) => byName.has(name),
    schema: (name) => schemaOf(byName.get(name)),
    names: [...byName.keys()],
    like: (name) => likeName(name, [...byName.keys()]),
  };
}

function likeName(name: string, names: readonly string[]): string | undefined {
  const own = segmentsOf(name);
  if (own.length === 0) return undefined;
  const same = names.filter((other) => segmentsOf(other).join(" ") === own.join(" "));
  const matches = same.length > 0 ? same : names.filter((other) => isInNamespace(own, segmentsOf(other)));
  return matches.length === 1 ? matches[0] : undefined;
}

/** The parts of a name with its namespaces, in one spelling. */
function segmentsOf(name: string): readonly string[] {
  const segments = name
    .split(/__|[.:/]/)
    .map((part) => part.toLowerCase().replace(/[_\s-]/g, ""))
    .filter((part) => part !== "");
  return segments[0] === "mcp" ? segments.slice(1) : segments;
}

/** Whether one name is the other one in a namespace. */
function isInNamespace(a: readonly string[], b: readonly string[]): boolean {
  const shorter = Math.min(a.length, b.length);
  return shorter > 0 && a.slice(-shorter).join(" ") === b.slice(-shorter).join(" ");
}

/** Evaluated lazily, because a tool may generate its schema in a getter. */
function schemaOf(tool: DeclaredTool | undefined): Schema | undefined {
  const schema = tool?.function?.parameters ?? tool?.parameters ?? tool?.input_schema ?? tool?.inputSchema;
  // The AI SDK nests the schema one level deeper.
  const inner = isSchema(schema) && isSchema(schema.jsonSchema) ? schema.jsonSchema : schema;
  return isSchema(inner) ? inner : undefined;
}
