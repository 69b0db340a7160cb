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
  };
}

/** Evaluated lazily, because a tool may generate its schema in a getter. */
function schemaOf(tool: DeclaredTool | undefined): Schema | undefined {
  const schema = tool?.function?.parameters ?? tool?.parameters ?? tool?.input_schema ?? tool?.inputSchema;
  // The AI SDK nests the schema one level deeper.
  const inner = isSchema(schema) && isSchema(schema.jsonSchema) ? schema.jsonSchema : schema;
  return isSchema(inner) ? inner : undefined;
}
