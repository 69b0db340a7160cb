import { checkArguments } from "../core/calls/index.ts";
import type { Fields } from "../core/model/narrow.ts";
import type { CallRepairFacts } from "../core/model/observation.ts";
import type { KnownTool } from "./known-servers.ts";

/**
 * Compares arguments that a client sent with the schema of the tool, as in native calls. The call is over: the facts
 * contain whether it was repaired, or could have been. Undefined if the arguments fit.
 */
export function checkArgumentsOf(
  args: unknown,
  tool: KnownTool | undefined,
  isRepaired: boolean,
): CallRepairFacts | undefined {
  const text = tool?.input === undefined ? undefined : jsonText(args);
  if (tool?.input === undefined || text === undefined) return undefined;
  const checked = checkArguments(text, tool.input, tool.name);
  if (checked.kind === "valid") return undefined;
  if (checked.kind === "invalid") {
    const [misfit] = checked.misfits;
    const problem = misfit === undefined ? "does not fit" : `${misfit.path} ${misfit.problem}`;
    return { result: "left", classes: [], paths: [], problem, before: text };
  }
  const repairs = checked.repairs.slice(0, MAX_REPAIRS);
  return {
    ...(isRepaired
      ? { result: "repaired" }
      : { result: "left", reason: tool.isDestructive ? "destructive" : "observe" }),
    classes: repairs.map((repair) => repair.class),
    paths: repairs.map(({ path }) => path),
    before: text,
    after: checked.text,
  };
}

/** Why a client may reject the result of a tool that declares an output schema. Failures need no structured content. */
export function outputProblem(result: Fields, tool: KnownTool | undefined): string | undefined {
  if (tool?.output === undefined || result.isError === true || result.content === undefined) return undefined;
  if (result.structuredContent === undefined) return "structuredContent is missing";
  const text = jsonText(result.structuredContent);
  if (text === undefined) return undefined;
  const checked = checkArguments(text, tool.output, tool.name, () => false);
  const [misfit] = checked.kind === "invalid" ? checked.misfits : [];
  return misfit === undefined ? undefined : `structuredContent: ${misfit.path} ${misfit.problem}`;
}

const MAX_REPAIRS = 20;

/** Undefined for values that are nested too deeply. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
