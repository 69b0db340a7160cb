import { checkOption, oneOf } from "../check-options.ts";
import type { JsonSchema, ToolDefinition } from "../model/model-function.ts";

/** A tool in the format of OpenAI's Chat Completions. */
export interface OpenAIChatTool {
  type: "function";
  function: { name: string; description?: string; parameters: JsonSchemaObject };
}

/** A tool in the format of OpenAI's Responses. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description?: string;
  parameters: JsonSchemaObject;
  /** Strict mode would reject schemas with optional properties. */
  strict: false;
}

/** A tool in the format of Anthropic's Messages. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: JsonSchemaObject & { type: "object" };
}

/** A tool in the format of MCP servers. */
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

/** Throws for an unknown format. */
export function checkFormat(format: string): void {
  checkOption("definitions", "format", format, oneOf(...Object.keys(WRITERS)));
}

/** Converts a tool to the format of an API. */
export function definitionFor<Format extends keyof DefinitionFormats>(
  format: Format,
  tool: ToolDefinition,
): DefinitionFormats[Format] {
  return WRITERS[format](tool);
}

function head({ name, description }: ToolDefinition): { name: string; description?: string } {
  return { name, ...(description !== undefined && { description }) };
}

/** All APIs require `type: "object"` at the top level. */
function objectSchema(schema: JsonSchema): JsonSchemaObject & { type: "object" } {
  return { ...schema, type: "object" };
}
