import { isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import { isArray, isObject } from "../core/model/narrow.ts";
import type { McpFacts } from "../core/model/observation.ts";
import {
  durationOf,
  type Fields,
  type HookReadContext,
  type HookReading,
  isCallId,
  readAs,
  textOf,
  timeOf,
  unreadable,
} from "../hook/hook-event.ts";
import type { RawCallObservation, RawResult } from "../ingest/observe/observe-call.ts";
import { clientName, modelToolName } from "./client-names.ts";

/** Reads one file of a wrapper's spool. Pure. Events that are malformed or of unknown kinds are skipped. */
export function readMcpEvents(payload: unknown, context: HookReadContext): HookReading {
  if (!isObject(payload) || !isArray(payload.events)) return unreadable("the events are missing");
  return readAs(
    ...payload.events.flatMap((event) => {
      const call = isObject(event) && event.kind === "call" ? readCall(event, context) : undefined;
      return call === undefined ? [] : [call];
    }),
  );
}

/** The session of calls whose client names none. */
function ownSession(client: string | undefined, instance: string): string {
  return `mcp:${(client ?? "client").replace(/[^A-Za-z0-9._-]/g, "_")}:${instance}`;
}

function readCall(event: Fields, context: HookReadContext): RawCallObservation | undefined {
  const { id, server, tool, instance, call_id, session_id, outcome } = event;
  const endedAt = timeOf(event.ended_at, context);
  if (!isCallId(id) || typeof tool !== "string" || !isObject(outcome) || endedAt === undefined) return undefined;
  if (typeof server !== "string" || server === "" || typeof instance !== "string") return undefined;
  const sent = textOf(event.client);
  const client = sent === undefined ? undefined : clientName(sent);
  const known = typeof session_id === "string" && isValidId(session_id) ? session_id : undefined;
  const session = known ?? ownSession(client, instance);
  if (!isValidId(session)) return undefined;
  const result = readOutcome(outcome);
  if (result === undefined) return undefined;
  const duration = durationOf(event.duration_ms);
  const version = textOf(event.client_version);
  const problem = outcome.kind === "result" ? textOf(outcome.problem) : undefined;
  const mcp: McpFacts = {
    server: server.slice(0, MAX_NAME_CHARS),
    tool: tool.slice(0, MAX_NAME_CHARS),
    id,
    ...(!isCallId(call_id) && { inferred: true }),
    ...(problem !== undefined && { output: problem.slice(0, MAX_NAME_CHARS) }),
    ...(typeof event.rounds === "number" && event.rounds > 1 && { rounds: event.rounds }),
  };
  return {
    v: 1,
    project: context.project,
    session_id: session,
    agent_id: ROOT_AGENT,
    source: "mcp",
    occurred_at: endedAt,
    seen_at: context.now,
    live: true,
    tool_call_id: isCallId(call_id) ? call_id : id,
    place: { kind: "newest" },
    name: modelToolName(client, mcp.server, mcp.tool),
    mcp,
    ...(client !== undefined && { client }),
    ...(version !== undefined && { client_version: version }),
    ...(duration !== undefined && { execution_time_ms: duration }),
    ...("arguments" in event && { arguments: event.arguments }),
    result,
  };
}

const MAX_NAME_CHARS = 255;
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** SDKs report arguments that do not fit as a result of the tool. */
const INVALID_ARGUMENTS = /^(?:MCP error -32602|Input validation error)/;
const UNKNOWN_TOOL = /\bunknown tool\b|\bnot found\b/i;
/** Reasons with which clients cancel a call after their timeout. */
const TIMEOUT = /\btimed? ?out\b|\bfuture dropped\b/i;

function readOutcome(outcome: Fields): RawResult | undefined {
  switch (outcome.kind) {
    case "result": {
      const content = typeof outcome.text === "string" ? outcome.text : "";
      const size = typeof outcome.size_bytes === "number" ? { sizeBytes: outcome.size_bytes } : {};
      if (outcome.is_error !== true) return { content, is_error: false, ...size };
      return {
        ...{ content, is_error: true, ...size },
        ...(INVALID_ARGUMENTS.test(content) && { explicitFailure: invalidCall(content) }),
      };
    }
    case "error": {
      const content = typeof outcome.message === "string" ? outcome.message : "";
      if (outcome.code === INVALID_PARAMS || outcome.code === METHOD_NOT_FOUND)
        return { content, is_error: true, explicitFailure: invalidCall(content) };
      if (outcome.code === INTERNAL_ERROR)
        return { content, is_error: true, explicitFailure: { category: "crash", phase: "run" } };
      return { content, is_error: true, phase: "run" };
    }
    case "cancelled": {
      const content = typeof outcome.reason === "string" ? outcome.reason : "";
      const category = TIMEOUT.test(content) ? "timeout" : "cancelled";
      return { content, is_error: true, explicitFailure: { category, phase: "run" } };
    }
    case "gone": {
      const status =
        typeof outcome.signal === "string" ? `signal ${outcome.signal}` : `exit status ${String(outcome.exit_code)}`;
      const content = `The MCP server ended during the call (${status}).`;
      return { content, is_error: true, explicitFailure: { category: "crash", phase: "run" } };
    }
    default:
      return undefined;
  }
}

function invalidCall(text: string): NonNullable<RawResult["explicitFailure"]> {
  return { category: UNKNOWN_TOOL.test(text) ? "unknown_tool" : "invalid_arguments", phase: "call" };
}
