import { dynamicTool, jsonSchema, NoSuchToolError, type ToolCallRepairFunction, type ToolSet } from "ai";
import { anything, type Checks, checkOptions, positive } from "../../agent/check-options.ts";
import type { CallOptions, Tool, ToolFailure, ToolRegistry } from "../../agent/index.ts";
import { readArguments } from "../../agent/registry/arguments.ts";
import { modelResult } from "../../agent/registry/model-result.ts";
import { repairName } from "../../core/calls/index.ts";

export interface ToolSetOptions {
  /** Passed to the tools as `context`. */
  readonly context?: unknown;
  /** Maximum size of a result for the model, unless the tool sets its own; 32 KB by default. */
  readonly maxResultBytes?: number;
}

const CHECKS: Checks<keyof ToolSetOptions> = { context: anything, maxResultBytes: positive };
const DEFAULT_MAX_RESULT_BYTES = 32_768;
const MARK = Symbol.for("toolmend.ToolCallError");

/**
 * A failed call of a registry's tool. The message is the text for the model and safe to show it;
 * `failure.userMessage` is the one for the user.
 *
 * @example
 * result.toUIMessageStreamResponse({ onError: (error) => (ToolCallError.isInstance(error) ? error.failure.userMessage : "Something went wrong.") });
 */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly [MARK] = true;
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.modelMessage);
    this.failure = failure;
  }

  /** The SDK passes this text to the model. */
  override toString(): string {
    return this.message;
  }

  /** Also true for instances from another copy of this package. */
  static isInstance(value: unknown): value is ToolCallError {
    return typeof value === "object" && value !== null && MARK in value && value[MARK] === true;
  }
}

/**
 * The tools of a registry as tools of the Vercel AI SDK. The registry validates arguments, enforces timeouts, retries
 * and falls back. A failure is thrown as {@link ToolCallError}, which the SDK reports to the model.
 *
 * @example
 * const result = streamText({ model, tools: toToolSet(registry), repairToolCall: repairToolCall(registry), messages });
 */
export function toToolSet(registry: ToolRegistry, options: ToolSetOptions = {}): ToolSet {
  checkOptions("toToolSet", options, CHECKS);
  return Object.fromEntries([...registry.tools].map(([name, tool]) => [name, toTool(registry, tool, options)]));
}

function toTool(
  registry: ToolRegistry,
  tool: Tool,
  { context, maxResultBytes = DEFAULT_MAX_RESULT_BYTES }: ToolSetOptions,
) {
  return dynamicTool({
    ...(tool.description !== undefined && { description: tool.description }),
    // Only declared to the model. The registry validates, because its messages are written for models.
    inputSchema: jsonSchema<unknown>(tool.inputSchema),
    execute: async (input, { toolCallId, abortSignal }) => {
      const call: CallOptions = {
        ...(abortSignal !== undefined && { signal: abortSignal }),
        ...(context !== undefined && { context }),
      };
      const outcome = await registry.call({ id: toolCallId, name: tool.name, arguments: input }, call);
      if (!outcome.ok) throw new ToolCallError(outcome.failure);
      return outcome.value;
    },
    toModelOutput: ({ output }) => ({
      type: "text",
      value: modelResult(tool, output, tool.maxResultBytes ?? maxResultBytes).modelText,
    }),
  });
}

/**
 * Repairs arguments if only one repair fits, and resolves other spellings of tool names. For an unknown name the model
 * gets the registry's text, with similar names. Other errors are returned to the model.
 */
export function repairToolCall(registry: ToolRegistry): ToolCallRepairFunction<ToolSet> {
  return async ({ toolCall, error }) => {
    const names = [...registry.tools.keys()];
    const tool = registry.find(toolCall.toolName) ?? registry.find(repairName(toolCall.toolName, names) ?? "");
    if (tool === undefined) {
      // The SDK passes the message of an exception to the model, after a short prefix.
      const call = { id: toolCall.toolCallId, name: toolCall.toolName, arguments: toolCall.input };
      const outcome = await registry.call(call);
      if (!outcome.ok) throw new ToolCallError(outcome.failure);
      return null;
    }
    if (NoSuchToolError.isInstance(error))
      return tool.name === toolCall.toolName ? null : { ...toolCall, toolName: tool.name };
    const read = await readArguments(toolCall.input, tool.inputSchema);
    return read.kind === "value" ? { ...toolCall, input: JSON.stringify(read.value) } : null;
  };
}
