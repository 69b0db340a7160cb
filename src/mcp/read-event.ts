import { isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import { isObject } from "../core/model/narrow.ts";
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
import { checkArgumentsOf, outputProblem } from "./check-call.ts";
import { clientName, modelToolName } from "./client-names.ts";
import type { KnownServers } from "./known-servers.ts";
import { resultOutcome } from "./result-outcome.ts";

/**
 * Reads one file of a wrapper's spool. Lines that are malformed or of unknown kinds are skipped.
 *
 * @param servers receives what the file reveals about its server; calls are compared with the tools known there
 */
export function readMcpLines(text: string, context: HookReadContext, servers?: KnownServers): HookReading {
  const [first = "", ...lines] = text.split("\n");
  const header = parseLine(first);
  if (header?.kind !== "header") return unreadable("the header is missing");
  return readAs(
    ...lines.flatMap((line) => {
      const fields = line === "" ? undefined : parseLine(line);
      if (fields?.kind === "tools") servers?.addTools(header, fields);
      else if (fields?.kind === "server") servers?.addRun(header, fields);
      const call = fields?.kind === "call" ? readCall(fields, header, context, servers) : undefined;
      return call === undefined ? [] : [call];
    }),
  );
}

function parseLine(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The session of calls whose client sends no session id: the connection, which over stdio is the wrapper's process. */
function ownSession(client: string | undefined, connection: string): string {
  return `mcp:${(client ?? "client").replace(/[^A-Za-z0-9._-]/g, "_")}:${connection}`;
}

const META = "io.modelcontextprotocol/";

function readCall(
  line: Fields,
  header: Fields,
  context: HookReadContext,
  servers: KnownServers | undefined,
): RawCallObservation | undefined {
  const { id, request, response } = line;
  const { server, instance } = header;
  const params = fieldsIn(request, "params");
  const meta = fieldsIn(params, "_meta");
  const tool = textOf(params.name);
  const endedAt = timeOf(line.ended_at, context);
  const outcome = isObject(line.outcome) ? line.outcome : responseOutcome(response);
  const result = outcome === undefined ? undefined : readOutcome(outcome);
  if (!isCallId(id) || tool === undefined || endedAt === undefined || result === undefined) return undefined;
  if (typeof server !== "string" || server === "" || typeof instance !== "string") return undefined;
  // In the stateless protocol, each message contains the data of `initialize`.
  const sender = isObject(header.client) ? header.client : fieldsIn(meta, `${META}clientInfo`);
  const answerer = isObject(header.server_info)
    ? header.server_info
    : fieldsIn(fieldsIn(fieldsIn(response, "result"), "_meta"), `${META}serverInfo`);
  const sent = textOf(sender.name);
  const client = sent === undefined ? undefined : clientName(sent);
  const own = ownSession(client, textOf(header.connection) ?? instance);
  const session = [meta.sessionId, meta.sessionID, header.session_id, own].find(isSession);
  if (session === undefined) return undefined;
  const callId = [meta["claudecode/toolUseId"], meta.callId].find(isCallId);
  const duration = durationOf(line.duration_ms);
  const [clientVersion, serverName, serverVersion] = [sender.version, answerer.name, answerer.version].map(textOf);
  const declared = servers?.toolOf(server, tool, { name: serverName, version: serverVersion });
  const problem =
    outcome?.kind === "result"
      ? (textOf(outcome.problem) ?? outputProblem(fieldsIn(response, "result"), declared))
      : undefined;
  const mcp: McpFacts = {
    server: server.slice(0, MAX_NAME_CHARS),
    tool: tool.slice(0, MAX_NAME_CHARS),
    id,
    ...(serverName !== undefined && { server_name: serverName.slice(0, MAX_NAME_CHARS) }),
    ...(serverVersion !== undefined && { server_version: serverVersion.slice(0, MAX_NAME_CHARS) }),
    ...(callId === undefined && { inferred: true }),
    ...(problem !== undefined && { output: problem.slice(0, MAX_NAME_CHARS) }),
    ...(typeof line.rounds === "number" && { rounds: line.rounds }),
  };
  const args = "arguments" in params ? params.arguments : {};
  // Arguments that are too large for the spool are missing here.
  const faults =
    "arguments" in params ? checkArgumentsOf(params.arguments, declared, line.repaired === true) : undefined;
  return {
    v: 1,
    project: context.project,
    session_id: session,
    agent_id: ROOT_AGENT,
    source: "mcp",
    occurred_at: endedAt,
    seen_at: context.now,
    live: true,
    tool_call_id: callId ?? id,
    place: { kind: "newest" },
    name: modelToolName(client, mcp.server, mcp.tool),
    mcp,
    ...(client !== undefined && { client }),
    ...(clientVersion !== undefined && { client_version: clientVersion }),
    ...(duration !== undefined && { execution_time_ms: duration }),
    ...(args !== null && { arguments: args }),
    ...(faults !== undefined && { call_repair: faults }),
    result,
  };
}

function fieldsIn(value: unknown, name: string): Fields {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}

function isSession(value: unknown): value is string {
  return typeof value === "string" && isValidId(value);
}

/** The outcome in a response of the server. */
function responseOutcome(response: unknown): Fields | undefined {
  if (!isObject(response)) return undefined;
  const { result, error } = response;
  if (isObject(result)) return { ...resultOutcome(result) };
  return isObject(error) ? { kind: "error", code: error.code, message: error.message } : undefined;
}

const MAX_NAME_CHARS = 255;
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
/** SDKs report arguments that do not fit as a result of the tool. */
const INVALID_ARGUMENTS = /^(?:MCP error -32602|Input validation error)/;
const UNKNOWN_TOOL = /\bunknown tool\b|\bnot found\b/i;
/** Reasons that clients give when they cancel a call after their timeout. */
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
      // An internal error may have any cause: the text states it.
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
