import { callKeyText, type GroupKey, groupKeyText, type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { ForkCopy } from "../../core/model/changes.ts";
import { type Loaded, leakKeyText, requestKeyText, sessionKeyText } from "../../core/model/fold.ts";
import type { CallObservation, LeakObservation, Observation } from "../../core/model/observation.ts";
import { type PromptRecord, promptKeyText } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import { NAME_TTL_MS } from "../limits.ts";
import type { Database, Row } from "./database.ts";
import { findMany } from "./find-many.ts";
import type { OpenCalls } from "./open-calls.ts";
import { isKnownSuspension } from "./repair-rows.ts";

type MutableLoaded = {
  [K in keyof Loaded]: Loaded[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : Set<string>;
};

/** The keys of a batch in one session, without duplicates. */
interface BatchSession {
  readonly key: SessionKey;
  readonly threads: Map<string, BatchThread>;
  /** Prompts that calls refer to, and observed ones. */
  readonly prompts: Set<string>;
  /** Observed prompts: stored calls may already refer to them. */
  readonly observedPrompts: Set<string>;
}

interface BatchThread {
  readonly key: ThreadKey;
  /** The first observation of each id. */
  readonly calls: Map<string, CallObservation>;
}

type SessionKey = Pick<ThreadKey, "project" | "session_id">;

/** Loads everything the observations refer to; each group, session, thread and request once. */
export function load(db: Database, observations: readonly Observation[], open: OpenCalls): MutableLoaded {
  const loaded = nothingLoaded();
  const requests = new Map<string, Set<string>>();
  const sessions = new Map<string, BatchSession>();
  for (const observation of observations) {
    const { session, thread } = batchEntry(sessions, observation);
    if (observation.kind === "call") {
      if (!thread.calls.has(observation.tool_call_id)) thread.calls.set(observation.tool_call_id, observation);
      if (observation.prompt !== undefined) session.prompts.add(observation.prompt);
    } else if (observation.kind === "leak") {
      loadLeak(db, loaded, observation);
    } else if (observation.kind === "suspension") {
      if (isKnownSuspension(db, observation)) loaded.suspensions.add(requestKeyText(observation));
    } else if (observation.kind === "request" || observation.kind === "response") {
      const ids = requests.get(observation.project);
      if (ids === undefined) requests.set(observation.project, new Set([observation.request_id]));
      else ids.add(observation.request_id);
    } else if (observation.kind === "prompt") {
      session.prompts.add(observation.prompt);
      session.observedPrompts.add(observation.prompt);
    }
  }
  for (const [project, ids] of requests) loadRequests(db, loaded, project, [...ids]);
  for (const session of sessions.values()) loadBatchSession(db, loaded, session, open);
  loadNamedPrompts(db, loaded, sessions);
  return loaded;
}

export function nothingLoaded(): MutableLoaded {
  return {
    groups: new Map(),
    sessions: new Map(),
    threads: new Map(),
    requests: new Map(),
    names: new Map(),
    leaks: new Set(),
    suspensions: new Set(),
    links: new Map(),
    prompts: new Map(),
    promptGroups: new Map(),
  };
}

function batchEntry(
  sessions: Map<string, BatchSession>,
  observation: Observation,
): { readonly session: BatchSession; readonly thread: BatchThread } {
  const { project, session_id, agent_id } = observation;
  const text = sessionKeyText(observation);
  let session = sessions.get(text);
  if (session === undefined) {
    session = { key: { project, session_id }, threads: new Map(), prompts: new Set(), observedPrompts: new Set() };
    sessions.set(text, session);
  }
  let thread = session.threads.get(agent_id);
  if (thread === undefined) {
    thread = { key: { project, session_id, agent_id }, calls: new Map() };
    session.threads.set(agent_id, thread);
  }
  return { session, thread };
}

function loadBatchSession(
  db: Database,
  loaded: MutableLoaded,
  { key, threads, prompts, observedPrompts: told }: BatchSession,
  open: OpenCalls,
): void {
  const known = loadSession(db, loaded, key);
  for (const thread of threads.values()) {
    // Rows are always written with their session: a new session has none.
    if (known) {
      loadThread(db, loaded, thread.key);
      const unknown = [...thread.calls.values()].filter((call) => !takeOpen(loaded, open, groupKeyText(call)));
      if (unknown.length > 0)
        loadGroups(
          db,
          loaded,
          thread.key,
          unknown.map(({ tool_call_id }) => tool_call_id),
        );
    }
    for (const observation of thread.calls.values()) {
      if (observation.name === undefined && !loaded.groups.has(groupKeyText(observation)))
        loadName(db, loaded, observation);
    }
  }
  if (!known) return;
  for (const prompt of told) loadPromptCalls(db, loaded, { ...key, prompt });
  for (const prompt of prompts) loadPrompt(db, loaded, { ...key, prompt });
}

function takeOpen(loaded: MutableLoaded, open: OpenCalls, group: string): boolean {
  const records = open.get(group);
  if (records !== undefined) loaded.groups.set(group, records);
  return records !== undefined;
}

/** Loads prompts that only loaded calls refer to. */
function loadNamedPrompts(db: Database, loaded: MutableLoaded, batch: ReadonlyMap<string, BatchSession>): void {
  const named = new Map<string, PromptKey>();
  for (const group of loaded.groups.values()) {
    for (const { key, facts } of group) {
      if (facts.prompt === undefined || batch.get(sessionKeyText(key))?.prompts.has(facts.prompt.value)) continue;
      const prompt = { project: key.project, session_id: key.session_id, prompt: facts.prompt.value };
      named.set(promptKeyText(prompt), prompt);
    }
  }
  for (const [text, prompt] of named) if (!loaded.prompts.has(text)) loadPrompt(db, loaded, prompt);
}

function loadLeak(db: Database, loaded: MutableLoaded, leak: LeakObservation): void {
  const { project, request_id, result, format, reason } = leak;
  const row = db.get(
    "SELECT 1 AS known FROM leaks WHERE project = ? AND request_id = ? AND result = ? AND format = ? AND reason = ?",
    ...[project, request_id, result, format, reason ?? ""],
  );
  if (row !== undefined) loaded.leaks.add(leakKeyText(leak));
}

function loadRequests(db: Database, loaded: MutableLoaded, project: string, ids: readonly string[]): void {
  const sql = (places: string): string =>
    `SELECT request_id, record FROM requests WHERE project = ? AND request_id IN (${places})`;
  const rows = new Map(findMany(db, sql, [project], ids).map((row) => [row.request_id, row]));
  for (const request_id of ids) {
    const row = rows.get(request_id.toWellFormed());
    if (row !== undefined)
      loaded.requests.set(requestKeyText({ project, request_id }), JSON.parse(row.record as string) as RequestRecord);
  }
}

const GROUPS = (places: string): string => `SELECT tool_call_id, record, ${LINK_COLUMNS.join(", ")} FROM calls
  WHERE project = ? AND session_id = ? AND agent_id = ? AND tool_call_id IN (${places}) ORDER BY tool_call_id, occurrence`;

function loadGroups(db: Database, loaded: MutableLoaded, thread: ThreadKey, ids: readonly string[]): void {
  const { project, session_id, agent_id } = thread;
  const rows = findMany(db, GROUPS, [project, session_id, agent_id], ids);
  const groups = Map.groupBy(rows, (row) => row.tool_call_id);
  for (const tool_call_id of ids) {
    // The database replaces lone surrogates.
    const own = groups.get(tool_call_id.toWellFormed());
    if (own === undefined) continue;
    loaded.groups.set(
      groupKeyText({ ...thread, tool_call_id }),
      own.map((row) => loadRow(loaded, row)),
    );
  }
}

/** Parses the record of a row, and adds its links to `loaded`. */
export function loadRow(loaded: MutableLoaded, row: Row): CallRecord {
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

/** Loads calls that were observed before their prompt. */
function loadPromptCalls(db: Database, loaded: MutableLoaded, key: PromptKey): void {
  const rows = db.all(
    "SELECT DISTINCT agent_id, tool_call_id FROM calls WHERE project = ? AND session_id = ? AND prompt = ?",
    ...[key.project, key.session_id, key.prompt],
  );
  const groups = rows.map((row) => {
    const group: GroupKey = {
      project: key.project,
      session_id: key.session_id,
      agent_id: String(row.agent_id),
      tool_call_id: String(row.tool_call_id),
    };
    return group;
  });
  const missing = groups.filter((group) => !loaded.groups.has(groupKeyText(group)));
  for (const [agent_id, own] of Map.groupBy(missing, (group) => group.agent_id)) {
    const ids = own.map(({ tool_call_id }) => tool_call_id);
    loadGroups(db, loaded, { project: key.project, session_id: key.session_id, agent_id }, ids);
  }
  loaded.promptGroups.set(promptKeyText(key), groups.map(groupKeyText));
}

type PromptKey = Pick<PromptRecord, "project" | "session_id" | "prompt">;

/** A result without its call gets the tool name of a recent call with the same id in another thread. */
function loadName(db: Database, loaded: MutableLoaded, observation: CallObservation): void {
  const { project, tool_call_id, occurred_at } = observation;
  const row = db.get(
    `SELECT tool_name FROM calls WHERE project = ? AND tool_call_id = ? AND first_at BETWEEN ? AND ? AND tool_name <> '${UNKNOWN_TOOL}'
       ORDER BY first_at DESC LIMIT 1`,
    ...[project, tool_call_id, occurred_at - NAME_TTL_MS, occurred_at],
  );
  if (row !== undefined) loaded.names.set(groupKeyText(observation), String(row.tool_name));
}

export function loadSession(db: Database, loaded: MutableLoaded, key: SessionKey): boolean {
  const row = db.get("SELECT record FROM sessions WHERE project = ? AND session_id = ?", key.project, key.session_id);
  if (row === undefined) return false;
  loaded.sessions.set(sessionKeyText(key), JSON.parse(row.record as string) as SessionRecord);
  return true;
}

function loadThread(db: Database, loaded: MutableLoaded, key: ThreadKey): void {
  const start = threadStart(db, key);
  if (start !== undefined) loaded.threads.set(threadKeyText(key), start);
}

export function threadStart(db: Database, key: ThreadKey): number | undefined {
  const row = db.get(
    "SELECT first_at FROM threads WHERE project = ? AND session_id = ? AND agent_id = ?",
    ...[key.project, key.session_id, key.agent_id],
  );
  return row === undefined ? undefined : Number(row.first_at);
}

/**
 * Loads records of the same calls in other threads, which forks carry over. Calls made in their own thread are no
 * copies: two of those are not compared (`call_0` with result "ok" occurs in thousands of sessions).
 */
export function loadForkCopies(
  db: Database,
  loaded: MutableLoaded,
  records: readonly CallRecord[],
): readonly ForkCopy[] {
  const copies = new Map<string, ForkCopy>();
  for (const record of withResultInOtherThread(db, records)) {
    const { project, session_id, agent_id, tool_call_id } = record.key;
    const rows = db.all(
      `SELECT record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE project = ? AND tool_call_id = ? AND wire_result = ? AND made_here <= ?
         AND NOT (session_id = ? AND agent_id = ?) ORDER BY made_here DESC, first_at LIMIT ${MAX_FORK_COPIES}`,
      ...[project, tool_call_id, record.facts.wire_result?.value ?? ""],
      ...[record.facts.response_id === undefined ? 1 : 0, session_id, agent_id],
    );
    for (const row of rows) {
      const copy = loadRow(loaded, row);
      copies.set(callKeyText(copy.key), { record: copy, thread_start: threadStart(db, copy.key) });
    }
  }
  return [...copies.values()];
}

const MAX_FORK_COPIES = 50;

const HAS_RESULT = (places: string): string =>
  `SELECT DISTINCT tool_call_id FROM calls WHERE project = ? AND wire_result IS NOT NULL AND tool_call_id IN (${places})`;

/** Prefilter with few queries: hardly any id occurs twice. */
function withResultInOtherThread(db: Database, records: readonly CallRecord[]): readonly CallRecord[] {
  const found: CallRecord[] = [];
  for (const [project, own] of Map.groupBy(records, ({ key }) => key.project)) {
    const ids = [...new Set(own.map(({ key }) => key.tool_call_id))];
    const known = new Set(findMany(db, HAS_RESULT, [project], ids).map((row) => row.tool_call_id));
    if (known.size === 0) continue;
    found.push(...own.filter(({ key }) => known.has(key.tool_call_id.toWellFormed())));
  }
  return found;
}
