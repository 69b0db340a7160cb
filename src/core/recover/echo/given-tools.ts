import type { ToolIndex } from "../tools.ts";
import { foldToolName, isShellTool } from "./call-facts.ts";

/**
 * The declared tools as given texts are read with them: a name in another spelling or name space is known, too, and so is every name of a shell.
 */
export function toolsForReading(tools: ToolIndex): ToolIndex {
  const known = READING.get(tools) ?? makeIndex(tools);
  READING.set(tools, known);
  return known;
}

/** Made once for all texts of a request: there may be thousands. */
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
