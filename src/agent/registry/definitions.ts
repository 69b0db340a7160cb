import type { JsonSchema, ToolDefinition } from "../model/model-function.ts";

/** A tool as OpenAI's chat completions take it. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description?: string; parameters: JsonSchemaObject };
}

/** A tool as OpenAI's Responses take it. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description?: string;
  parameters: JsonSchemaObject;
  /** The schema may have optional properties: strict mode would refuse it. */
  strict: false;
}

/** A tool as Anthropic's messages take it. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: JsonSchemaObject & { type: "object" };
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  name: string;
  description?: string;
  inputSchema: JsonSchemaObject & { type: "object" };
}

type JsonSchemaObject = { [key: string]: unknown };

export interface DefinitionFormats {
  "openai-chat": OpenAIChatTool;
  "openai-responses": OpenAIResponsesTool;
  anthropic: AnthropicTool;
  mcp: McpTool;
}

type Writers = { readonly [Format in keyof DefinitionFormats]: (tool: ToolDefinition) => DefinitionFormats[Format] };

const WRITERS: Writers = {
  "openai-chat": (tool) => ({
    type: "function",
    function: { ...head(tool), parameters: objectSchema(tool.inputSchema) },
  }),
  "openai-responses": (tool) => ({
    type: "function",
    ...head(tool),
    parameters: objectSchema(tool.inputSchema),
    strict: false,
  }),
  anthropic: (tool) => ({ ...head(tool), input_schema: objectSchema(tool.inputSchema) }),
  mcp: (tool) => ({ ...head(tool), inputSchema: objectSchema(tool.inputSchema) }),
};

/** A tool in the words of an API. */
export function definitionFor<Format extends keyof DefinitionFormats>(
  format: Format,
  tool: ToolDefinition,
): DefinitionFormats[Format] {
  return WRITERS[format](tool);
}

function head({ name, description }: ToolDefinition): { name: string; description?: string } {
  return { name, ...(description !== undefined && { description }) };
}

/** All APIs want an object at the top, and say so by its type. */
function objectSchema(schema: JsonSchema): JsonSchemaObject & { type: "object" } {
  return { ...schema, type: "object" };
}
