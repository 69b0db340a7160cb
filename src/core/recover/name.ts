import type { Repair } from "./json/repairs.ts";
import type { ToolIndex } from "./tools.ts";

const PREFIXES: readonly string[] = ["functions.", "function.", "tools.", "tool.", "default_api."];
const MAX_NAME = 256;

/** `undefined`: this cannot be a name. */
export interface CleanName {
  readonly name: string;
  readonly repairs: readonly Repair[];
}

/**
 * Takes off what templates put around a name (special tokens, `functions.`, `:0`), and nothing else: a dotted or
 * non-Latin name is a name. A declared tool is always taken as it is written.
 */
export function cleanName(raw: string, tools: ToolIndex): CleanName | undefined {
  let name = raw.trim();
  if (tools.has(name)) return { name, repairs: [] };
  const before = name;
  name = name.replace(/<[|｜][^<>]{1,48}[|｜]>/g, "").trim();
  name = name.replace(/^["'`]+|["'`]+$/g, "");
  const candidates = [name];
  const withoutIndex = name.replace(/:\d{1,6}$/, "");
  candidates.push(withoutIndex);
  for (const prefix of PREFIXES)
    if (withoutIndex.startsWith(prefix)) candidates.push(withoutIndex.slice(prefix.length));
  const doubled = /^([^.]{1,128})\.\1$/.exec(withoutIndex);
  const known = candidates.find((candidate) => tools.has(candidate));
  if (known !== undefined) name = known;
  else if (doubled !== null && tools.has(doubled[1] as string)) name = doubled[1] as string;
  else {
    name = withoutIndex;
    if (name.startsWith("functions.") && name.length > 10) name = name.slice(10);
  }
  if (name.length > MAX_NAME || hasControlOrBreak(name) || isPlaceholder(name)) return undefined;
  return { name, repairs: name === before ? [] : ["cleaned-name"] };
}

/** `...`, `$FUNCTION_NAME`, `{{name}}`: how documentation writes a name that is still to be filled in. */
function isPlaceholder(name: string): boolean {
  return /^[$<{]/.test(name) || !/[\p{L}\p{N}]/u.test(name);
}

function hasControlOrBreak(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) < 32) return true;
  return false;
}
