import type { ModelCall } from "../model/message.ts";
import type { ToolDefinition } from "../model/model-function.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import type { Tool } from "./define-tool.ts";
import { type DefinitionFormats, definitionFor } from "./definitions.ts";
import type { AgentEnvironment, CallOptions, ToolRegistry } from "./registry.ts";

/** Calls a tool if it is currently callable. */
export type SelectedCall = (
  call: ModelCall,
  callable: ReadonlyMap<string, Tool>,
  options: CallOptions,
) => Promise<ToolOutcome>;

/** Some of the tools of a registry, with its circuits and hooks. */
export class Selection implements ToolRegistry {
  readonly #whole: ToolRegistry;
  readonly #names: ReadonlySet<string>;
  readonly #call: SelectedCall;

  constructor(whole: ToolRegistry, names: ReadonlySet<string>, call: SelectedCall) {
    this.#whole = whole;
    this.#names = names;
    this.#call = call;
  }

  get environment(): AgentEnvironment {
    return this.#whole.environment;
  }

  get tools(): ReadonlyMap<string, Tool> {
    return new Map([...this.#whole.tools].filter(([name]) => this.#names.has(name)));
  }

  register(...tools: Tool[]): void {
    this.#whole.register(...tools);
  }

  unregister(name: string): boolean {
    return this.#whole.unregister(name);
  }

  find(name: string): Tool | undefined {
    const tool = this.#whole.find(name);
    return tool !== undefined && this.#names.has(tool.name) ? tool : undefined;
  }

  only(names: Iterable<string>): ToolRegistry {
    return new Selection(this.#whole, new Set([...names].filter((name) => this.#names.has(name))), this.#call);
  }

  call(call: ModelCall, options: CallOptions = {}): Promise<ToolOutcome> {
    return this.#call(call, this.tools, options);
  }

  definitions(): ToolDefinition[];
  definitions<Format extends keyof DefinitionFormats>(format: Format): DefinitionFormats[Format][];
  definitions(format?: keyof DefinitionFormats): unknown[] {
    return definitionsOf(this.tools.values(), format);
  }
}

/** Tool declarations, in a neutral format or in that of an API. */
export function definitionsOf(tools: Iterable<Tool>, format: keyof DefinitionFormats | undefined): unknown[] {
  return [...tools].map(({ name, description, inputSchema }) => {
    const definition: ToolDefinition = { name, ...(description !== undefined && { description }), inputSchema };
    return format === undefined ? definition : definitionFor(format, definition);
  });
}
