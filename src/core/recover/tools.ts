import type { DeclaredTool } from "./types.ts";

/** A JSON Schema, as far as typing values needs it. */
export type Schema = { readonly [key: string]: unknown };

/** The declared tools by name. */
export interface ToolIndex {
  readonly size: number;
  has(name: string): boolean;
  /** Schema of the arguments, when one was declared. */
  schema(name: string): Schema | undefined;
  readonly names: readonly string[];
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Brings the tool lists of the three APIs to one index. */
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

/** Looked at only when asked for: whoever declares a tool may have to make its schema first. */
function schemaOf(tool: DeclaredTool | undefined): Schema | undefined {
  const schema = tool?.function?.parameters ?? tool?.parameters ?? tool?.input_schema ?? tool?.inputSchema;
  // The AI SDK keeps the schema one level down.
  const inner = isSchema(schema) && isSchema(schema.jsonSchema) ? schema.jsonSchema : schema;
  return isSchema(inner) ? inner : undefined;
}
