import { nameCandidates } from "../recover/tools.ts";
import type { ClientTool } from "./types.ts";

const MAX_NAME_CHARS = 256;

/** The declared tool that the malformed name of a native call means; undefined if none matches, or several do. */
export function resolveToolName(
  written: string,
  tools: ReadonlyMap<string, ClientTool>,
  isCustom = false,
): ClientTool | undefined {
  if (tools.has(written) || written.length > MAX_NAME_CHARS) return undefined;
  const [tool, ...others] = nameCandidates(written).flatMap((name) => tools.get(name) ?? []);
  if (tool === undefined || others.length > 0) return undefined;
  // A namespaced tool is identified by two fields, so there is no single name to correct.
  return tool.namespace === undefined && (tool.custom === true) === isCustom ? tool : undefined;
}
