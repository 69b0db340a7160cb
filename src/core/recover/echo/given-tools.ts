import { writtenCall } from "../../model/call-object.ts";
import type { ToolIndex } from "../tools.ts";
import type { ContextText, DeclaredTool } from "../types.ts";
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

/** Shorter than any call. */
const MIN_TEXT_CHARS = 12;
/** Limits the walk, because a schema may be built to be endless. */
const MAX_VALUES = 50_000;

/**
 * Returns the texts of tool declarations: descriptions and the strings of schemas. They come from servers that a user
 * installed, so they are as untrusted as tool results.
 */
export function toolTexts(tools: readonly DeclaredTool[]): readonly ContextText[] {
  const texts: ContextText[] = [];
  const stack: unknown[] = [...tools];
  const seen = new Set<object>();
  const declarations = new Set<object>(tools);
  for (let values = 0; stack.length > 0 && values < MAX_VALUES; values++) {
    const value = stack.pop();
    if (typeof value === "string") {
      if (value.length >= MIN_TEXT_CHARS) texts.push({ role: "tool", text: value });
    } else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      const call = declarations.has(value) ? undefined : writtenCall(value);
      if (call !== undefined) texts.push({ role: "tool", text: call });
      // A tool may compute its texts in getters, which are not own properties.
      for (const name of ["description", "parameters"] as const)
        if (name in value && !Object.hasOwn(value, name)) stack.push((value as DeclaredTool)[name]);
      for (const inner of Object.values(value)) if (typeof inner !== "function") stack.push(inner);
    }
  }
  return texts;
}
