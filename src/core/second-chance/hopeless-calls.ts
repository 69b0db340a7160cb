import { checkArguments, repairName } from "../calls/index.ts";
import { rankNames } from "../calls/rank-names.ts";
import { schemaOf } from "../repair/calls/schema-cache.ts";
import { isObject } from "../wire/json.ts";
import type { Attempt, AttemptCall, HopelessCall } from "./types.ts";

/** A declared tool that the client runs. */
export interface CallableTool {
  readonly name: string;
  readonly parameters?: unknown;
  readonly custom?: true | undefined;
}

/** An error result lists at most this many names. */
const MAX_LISTED_TOOLS = 20;
const MAX_SHOWN_CHARS = 200;

/**
 * The calls of a turn if all of them are certain to fail and none can be repaired; undefined otherwise. Certain means:
 * the declared tools alone prove it. A value of a wrong type does not, because many tools accept more than they
 * declare.
 */
export function hopelessCalls(
  attempt: Pick<Attempt, "parts">,
  tools: ReadonlyMap<string, CallableTool>,
): readonly HopelessCall[] | undefined {
  const calls = attempt.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  const hopeless = calls.flatMap((call) => hopelessCall(call, tools) ?? []);
  return calls.length > 0 && hopeless.length === calls.length ? hopeless : undefined;
}

export function hopelessCall(call: AttemptCall, tools: ReadonlyMap<string, CallableTool>): HopelessCall | undefined {
  if (call.isCustom) return undefined;
  const tool = tools.get(call.name);
  if (tool !== undefined) return tool.custom === true ? undefined : hopelessArguments(call, tool);
  const names = [...tools.keys()];
  // A misspelled name that matches exactly one declared tool is not unknown.
  if (repairName(call.name, names) !== undefined) return undefined;
  return { call, reason: "unknown_tool", message: unknownTool(call.name, names) };
}

function hopelessArguments(call: AttemptCall, tool: CallableTool): HopelessCall | undefined {
  // A tool without a schema accepts every object.
  const schema = schemaOf(tool.parameters) ?? schemaOf({});
  if (schema === undefined || checkArguments(call.arguments, schema, call.name).kind !== "invalid") return undefined;
  const isBlank = call.arguments.trim() === "";
  const read = isBlank ? {} : parsed(call.arguments);
  const missing = missingParameters(read, tool);
  if (isObject(read))
    return missing.length === 0
      ? undefined
      : { call, reason: "missing_parameter", message: missingParameter(call.name, missing) };
  return { call, reason: "unreadable_arguments", message: unreadable(call.name, read === undefined) };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

/** Names of required parameters that are missing and have no default, which the client might fill in. */
function missingParameters(args: unknown, { parameters }: CallableTool): readonly string[] {
  const schema = schemaOf(parameters);
  if (!isObject(args) || schema === undefined || schema.isOpaque) return [];
  const declared = isObject(parameters) && isObject(parameters.properties) ? parameters.properties : {};
  return [...schema.required].filter((name) => {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined;
    return !Object.hasOwn(args, name) && !(isObject(property) && property.default !== undefined);
  });
}

function unknownTool(name: string, tools: readonly string[]): string {
  const ranked = rankNames(name, tools).map((one) => one.name);
  const listed = ranked.slice(0, MAX_LISTED_TOOLS).join(", ");
  const more = ranked.length > MAX_LISTED_TOOLS ? ` and ${ranked.length - MAX_LISTED_TOOLS} more` : "";
  return `[toolmend] There is no tool ${quoted(name)}. Tools: ${listed}${more}. Nothing was run.`;
}

function missingParameter(tool: string, names: readonly string[]): string {
  const list = names.slice(0, MAX_LISTED_TOOLS).map(quoted).join(", ");
  const are = names.length === 1 ? "is required and missing" : "are required and missing";
  return `[toolmend] ${list} of ${quoted(tool)} ${are}. Nothing was run. ${AGAIN}`;
}

function unreadable(tool: string, isNotJson: boolean): string {
  const problem = isNotJson ? "are not valid JSON" : "are not a JSON object";
  return `[toolmend] The arguments of ${quoted(tool)} ${problem}. Nothing was run. ${AGAIN}`;
}

const AGAIN = "Send the call again, complete; if a value is long, split it.";

/** Puts a name on one line and limits its length: names come from models and clients. */
function quoted(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029"]+/gu, " ");
  return `"${line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line}"`;
}
