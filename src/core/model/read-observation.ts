import { CALL_EFFECTS } from "../loop/loop-signal.ts";
import { isValidId } from "./call-key.ts";
import { type Fields, isObject, isOneOf } from "./narrow.ts";
import { COMMON_TEXTS, type Observation, SOURCES } from "./observation.ts";
import { withNewNames } from "./renamed-fields.ts";
import { readTokenUsage } from "./token-usage.ts";

/** An observation, or why the line was rejected. */
export type ReadResult =
  | { readonly kind: "observation"; readonly observation: Observation }
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * Parses one line of the journal. Validates all fields that keys and counts depend on. Ignores unknown fields, which a
 * newer version may have written.
 */
export function readObservation(line: string): ReadResult {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line, line.includes("\\u") && UNSTORABLE.test(line) ? storable : undefined);
  } catch {
    return { kind: "rejected", reason: "not JSON" };
  }
  if (!isObject(parsed)) return { kind: "rejected", reason: "not an object" };
  const value = withValidUsage(withNewNames(parsed));
  const problem = commonProblem(value) ?? kindProblem(value);
  if (problem !== undefined) return { kind: "rejected", reason: problem };
  // Every field that the type requires was checked above.
  return { kind: "observation", observation: value as unknown as Observation };
}

/** Removes invalid counts, which are unknown. The rest of the line is still worth recording. */
function withValidUsage(value: Fields): Fields {
  if (!isObject(value.usage) || (value.kind !== "response" && value.kind !== "usage")) return value;
  return { ...value, usage: readTokenUsage(value.usage) };
}

/** NUL and lone surrogates: in JSON always escaped, and PostgreSQL cannot store them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

function storable(_name: string, value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name), inner]));
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}

function commonProblem(value: Fields): string | undefined {
  if (value.v !== 1) return isObject(value.v) ? "v is not 1" : `v is ${String(value.v)}, expected 1`;
  for (const name of ["project", "session_id", "agent_id"]) {
    if (typeof value[name] !== "string" || !isValidId(value[name])) return `${name} is not a valid id`;
  }
  if (!isOneOf(SOURCES, value.source)) return "source is not known";
  if (!isTime(value.occurred_at)) return "occurred_at is not a time in ms";
  if (!isTime(value.seen_at)) return "seen_at is not a time in ms";
  if (typeof value.live !== "boolean") return "live is not a boolean";
  return notText(value, COMMON_TEXTS);
}

function kindProblem(value: Fields): string | undefined {
  switch (value.kind) {
    case "call":
      return callProblem(value);
    case "request":
      return (
        missingText(value, "request_id") ??
        missingNumber(value, ["size_bytes", "message_count", "tool_count"]) ??
        notText(value, ["conversation"]) ??
        (value.guard === undefined || isObject(value.guard) ? undefined : "guard is not an object")
      );
    case "response":
      return (
        missingTexts(value, ["tool_call_ids"]) ??
        missingText(value, "request_id") ??
        missingNumber(value, ["http_status", "size_bytes", "duration_ms"]) ??
        notText(value, ["ended", "response_id", "turn"]) ??
        (value.usage === undefined || isObject(value.usage) ? undefined : "usage is not an object") ??
        (value.stored_response === undefined ? undefined : storedResponseProblem(value.stored_response)) ??
        (value.second_chance === undefined ? undefined : secondChanceProblem(value.second_chance))
      );
    case "leak":
      return leakProblem(value);
    case "suspension":
      return (
        missingTexts(value, ["tool_call_ids"]) ??
        missingText(value, "request_id") ??
        missingNumber(value, ["http_status"]) ??
        notText(value, ["message"])
      );
    case "prompt":
      return missingText(value, "prompt") ?? notText(value, ["workflow", "text"]);
    case "usage":
      return isObject(value.usage) ? usageProblem(value) : "usage is missing";
    case "session":
      return isOneOf(["started", "stopped", "ended", "idle"], value.event)
        ? notText(value, ["folder", "branch"])
        : "event is not known";
    default:
      return typeof value.kind === "object" ? "kind is not known" : `kind ${String(value.kind)} is not known`;
  }
}

/** Without an identity, the same response would be counted repeatedly. */
function usageProblem(value: Fields): string | undefined {
  const hasId = value.client === "codex" || value.request_id !== undefined || value.response_id !== undefined;
  return hasId ? notText(value, ["response_id", "turn"]) : "response_id is missing";
}

function secondChanceProblem(chance: unknown): string | undefined {
  if (!isObject(chance)) return "second_chance is not an object";
  const { calls, usage = {}, first_usage = {} } = chance;
  if (!isObject(usage) || !isObject(first_usage)) return "second_chance.usage is not an object";
  const isList = Array.isArray(calls) && calls.every(isObject);
  return (
    missingText(chance, "reason") ??
    missingText(chance, "result") ??
    missingNumber(chance, ["duration_ms"]) ??
    missingTexts(chance, ["healed_by"]) ??
    (isList ? undefined : "second_chance.calls is not a list")
  );
}

function storedResponseProblem(stored: unknown): string | undefined {
  if (!isObject(stored)) return "stored_response is not an object";
  const { counts = {}, prompt_position = { count: 0 } } = stored;
  if (!isObject(counts) || !Object.values(counts).every(Number.isSafeInteger))
    return "stored_response.counts are not counts";
  if (!isObject(prompt_position) || !Number.isSafeInteger(prompt_position.count))
    return "stored_response.prompt_position has no count";
  return (
    notText(stored, ["answer_key", "conversation_key"], "stored_response.") ??
    notText(prompt_position, ["prompt", "workflow"], "stored_response.prompt_position.")
  );
}

function callProblem(value: Fields): string | undefined {
  const { place, result, arguments: args, name } = value;
  if (typeof value.tool_call_id !== "string" || value.tool_call_id === "") return "tool_call_id is missing";
  if (!isObject(place)) return "place is missing";
  const misplaced = placeProblem(place);
  if (misplaced !== undefined) return misplaced;
  if (name !== undefined && typeof name !== "string") return "name is not a string";
  if (value.permission_requested !== undefined && value.permission_requested !== true)
    return "permission_requested is not true";
  if (args !== undefined && (!isObject(args) || typeof args.fingerprint !== "string"))
    return "arguments have no fingerprint";
  const stored =
    notText(place, ["response_id"], "place.") ??
    notText(value, ["origin", "format", "turn", "prompt", "workflow"]) ??
    notNumber(value, ["execution_time_ms", "turnaround_ms", "turn_index", "order"]) ??
    (value.mcp === undefined ? undefined : mcpProblem(value.mcp)) ??
    (args === undefined ? undefined : argumentsProblem(args)) ??
    (value.call_repair === undefined ? undefined : callRepairProblem(value.call_repair));
  return stored ?? (result === undefined ? undefined : resultProblem(result));
}

function mcpProblem(mcp: unknown): string | undefined {
  if (!isObject(mcp)) return "mcp is not an object";
  return (
    missingText(mcp, "server") ??
    missingText(mcp, "id") ??
    (typeof mcp.tool === "string" ? undefined : "mcp.tool is not a string") ??
    notText(mcp, ["output", "server_name", "server_version"], "mcp.") ??
    notNumber(mcp, ["rounds"], "mcp.")
  );
}

function placeProblem(place: Fields): string | undefined {
  if (place.kind === "known") return typeof place.place === "string" ? undefined : "place.place is missing";
  const counted = place.kind === "newest" || (typeof place.n === "number" && Number.isInteger(place.n) && place.n >= 0);
  if (!counted) return "place.n is not a count";
  if (place.kind === "exact" || place.kind === "newest") return undefined;
  if (place.kind !== "history" && place.kind !== "response") return "place.kind is not known";
  return typeof place.conversation === "string" ? undefined : "place.conversation is missing";
}

function argumentsProblem(args: Fields): string | undefined {
  if (args.keys !== undefined && !isObject(args.keys)) return "arguments.keys is not an object";
  if (!Object.values(args.keys ?? {}).every((hash) => typeof hash === "string"))
    return "arguments.keys holds something else than strings";
  if (args.effect !== undefined && !isOneOf(CALL_EFFECTS, args.effect)) return "arguments.effect is not known";
  return notNumber(args, ["size_bytes"], "arguments.") ?? notTexts(args, "resources", "arguments.");
}

function callRepairProblem(repair: unknown): string | undefined {
  if (!isObject(repair)) return "call_repair is not an object";
  if (repair.result !== "repaired" && repair.result !== "left") return "call_repair.result is not known";
  return missingTexts(repair, ["classes", "paths"]) ?? notText(repair, ["problem", "reason", "before", "after"]);
}

function leakProblem(value: Fields): string | undefined {
  if (value.result !== "recovered" && value.result !== "left") return "result is not known";
  if (value.after !== undefined && !Array.isArray(value.after)) return "after is not a list";
  return (
    missingTexts(value, ["repairs", "tool_names", "tool_call_ids"]) ??
    missingText(value, "request_id") ??
    missingText(value, "format") ??
    missingNumber(value, ["parsed", "dropped"]) ??
    notText(value, ["reason", "before"]) ??
    notTexts(value, "evidence", "")
  );
}

/** Values must have the type of their columns: a line that cannot be stored would block all lines after it. */
function resultProblem(result: unknown): string | undefined {
  if (!isObject(result) || typeof result.hash !== "string") return "result has no hash";
  if (!isObject(result.outcome)) return "result has no outcome";
  return (
    notText(result, ["normalized_hash"], "result.") ??
    notNumber(result, ["size_bytes"], "result.") ??
    notTexts(result, "resources", "result.") ??
    outcomeProblem(result.outcome, "outcome.") ??
    (result.if_permission_requested === undefined
      ? undefined
      : outcomeProblem(result.if_permission_requested, "if_permission_requested."))
  );
}

function outcomeProblem(outcome: unknown, of: string): string | undefined {
  if (!isObject(outcome)) return `${of}status is missing`;
  if (!isOneOf(["ok", "failed", "unknown"], outcome.status)) return `${of}status is not known`;
  return (
    notText(outcome, ["phase", "category", "rule", "status_message", "fingerprint"], of) ??
    notNumber(outcome, ["severity", "exit_code"], of)
  );
}

function notText(value: Fields, names: readonly string[], of = ""): string | undefined {
  const name = names.find((one) => value[one] !== undefined && typeof value[one] !== "string");
  return name === undefined ? undefined : `${of}${name} is not a string`;
}

function notTexts(value: Fields, name: string, of: string): string | undefined {
  const list = value[name];
  const texts = list === undefined || (Array.isArray(list) && list.every((item) => typeof item === "string"));
  return texts ? undefined : `${of}${name} is not a list of strings`;
}

function missingTexts(value: Fields, names: readonly string[]): string | undefined {
  const name = names.find((one) => !Array.isArray(value[one]) || notTexts(value, one, "") !== undefined);
  return name === undefined ? undefined : `${name} is not a list of strings`;
}

function notNumber(value: Fields, names: readonly string[], of = ""): string | undefined {
  const name = names.find((one) => value[one] !== undefined && !Number.isFinite(value[one]));
  return name === undefined ? undefined : `${of}${name} is not a number`;
}

function missingText(value: Fields, name: string): string | undefined {
  return typeof value[name] === "string" && value[name] !== "" ? undefined : `${name} is missing`;
}

function missingNumber(value: Fields, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof value[one] !== "number" || !Number.isFinite(value[one]));
  return name === undefined ? undefined : `${name} is not a number`;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < 8.64e15;
}
