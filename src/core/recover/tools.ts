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
  const schemas = new Map<string, Schema | undefined>();
  for (const tool of tools ?? []) {
    const name = tool.function?.name ?? tool.name;
    if (typeof name !== "string" || name === "") continue;
    const schema = tool.function?.parameters ?? tool.parameters ?? tool.input_schema ?? tool.inputSchema;
    // The AI SDK keeps the schema one level down.
    const inner = isSchema(schema) && isSchema(schema.jsonSchema) ? schema.jsonSchema : schema;
    schemas.set(name, isSchema(inner) ? inner : undefined);
  }
  return {
    size: schemas.size,
    has: (name) => schemas.has(name),
    schema: (name) => schemas.get(name),
    names: [...schemas.keys()],
  };
}
