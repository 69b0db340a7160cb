// Finds stored calls that belong together with calls of a batch although session or id differ: those that the wrapper of
// an MCP server reported, and those from transcripts and hooks of clients that send no session id.
import { type GroupKey, groupKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, toolName } from "../../core/model/call-record.ts";
import { isGlobalId } from "../../core/model/client-calls.ts";
import { type Folded, sessionKeyText } from "../../core/model/fold.ts";
import { isReusableId } from "../../core/model/locate-call.ts";
import { EARLY_START_MS, MAX_MCP_CALL_MS } from "../../core/model/mcp-calls.ts";
import { sendsNoSessionId, unjoined } from "../../core/model/unjoined.ts";
import { type UsageRecord, usageKeyText } from "../../core/model/usage-record.ts";
import type { QueryRow } from "./driver.ts";
import { loadGroups, type MutableLoaded } from "./load.ts";
import { selectBy } from "./statements.ts";
import { USAGES } from "./tables.ts";
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

const BY_ID = byId("c.unjoined = 0");
const UNJOINED_BY_ID = byId("c.unjoined > 0");

/** For ids that servers use again. */
const BY_RESULT: Statement = {
  parameters: { project: "text", tool_call_id: "text", wire_result: "text" },
  sql: ({ value }) => `SELECT ${KEY} FROM calls c WHERE c.project = ${value("project")}
    AND c.tool_call_id = ${value("tool_call_id")} AND c.wire_result = ${value("wire_result")}
    ORDER BY c.first_at DESC LIMIT ${MAX_CANDIDATES}`,
};

const BY_TOOL = { project: "text", tool_name: "text", since: "bigint", until: "bigint" } as const;

/** Through the recent sessions: calls have no index by tool. */
const RECENT_BY_TOOL: Statement = {
  parameters: BY_TOOL,
  sql: ({
    value,
  }) => `SELECT ${KEY} FROM sessions s JOIN calls c ON c.project = s.project AND c.session_id = s.session_id
    WHERE s.project = ${value("project")} AND s.last_at >= ${value("since")} AND c.tool_name = ${value("tool_name")}
      AND c.first_at BETWEEN ${value("since")} AND ${value("until")} AND c.unjoined = 0 LIMIT ${MAX_CANDIDATES}`,
};

const WRAPPED_BY_TOOL: Statement = {
  parameters: BY_TOOL,
  sql: ({ value }) => `SELECT ${KEY} FROM calls c WHERE c.project = ${value("project")} AND c.unjoined = 2
    AND c.tool_name = ${value("tool_name")} AND c.first_at BETWEEN ${value("since")} AND ${value("until")}
    LIMIT ${MAX_CANDIDATES}`,
};

/** Loads the candidates for `joinMcpCalls` and `joinClientCalls`. Costs one query if there is nothing to join. */
export function* loadJoinCandidates(loaded: MutableLoaded, { groups }: Folded): Work<readonly CallRecord[]> {
  const waiting: CallRecord[] = [];
  const made: CallRecord[] = [];
  const fresh: CallRecord[] = [];
  for (const { before, after } of groups.values()) {
    for (const record of after) {
      if (unjoined(record) !== 0) waiting.push(record);
      else if (!record.sources.includes("mcp") && !before.includes(record)) {
        made.push(record);
        if (before.length === 0) fresh.push(record);
      }
    }
  }
  if (waiting.length === 0) {
    const [found] = made.length === 0 ? [] : yield* query("SELECT 1 AS found FROM calls WHERE unjoined > 0 LIMIT 1");
    if (found === undefined) return [];
  }
  const unique = ({ key }: CallRecord): boolean => !isReusableId(key.tool_call_id);
  const ofClients = [...waiting, ...made].filter(({ facts }) => sendsNoSessionId(facts.client?.value));
  const found = yield* together([
    select(BY_ID, waiting.filter((record) => unjoined(record) !== 2 && unique(record)).map(idValues)),
    select(UNJOINED_BY_ID, fresh.filter(unique).map(idValues)),
    select(
      BY_RESULT,
      ofClients.flatMap((record) => {
        const text = record.facts.wire_result?.value;
        return unique(record) || text === undefined ? [] : [[...idValues(record), text]];
      }),
    ),
    select(
      RECENT_BY_TOOL,
      waiting
        .filter((record) => unjoined(record) === 2)
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

const USAGE_BY_TURN = selectBy(USAGES, ["project", "turn"], () => "t.record");

/** Loads the tokens of the same turns in other sessions of clients that send no session id. */
export function* loadUsageCandidates(
  loaded: MutableLoaded,
  { usages, sessions }: Folded,
): Work<readonly UsageRecord[]> {
  const turns = new Map<string, readonly [project: string, turn: string]>();
  for (const [key, record] of usages) {
    const turn = record.turn?.value;
    if (turn === undefined || !isGlobalId(turn) || loaded.usages.get(key) === record) continue;
    if (sendsNoSessionId(sessions.get(sessionKeyText(record))?.client?.value))
      turns.set(`${record.project}\u0000${turn}`, [record.project, turn]);
  }
  const rows = yield* select(USAGE_BY_TURN, [...turns.values()]);
  const found = rows.flat().map((row) => JSON.parse(row.record as string) as UsageRecord);
  for (const record of found) {
    const key = usageKeyText(record);
    if (!usages.has(key)) loaded.usages.set(key, record);
  }
  return found;
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
