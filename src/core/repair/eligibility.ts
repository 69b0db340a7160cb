import type { RecoveredCall } from "../recover/index.ts";
import type { Api, ClientTool, RepairOptions, UnrepairedReason } from "./types.ts";

/** Names that the API takes back in the next request. */
const NAMES: Readonly<Record<Api, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  chat: /^[a-zA-Z0-9_-]{1,64}$/,
  responses: /^[a-zA-Z0-9_-]{1,128}$/,
};

/** Why a call that was read may not be made; undefined when it may. */
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
  // A name that was declared was taken by the API; only one that nobody declared must be looked at.
  if (tool === undefined && !NAMES[api].test(call.name)) return "bad-name";
  if (!call.complete) return "truncated";
  if (tool?.custom === true && freeText(call) === undefined) return "arguments";
  const { canStoreCall: mayKeep } = options;
  if (mayKeep === undefined) return undefined;
  const isPlain = tool?.custom !== true && tool?.namespace === undefined;
  return isPlain && mayKeep(argumentsText(call)) ? undefined : "server-state";
}

function isChosen(name: string, tool: ClientTool | undefined, chosen: ReadonlySet<string>): boolean {
  return chosen.has(name) || (tool?.wireName !== undefined && chosen.has(tool.wireName));
}

/** The input of a tool that takes free text: the one text among its arguments. */
export function freeText({ arguments: args }: RecoveredCall): string | undefined {
  const values = Object.values(args);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}

/** Arguments as JSON: in the model's own writing where that is JSON and says the same, so that large numbers survive. */
export function argumentsText({ arguments: args, rawArguments }: RecoveredCall): string {
  const text = JSON.stringify(args);
  try {
    if (JSON.stringify(JSON.parse(rawArguments)) === text) return rawArguments.trim();
  } catch {
    // Not written as JSON.
  }
  return text;
}
