import { compileSchema } from "../../core/calls/index.ts";
import type { DeclaredTool } from "../event.ts";
import { type RepairableTool, repairCallBytes } from "../repair-message.ts";

/** Tools of a server that lists without end would fill the memory. */
const MAX_TOOLS = 2000;

/** Repairs the calls of one client with the schemas that its server lists. */
export class CallRepairer {
  #tools = new Map<string, DeclaredTool>();
  readonly #compiled = new Map<string, RepairableTool>();

  /** @param isFirst the first page replaces what the server listed before */
  addTools(isFirst: boolean, tools: readonly DeclaredTool[]): void {
    if (isFirst) this.#tools = new Map();
    this.#compiled.clear();
    for (const tool of tools) if (this.#tools.size < MAX_TOOLS) this.#tools.set(tool.name, tool);
  }

  /** @returns the line to send instead, or undefined to send the original */
  repair(line: Buffer): Buffer | undefined {
    return repairCallBytes(line, (name) => this.#toolOf(name));
  }

  #toolOf(name: string): RepairableTool | undefined {
    const before = this.#compiled.get(name);
    if (before !== undefined) return before;
    const declared = this.#tools.get(name);
    if (declared === undefined) return undefined;
    const { input_schema, is_destructive } = declared;
    const tool = {
      input: input_schema === undefined ? undefined : compileSchema(input_schema),
      isDestructive: is_destructive === true,
    };
    this.#compiled.set(name, tool);
    return tool;
  }
}
