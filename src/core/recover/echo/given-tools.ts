import type { ToolIndex } from "../tools.ts";
import { foldToolName, isShellTool } from "./call-facts.ts";

/**
 * The tool index for parsing given texts. It also knows declared names in another spelling or namespace, and all names
 * of shell tools.
 */
export function toolsForReading(tools: ToolIndex): ToolIndex {
  const known = READING.get(tools) ?? makeIndex(tools);
  READING.set(tools, known);
  return known;
}

/** Built once for all texts of a request, of which there may be thousands. */
const READING = new WeakMap<ToolIndex, ToolIndex>();

function makeIndex(tools: ToolIndex): ToolIndex {
  const folded = new Set(tools.names.map(foldToolName));
  return {
    ...tools,
    has: (name) => tools.has(name) || isKnown(foldToolName(name), folded),
  };
}

function isKnown(tool: string, folded: ReadonlySet<string>): boolean {
  return tool !== "" && (folded.has(tool) || isShellTool(tool));
}
