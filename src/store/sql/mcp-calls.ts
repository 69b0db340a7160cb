// Finds stored calls that belong together with calls that the wrapper of an MCP server reported.
import { type GroupKey, groupKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, toolName } from "../../core/model/call-record.ts";
import type { Folded } from "../../core/model/fold.ts";
import { isReusableId } from "../../core/model/locate-call.ts";
import { EARLY_START_MS, MAX_MCP_CALL_MS, mcpOnly } from "../../core/model/mcp-calls.ts";
import type { QueryRow } from "./driver.ts";
import { loadGroups, type MutableLoaded } from "./load.ts";
import { query, type Statement, select, together, type Work } from "./work.ts";

const KEY = "c.project, c.session_id, c.agent_id, c.tool_call_id";
/** More calls of one tool in the time of one call cannot be distinguished anyway. */
const MAX_CANDIDATES = 50;

function byId(and: string): Statement {
  return {
    parameters: { project: "text", tool_call_id: "text" },
    sql: ({ value }) => `SELECT ${KEY} FROM calls c WHERE c.project = ${value("project")}
      AND c.tool_call_id = ${value("tool_call_id")} AND ${and} LIMIT ${MAX_CANDIDATES}`,
  };
}

const BY_ID = byId("c.mcp_only = 0");
const WRAPPED_BY_ID = byId("c.mcp_only > 0");

const BY_TOOL = { project: "text", tool_name: "text", since: "bigint", until: "bigint" } as const;

/** Through the recent sessions: calls have no index by tool. */
const RECENT_BY_TOOL: Statement = {
  parameters: BY_TOOL,
  sql: ({
    value,
  }) => `SELECT ${KEY} FROM sessions s JOIN calls c ON c.project = s.project AND c.session_id = s.session_id
    WHERE s.project = ${value("project")} AND s.last_at >= ${value("since")} AND c.tool_name = ${value("tool_name")}
      AND c.first_at BETWEEN ${value("since")} AND ${value("until")} AND c.mcp_only = 0 LIMIT ${MAX_CANDIDATES}`,
};

const WRAPPED_BY_TOOL: Statement = {
  parameters: BY_TOOL,
  sql: ({ value }) => `SELECT ${KEY} FROM calls c WHERE c.project = ${value("project")} AND c.mcp_only > 1
    AND c.tool_name = ${value("tool_name")} AND c.first_at BETWEEN ${value("since")} AND ${value("until")}
    LIMIT ${MAX_CANDIDATES}`,
};

/** Loads the candidates for `joinMcpCalls`. Costs one query if no wrapper is in use. */
export function* loadMcpCandidates(loaded: MutableLoaded, { groups }: Folded): Work<readonly CallRecord[]> {
  const wrapped: CallRecord[] = [];
  const made: CallRecord[] = [];
  const fresh: CallRecord[] = [];
  for (const { before, after } of groups.values()) {
    for (const record of after) {
      if (mcpOnly(record) !== 0) wrapped.push(record);
      else if (!record.sources.includes("mcp") && !before.includes(record)) {
        made.push(record);
        if (before.length === 0) fresh.push(record);
      }
    }
  }
  if (wrapped.length === 0) {
    const [found] = made.length === 0 ? [] : yield* query("SELECT 1 AS found FROM calls WHERE mcp_only > 0 LIMIT 1");
    if (found === undefined) return [];
  }
  const unique = ({ key }: CallRecord): boolean => !isReusableId(key.tool_call_id);
  const found = yield* together([
    select(BY_ID, wrapped.filter((record) => mcpOnly(record) === 1 && unique(record)).map(idValues)),
    select(WRAPPED_BY_ID, fresh.filter(unique).map(idValues)),
    select(
      RECENT_BY_TOOL,
      wrapped
        .filter((record) => mcpOnly(record) === 2)
        .map((record) => toolValues(record, record.first_at - MAX_MCP_CALL_MS * 2, record.first_at + EARLY_START_MS)),
    ),
    select(
      WRAPPED_BY_TOOL,
      made.map((record) => toolValues(record, record.first_at - EARLY_START_MS, record.first_at + MAX_MCP_CALL_MS * 2)),
    ),
  ]);
  const keys = new Map<string, GroupKey>();
  for (const row of found.flat(2)) {
    const key = keyOf(row);
    if (!groups.has(groupKeyText(key))) keys.set(groupKeyText(key), key);
  }
  yield* loadGroups(loaded, [...keys.values()]);
  return [...keys.keys()].flatMap((text) => loaded.groups.get(text) ?? []);
}

function idValues({ key }: CallRecord): readonly string[] {
  return [key.project, key.tool_call_id];
}

function toolValues(record: CallRecord, since: number, until: number): readonly (string | number)[] {
  return [record.key.project, toolName(record), since, until];
}

function keyOf({ project, session_id, agent_id, tool_call_id }: QueryRow): GroupKey {
  return {
    project: String(project),
    session_id: String(session_id),
    agent_id: String(agent_id),
    tool_call_id: String(tool_call_id),
  };
}
