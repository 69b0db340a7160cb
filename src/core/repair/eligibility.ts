import type { RecoveredCall } from "../recover/index.ts";
import type { Api, ClientTool, RepairOptions, UnrepairedReason } from "./types.ts";

/** Tool names that the API accepts in the next request. */
const NAMES: Readonly<Record<Api, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  chat: /^[a-zA-Z0-9_-]{1,64}$/,
  responses: /^[a-zA-Z0-9_-]{1,128}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  ollama: /^[a-zA-Z0-9_.-]{1,128}$/,
};

/** The reason why a parsed call must not be made; undefined if it may be. */
export function ineligibleReason(
  api: Api,
  call: RecoveredCall,
  tool: ClientTool | undefined,
  options: RepairOptions,
): UnrepairedReason | undefined {
  if (options.serverTools?.has(call.name) === true && tool === undefined) return "server-tool";
  if (tool === undefined && options.names === "known") return "unknown-name";
  if (options.isAllowed?.(call.name) === false) return "denied";
  if (options.chosenTools !== undefined && !isChosen(call.name, tool, options.chosenTools)) return "tool-choice";
  // The API has already accepted declared names; only undeclared ones need the check.
  if (tool === undefined && !NAMES[api].test(call.name)) return "invalid-name";
  if (!call.complete) return "truncated";
  if (tool?.custom === true && freeText(call) === undefined) return "free-text-tool";
  return canRestore(call, tool, options) ? undefined : "server-state";
}

/** A stored conversation needs the call again before its result; only plain function calls can be inserted there. */
function canRestore(call: RecoveredCall, tool: ClientTool | undefined, { canStoreCall }: RepairOptions): boolean {
  if (canStoreCall === undefined) return true;
  const isPlain = tool?.custom !== true && tool?.namespace === undefined;
  return isPlain && canStoreCall(argumentsText(call));
}

function isChosen(name: string, tool: ClientTool | undefined, chosen: ReadonlySet<string>): boolean {
  return chosen.has(name) || (tool?.wireName !== undefined && chosen.has(tool.wireName));
}

/** The input of a custom tool, which takes free text: its only argument, if that is a string. */
export function freeText({ arguments: args }: RecoveredCall): string | undefined {
  const values = Object.values(args);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}

/**
 * The arguments as JSON. Uses the model's own text if it is JSON with the same value, so that large numbers survive.
 */
export function argumentsText({ arguments: args, rawArguments }: RecoveredCall): string {
  const serialized = JSON.stringify(args);
  try {
    if (JSON.stringify(JSON.parse(rawArguments)) === serialized) return rawArguments.trim();
  } catch {
    // The model did not write JSON.
  }
  return serialized;
}
