import { callKeyText, type GroupKey, groupKeyText, type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { Twin } from "../../core/model/changes.ts";
import { type Loaded, leakKeyText, requestKeyText, sessionKeyText } from "../../core/model/fold.ts";
import type { CallObservation, Observation } from "../../core/model/observation.ts";
import { type PromptRecord, promptKeyText } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../link-columns.ts";
import { NAME_TTL_MS } from "../name-ttl.ts";
import type { Database, Row } from "./database.ts";

type MutableLoaded = {
  [K in keyof Loaded]: Loaded[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : Set<string>;
};

/** Reads what a batch speaks about; each group, session, thread and request once. */
export function load(db: Database, observations: readonly Observation[]): MutableLoaded {
  const loaded: MutableLoaded = {
    groups: new Map(),
    sessions: new Map(),
    threads: new Map(),
    requests: new Map(),
    names: new Map(),
    leaks: new Set(),
    links: new Map(),
    prompts: new Map(),
    promptGroups: new Map(),
  };
  const asked = new Set<string>();
  const once = (kind: string, key: string, read: () => void): void => {
    if (asked.has(kind + key)) return;
    asked.add(kind + key);
    read();
  };
  for (const observation of observations) {
    once("s", sessionKeyText(observation), () => loadSession(db, loaded, observation));
    once("t", threadKeyText(observation), () => loadThread(db, loaded, observation));
    if (observation.kind === "call") {
      once("g", groupKeyText(observation), () => {
        const known = loadGroup(db, loaded, observation);
        if (!known && observation.name === undefined) loadName(db, loaded, observation);
      });
      if (observation.prompt !== undefined) {
        const named = { ...observation, prompt: observation.prompt };
        once("p", promptKeyText(named), () => loadPrompt(db, loaded, named));
      }
    } else if (observation.kind === "leak") {
      const { project, request_id, result, format, reason } = observation;
      const row = db.get(
        "SELECT 1 AS known FROM leaks WHERE project = ? AND request_id = ? AND result = ? AND format = ? AND reason = ?",
        ...[project, request_id, result, format, reason ?? ""],
      );
      if (row !== undefined) loaded.leaks.add(leakKeyText(observation));
    } else if (observation.kind === "request" || observation.kind === "response") {
      once("r", requestKeyText(observation), () => {
        const { project, request_id } = observation;
        const row = db.get("SELECT record FROM requests WHERE project = ? AND request_id = ?", project, request_id);
        if (row !== undefined)
          loaded.requests.set(requestKeyText(observation), JSON.parse(row.record as string) as RequestRecord);
      });
    } else if (observation.kind === "prompt") {
      once("p", promptKeyText(observation), () => loadPrompt(db, loaded, observation));
      once("c", promptKeyText(observation), () => loadPromptCalls(db, loaded, observation));
    }
  }
  for (const records of loaded.groups.values()) {
    for (const { key, facts } of records) {
      if (facts.prompt === undefined) continue;
      const named = { ...key, prompt: facts.prompt.value };
      once("p", promptKeyText(named), () => loadPrompt(db, loaded, named));
    }
  }
  return loaded;
}

const GROUP = `SELECT record, ${LINK_COLUMNS.join(", ")} FROM calls
  WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id = ? ORDER BY occurrence`;

function loadGroup(db: Database, loaded: MutableLoaded, key: GroupKey): boolean {
  const rows = db.all(GROUP, key.project, key.session_id, key.agent_id, key.tool_call_id);
  if (rows.length === 0) return false;
  loaded.groups.set(
    groupKeyText(key),
    rows.map((row) => loadRow(loaded, row)),
  );
  return true;
}

/** The record of a row; its links are remembered. */
function loadRow(loaded: MutableLoaded, row: Row): CallRecord {
  const record = JSON.parse(row.record as string) as CallRecord;
  const links = linksOfRow(row);
  if (links !== undefined) loaded.links.set(callKeyText(record.key), links);
  return record;
}

function loadPrompt(db: Database, loaded: MutableLoaded, key: PromptKey): void {
  const row = db.get(
    "SELECT record FROM prompts WHERE project = ? AND session_id = ? AND prompt = ?",
    ...[key.project, key.session_id, key.prompt],
  );
  if (row !== undefined) loaded.prompts.set(promptKeyText(key), JSON.parse(row.record as string) as PromptRecord);
}

/** Calls that were seen before the prompt they name. */
function loadPromptCalls(db: Database, loaded: MutableLoaded, key: PromptKey): void {
  const rows = db.all(
    "SELECT DISTINCT agent_id, tool_call_id FROM calls WHERE project = ? AND session_id = ? AND prompt = ?",
    ...[key.project, key.session_id, key.prompt],
  );
  const groups = rows.map((row) => {
    const group = {
      project: key.project,
      session_id: key.session_id,
      agent_id: String(row.agent_id),
      tool_call_id: String(row.tool_call_id),
    };
    if (!loaded.groups.has(groupKeyText(group))) loadGroup(db, loaded, group);
    return groupKeyText(group);
  });
  loaded.promptGroups.set(promptKeyText(key), groups);
}

type PromptKey = Pick<PromptRecord, "project" | "session_id" | "prompt">;

/** Half an id is better than none: a result whose call another thread made lately gets that call's name. */
function loadName(db: Database, loaded: MutableLoaded, observation: CallObservation): void {
  const { project, tool_call_id, occurred_at } = observation;
  const row = db.get(
    `SELECT tool_name FROM calls WHERE project = ? AND tool_call_id = ? AND first_at BETWEEN ? AND ? AND tool_name <> '${UNKNOWN_TOOL}'
       ORDER BY first_at DESC LIMIT 1`,
    ...[project, tool_call_id, occurred_at - NAME_TTL_MS, occurred_at],
  );
  if (row !== undefined) loaded.names.set(groupKeyText(observation), String(row.tool_name));
}

export function loadSession(
  db: Database,
  loaded: MutableLoaded,
  key: { readonly project: string; readonly session_id: string },
): void {
  const row = db.get("SELECT record FROM sessions WHERE project = ? AND session_id = ?", key.project, key.session_id);
  if (row !== undefined) loaded.sessions.set(sessionKeyText(key), JSON.parse(row.record as string) as SessionRecord);
}

function loadThread(db: Database, loaded: MutableLoaded, key: ThreadKey): void {
  const start = threadStart(db, key);
  if (start !== undefined) loaded.threads.set(threadKeyText(key), start);
}

function threadStart(db: Database, key: ThreadKey): number | undefined {
  const row = db.get(
    "SELECT first_at FROM threads WHERE project = ? AND session_id = ? AND agent_id = ?",
    ...[key.project, key.session_id, key.agent_id],
  );
  return row === undefined ? undefined : Number(row.first_at);
}

/**
 * The same calls as seen in other threads: what a fork carried along. A call made in its thread was not carried there,
 * so of two such calls (`call_0` answered "ok" in a thousand sessions) neither is asked for.
 */
export function loadTwins(db: Database, loaded: MutableLoaded, records: readonly CallRecord[]): readonly Twin[] {
  const twins = new Map<string, Twin>();
  for (const record of records) {
    const { project, session_id, agent_id, tool_call_id } = record.key;
    const rows = db.all(
      `SELECT record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE project = ? AND tool_call_id = ? AND wire_result = ? AND made_here <= ?
         AND NOT (session_id = ? AND agent_id = ?) ORDER BY made_here DESC, first_at LIMIT ${MOST_TWINS}`,
      ...[project, tool_call_id, record.facts.wire_result?.value ?? ""],
      ...[record.facts.response_id === undefined ? 1 : 0, session_id, agent_id],
    );
    for (const row of rows) {
      const twin = loadRow(loaded, row);
      twins.set(callKeyText(twin.key), { record: twin, thread_start: threadStart(db, twin.key) });
    }
  }
  return [...twins.values()];
}

const MOST_TWINS = 50;
