import { nameCandidates } from "../recover/name.ts";
import type { ClientTool } from "./types.ts";

const LONGEST = 256;

/** The format under which such a repair is told: the call was made properly, only its name was not. */
export const NATIVE_NAME = "native-name";

/** The declared tool that a broken name of a native call means; undefined when it is none, or not exactly one. */
export function meantTool(
  written: string,
  tools: ReadonlyMap<string, ClientTool>,
  isCustom = false,
): ClientTool | undefined {
  if (tools.has(written) || written.length > LONGEST) return undefined;
  const [tool, ...others] = nameCandidates(written).flatMap((name) => tools.get(name) ?? []);
  if (tool === undefined || others.length > 0) return undefined;
  // A tool of a name space is known by two fields: there is no one name to put right.
  return tool.namespace === undefined && (tool.custom === true) === isCustom ? tool : undefined;
}
