import { callKeyText, type GroupKey, groupKeyText, threadKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { ForkCopy } from "../../core/model/changes.ts";
import { type Loaded, leakKeyText, requestKeyText, sessionKeyText } from "../../core/model/fold.ts";
import type { CallObservation, LeakObservation, Observation } from "../../core/model/observation.ts";
import { type PromptRecord, promptKeyText } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import type { Columns } from "../columns.ts";
import { LINK_COLUMNS, linksOfRow } from "../columns.ts";
import { NAME_TTL_MS } from "../limits.ts";
import type { Queries, Row } from "./database.ts";
import { findByKeys, rowsOf, valuesOf } from "./tables.ts";

export type MutableLoaded = {
  [K in keyof Loaded]: Loaded[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : Set<string>;
} & {
  /** The stamps of the loaded sessions; see thread-tail-cache.ts. */
  readonly stamps: Map<string, number>;
};

/** The keys of everything the observations refer to, without duplicates. */
class BatchKeys {
  readonly sessions = new Map<string, Columns>();
  readonly threads = new Map<string, Columns>();
  readonly groups = new Map<string, CallObservation>();
  readonly requests = new Map<string, Columns>();
  readonly leaks = new Map<string, Columns>();
  readonly suspensions = new Map<string, Columns>();
  readonly prompts = new Map<string, Columns>();
  /** Observed prompts: stored calls may already refer to them. */
  readonly observedPrompts = new Map<string, Columns>();

  constructor(observations: readonly Observation[]) {
    for (const one of observations) this.#add(one);
  }

  #add(one: Observation): void {
    const { project, session_id, agent_id } = one;
    this.sessions.set(sessionKeyText(one), { project, session_id });
    this.threads.set(threadKeyText(one), { project, session_id, agent_id });
    if (one.kind === "call") {
      const known = this.groups.get(groupKeyText(one));
      // The first observation of a call decides whether its name is missing, as in the SQLite store.
      if (known === undefined) this.groups.set(groupKeyText(one), one);
      if (one.prompt !== undefined) this.#prompt({ project, session_id, prompt: one.prompt });
    } else if (one.kind === "leak") {
      const { request_id, result, format, reason = "" } = one;
      this.leaks.set(leakKeyText(one), { project, session_id, request_id, result, format, reason });
    } else if (one.kind === "suspension") {
      this.suspensions.set(requestKeyText(one), { project, session_id, request_id: one.request_id });
    } else if (one.kind === "request" || one.kind === "response") {
      this.requests.set(requestKeyText(one), { project, session_id, request_id: one.request_id });
    } else if (one.kind === "prompt") {
      const key = { project, session_id, prompt: one.prompt };
      this.#prompt(key);
      this.observedPrompts.set(promptKeyText(key), key);
    }
  }

  #prompt(key: PromptKey): void {
    this.prompts.set(promptKeyText(key), { ...key });
  }
}

type PromptKey = Pick<PromptRecord, "project" | "session_id" | "prompt">;

export function nothingLoaded(): MutableLoaded {
  return {
    ...{ groups: new Map(), sessions: new Map(), threads: new Map(), requests: new Map(), names: new Map() },
    ...{ leaks: new Set(), suspensions: new Set(), links: new Map(), prompts: new Map(), promptGroups: new Map() },
    stamps: new Map(),
  };
}

const CALL = `t.record, ${LINK_COLUMNS.map((name) => `t.${name}`).join(", ")}`;

/** Loads everything the observations refer to, in two rounds: the second loads what the first revealed. */
export async function load(db: Queries, observations: readonly Observation[]): Promise<MutableLoaded> {
  const keys = new BatchKeys(observations);
  const loaded = nothingLoaded();
  await Promise.all([
    loadSessions(db, loaded, [...keys.sessions.values()]),
    loadThreads(db, loaded, [...keys.threads.values()]),
    loadGroups(db, loaded, [...keys.groups.values()]),
    loadRequests(db, loaded, [...keys.requests.values()]),
    loadLeaks(db, loaded, [...keys.leaks.values()]),
    loadSuspensions(db, loaded, [...keys.suspensions.values()]),
    loadPrompts(db, loaded, [...keys.prompts.values()]),
    loadPromptGroups(db, loaded, [...keys.observedPrompts.values()]),
  ]);
  const unnamed = [...keys.groups.values()].filter(
    (one) => one.name === undefined && !loaded.groups.has(groupKeyText(one)),
  );
  await Promise.all([loadNames(db, loaded, unnamed), loadPromptsOfCalls(db, loaded, keys)]);
  return loaded;
}

export async function loadSessions(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "sessions", "t.record, t.stamp", keys)) {
    const session = JSON.parse(row.record as string) as SessionRecord;
    loaded.sessions.set(sessionKeyText(session), session);
    loaded.stamps.set(sessionKeyText(session), Number(row.stamp));
  }
}

async function loadThreads(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "threads", "t.project, t.session_id, t.agent_id, t.first_at", keys)) {
    const key = { project: String(row.project), session_id: String(row.session_id), agent_id: String(row.agent_id) };
    loaded.threads.set(threadKeyText(key), Number(row.first_at));
  }
}

async function loadGroups(db: Queries, loaded: MutableLoaded, keys: readonly GroupKey[]): Promise<void> {
  const columns = keys.map(({ project, session_id, agent_id, tool_call_id }) => ({
    ...{ project, session_id, agent_id, tool_call_id },
  }));
  const rows = await findByKeys(db, "calls", CALL, columns);
  const groups = new Map<string, CallRecord[]>();
  for (const row of rows) {
    const record = loadRow(loaded, row);
    const key = groupKeyText(record.key);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  for (const [key, records] of groups) {
    loaded.groups.set(
      key,
      records.sort((a, b) => a.key.occurrence - b.key.occurrence),
    );
  }
}

/** Parses the record of a row, and adds its links to `loaded`. */
function loadRow(loaded: MutableLoaded, row: Row): CallRecord {
  const record = JSON.parse(row.record as string) as CallRecord;
  const links = linksOfRow(row);
  if (links !== undefined) loaded.links.set(callKeyText(record.key), links);
  return record;
}

async function loadRequests(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "requests", "t.record", keys)) {
    const record = JSON.parse(row.record as string) as RequestRecord;
    loaded.requests.set(requestKeyText(record), record);
  }
}

async function loadLeaks(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "leaks", "t.record", keys))
    loaded.leaks.add(leakKeyText(JSON.parse(row.record as string) as LeakObservation));
}

async function loadSuspensions(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "suspensions", "t.project, t.request_id", keys))
    loaded.suspensions.add(requestKeyText({ project: String(row.project), request_id: String(row.request_id) }));
}

async function loadPrompts(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  for (const row of await findByKeys(db, "prompts", "t.record", keys)) {
    const record = JSON.parse(row.record as string) as PromptRecord;
    loaded.prompts.set(promptKeyText(record), record);
  }
}

/** Loads calls that were observed before their prompt. */
async function loadPromptGroups(db: Queries, loaded: MutableLoaded, keys: readonly Columns[]): Promise<void> {
  const select = "DISTINCT t.project, t.session_id, t.prompt, t.agent_id, t.tool_call_id";
  for (const row of await findByKeys(db, "calls", select, keys)) {
    const prompt = promptKeyText(row as unknown as PromptKey);
    loaded.promptGroups.set(prompt, [
      ...(loaded.promptGroups.get(prompt) ?? []),
      groupKeyText(row as unknown as GroupKey),
    ]);
  }
}

/** Loads calls of observed prompts, and prompts of loaded calls. */
async function loadPromptsOfCalls(db: Queries, loaded: MutableLoaded, wanted: BatchKeys): Promise<void> {
  const waiting = [...new Set([...loaded.promptGroups.values()].flat())]
    .filter((key) => !loaded.groups.has(key))
    .map((key) => {
      const [project, session_id, agent_id, tool_call_id] = key.split("\u0000") as [string, string, string, string];
      return { project, session_id, agent_id, tool_call_id };
    });
  await loadGroups(db, loaded, waiting);
  const named = new Map<string, Columns>();
  for (const { key, facts } of [...loaded.groups.values()].flat()) {
    if (facts.prompt === undefined) continue;
    const prompt = { project: key.project, session_id: key.session_id, prompt: facts.prompt.value };
    if (!wanted.prompts.has(promptKeyText(prompt))) named.set(promptKeyText(prompt), prompt);
  }
  await loadPrompts(db, loaded, [...named.values()]);
}

const NAME_KEYS = ["n", "project", "tool_call_id", "since", "until"] as const;

/** A result without its call gets the tool name of a recent call with the same id in another thread. */
async function loadNames(db: Queries, loaded: MutableLoaded, unnamed: readonly CallObservation[]): Promise<void> {
  if (unnamed.length === 0) return;
  const keys = unnamed.map(({ project, tool_call_id, occurred_at }, n) => ({
    ...{ n, project, tool_call_id, since: occurred_at - NAME_TTL_MS, until: occurred_at },
  }));
  const rows = await db.all(
    `SELECT k.n, c.tool_name FROM ${rowsOf("calls", NAME_KEYS)} CROSS JOIN LATERAL (
       SELECT tool_name FROM calls WHERE project = k.project AND tool_call_id = k.tool_call_id
         AND first_at BETWEEN k.since AND k.until AND tool_name <> '${UNKNOWN_TOOL}' ORDER BY first_at DESC LIMIT 1) c`,
    ...valuesOf(NAME_KEYS, keys),
  );
  for (const row of rows)
    loaded.names.set(groupKeyText(unnamed[Number(row.n)] as CallObservation), String(row.tool_name));
}

const MAX_FORK_COPIES = 50;
const TWIN_KEYS = ["project", "session_id", "agent_id", "tool_call_id", "wire_result", "most_made"] as const;

/**
 * Loads records of the same calls in other threads, which forks carry over. Calls made in their own thread are no
 * copies.
 */
export async function loadForkCopies(
  db: Queries,
  loaded: MutableLoaded,
  records: readonly CallRecord[],
): Promise<readonly ForkCopy[]> {
  if (records.length === 0) return [];
  const keys = records.map(({ key, facts }) => ({
    ...{ project: key.project, session_id: key.session_id, agent_id: key.agent_id, tool_call_id: key.tool_call_id },
    wire_result: facts.wire_result?.value ?? "",
    most_made: facts.response_id === undefined ? 1 : 0,
  }));
  const rows = await db.all(
    `SELECT ${CALL}, start.first_at AS thread_start FROM ${rowsOf("calls", TWIN_KEYS)} CROSS JOIN LATERAL (
       SELECT * FROM calls c WHERE c.project = k.project AND c.tool_call_id = k.tool_call_id AND c.wire_result = k.wire_result
         AND c.made_here <= k.most_made AND NOT (c.session_id = k.session_id AND c.agent_id = k.agent_id)
       ORDER BY c.made_here DESC, c.first_at LIMIT ${MAX_FORK_COPIES}) t
     LEFT JOIN threads start ON start.project = t.project AND start.session_id = t.session_id AND start.agent_id = t.agent_id`,
    ...valuesOf(TWIN_KEYS, keys),
  );
  return twinsOf(loaded, rows);
}

const MAX_COPIES = 200;

/** Up to 200 calls of other sessions that were carried over from one session. */
export async function loadCopies(
  db: Queries,
  loaded: MutableLoaded,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<readonly ForkCopy[]> {
  const rows = await db.all(
    `SELECT ${CALL}, start.first_at AS thread_start FROM calls t
     LEFT JOIN threads start ON start.project = t.project AND start.session_id = t.session_id AND start.agent_id = t.agent_id
     WHERE t.inherited_from COLLATE "C" >= ? AND t.inherited_from COLLATE "C" < ? LIMIT ${MAX_COPIES}`,
    ...[from, until],
  );
  return twinsOf(loaded, rows);
}

function twinsOf(loaded: MutableLoaded, rows: readonly Row[]): readonly ForkCopy[] {
  const copies = new Map<string, ForkCopy>();
  for (const row of rows) {
    const record = loadRow(loaded, row);
    const thread_start = row.thread_start === null ? undefined : Number(row.thread_start);
    copies.set(callKeyText(record.key), { record, thread_start });
  }
  return [...copies.values()];
}
