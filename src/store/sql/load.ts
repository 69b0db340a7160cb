import { callKeyText, type GroupKey, groupKeyText, type ThreadKey, threadKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import type { ForkCopy } from "../../core/model/changes.ts";
import { isPromptByTime, type Loaded, leakKeyText, requestKeyText, sessionKeyText } from "../../core/model/fold.ts";
import type { CallObservation, LeakObservation, Observation } from "../../core/model/observation.ts";
import { type PromptRecord, promptKeyText } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { SessionRecord } from "../../core/model/session-record.ts";
import {
  reportsUsage,
  responseKey,
  type UsageKey,
  type UsageRecord,
  usageKeyText,
} from "../../core/model/usage-record.ts";
import type { SessionKey } from "../deletions.ts";
import { NAME_TTL_MS } from "../limits.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow } from "./driver.ts";
import type { OpenCalls } from "./open-calls.ts";
import { selectBy, selectByKey } from "./statements.ts";
import {
  CALLS,
  LEAKS,
  LINK_COLUMNS,
  linksOfRow,
  PROMPTS,
  REQUESTS,
  SESSIONS,
  SUSPENSIONS,
  THREADS,
  USAGES,
} from "./tables.ts";
import { query, type Statement, sameRow, select, together, type Work } from "./work.ts";

export type MutableLoaded = {
  [K in keyof Loaded]: Loaded[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : Set<string>;
} & {
  /** The stamps of the loaded sessions; see thread-tail-cache.ts. */
  readonly stamps: Map<string, number>;
  /** Sessions that are not stored, and so have no other rows. */
  readonly newSessions: Set<string>;
};

export function nothingLoaded(): MutableLoaded {
  return {
    ...{ groups: new Map(), sessions: new Map(), threads: new Map(), requests: new Map(), names: new Map() },
    ...{ leaks: new Set(), suspensions: new Set(), links: new Map(), prompts: new Map(), promptGroups: new Map() },
    lastPrompts: new Map(),
    ...{ usages: new Map(), stamps: new Map(), newSessions: new Set() },
  };
}

type RequestKey = SessionKey & Pick<RequestRecord, "request_id">;
type PromptKey = SessionKey & Pick<PromptRecord, "prompt">;

/** The keys of everything the observations refer to, without duplicates. */
class BatchKeys {
  readonly sessions = new Map<string, SessionKey>();
  readonly threads = new Map<string, ThreadKey>();
  /** The first observation of each call decides whether its name is missing. */
  readonly groups = new Map<string, CallObservation>();
  readonly requests = new Map<string, RequestKey>();
  readonly leaks = new Map<string, LeakObservation>();
  readonly suspensions = new Map<string, RequestKey>();
  readonly prompts = new Map<string, PromptKey>();
  readonly usages = new Map<string, UsageKey>();
  /** Sessions with calls that belong to the last prompt before them. */
  readonly promptsByTime = new Map<string, SessionKey>();
  /** Observed prompts: stored calls may already refer to them. */
  readonly observedPrompts = new Map<string, PromptKey>();

  constructor(observations: readonly Observation[]) {
    for (const one of observations) {
      this.sessions.set(sessionKeyText(one), one);
      if ((one.kind === "response" || one.kind === "usage") && reportsUsage(one)) this.#addUsage(one, responseKey(one));
      this.threads.set(threadKeyText(one), one);
      this.#add(one);
    }
  }

  #add(one: Observation): void {
    if (one.kind === "call") {
      const group = groupKeyText(one);
      if (!this.groups.has(group)) this.groups.set(group, one);
      if (one.prompt !== undefined) this.#addPrompt({ ...keyOf(one), prompt: one.prompt });
      else if (isPromptByTime(one)) this.promptsByTime.set(sessionKeyText(one), keyOf(one));
    } else if (one.kind === "leak") {
      this.leaks.set(leakKeyText(one), one);
    } else if (one.kind === "suspension") {
      this.suspensions.set(requestKeyText(one), one);
    } else if (one.kind === "request" || one.kind === "response") {
      this.requests.set(requestKeyText(one), one);
    } else if (one.kind === "prompt") {
      this.#addPrompt(one);
      this.observedPrompts.set(promptKeyText(one), one);
    }
  }

  #addUsage({ project, session_id }: SessionKey, response: string): void {
    const key = { project, session_id, response };
    this.usages.set(usageKeyText(key), key);
  }

  #addPrompt(key: PromptKey): void {
    this.prompts.set(promptKeyText(key), key);
  }
}

function keyOf({ project, session_id }: SessionKey): SessionKey {
  return { project, session_id };
}

/** Loads everything the observations refer to, in two rounds: the second loads what the first revealed. */
export function* load(
  observations: readonly Observation[],
  nameTtlMs: number = NAME_TTL_MS,
  open?: OpenCalls,
): Work<MutableLoaded> {
  const keys = new BatchKeys(observations);
  const loaded = nothingLoaded();
  yield* together([
    loadSessions(loaded, [...keys.sessions.values()]),
    loadThreads(loaded, keys.threads.values()),
    loadBatchGroups(loaded, keys.groups, open),
    loadRequests(loaded, keys.requests.values()),
    loadLeaks(loaded, [...keys.leaks.values()]),
    loadSuspensions(loaded, [...keys.suspensions.values()]),
    loadPrompts(loaded, keys.prompts.values()),
    loadLastPrompts(loaded, keys.promptsByTime.values()),
    loadUsages(loaded, keys.usages.values()),
    loadPromptGroups(loaded, keys.observedPrompts.values()),
  ]);
  const unnamed = [...keys.groups].filter(([group, { name }]) => name === undefined && !loaded.groups.has(group));
  yield* together([
    loadNames(
      loaded,
      unnamed.map(([, one]) => one),
      nameTtlMs,
    ),
    loadPromptsOfCalls(loaded, keys),
  ]);
  return loaded;
}

/** Without sessions that are known to be new. Known only where queries run one after the other. */
function stored<K extends SessionKey>({ newSessions }: MutableLoaded, keys: Iterable<K>): readonly K[] {
  return newSessions.size === 0 ? [...keys] : [...keys].filter((key) => !newSessions.has(sessionKeyText(key)));
}

const SESSION_KEY = ["project", "session_id"];
const SESSION = selectBy(SESSIONS, SESSION_KEY, ({ sessionStamp }) => `t.record, ${sessionStamp} AS stamp`);

export function* loadSessions(loaded: MutableLoaded, keys: readonly SessionKey[]): Work<void> {
  const rows = yield* select(
    SESSION,
    keys.map(({ project, session_id }) => [project, session_id]),
  );
  for (const [at, key] of keys.entries()) {
    const text = sessionKeyText(key);
    const row = rows[at]?.[0];
    if (row === undefined) {
      loaded.newSessions.add(text);
      continue;
    }
    loaded.sessions.set(text, JSON.parse(row.record as string) as SessionRecord);
    loaded.stamps.set(text, Number(row.stamp));
  }
}

const THREAD_KEY = ["project", "session_id", "agent_id"];
const THREAD = selectBy(THREADS, THREAD_KEY, () => "t.first_at");

function* loadThreads(loaded: MutableLoaded, threads: Iterable<ThreadKey>): Work<void> {
  const keys = stored(loaded, threads);
  const rows = yield* select(
    THREAD,
    keys.map(({ project, session_id, agent_id }) => [project, session_id, agent_id]),
  );
  for (const [at, key] of keys.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined) loaded.threads.set(threadKeyText(key), Number(row.first_at));
  }
}

function* loadBatchGroups(
  loaded: MutableLoaded,
  groups: ReadonlyMap<string, CallObservation>,
  open: OpenCalls | undefined,
): Work<void> {
  const unknown: CallObservation[] = [];
  for (const [group, one] of groups) {
    const cached = open?.get(group);
    if (cached === undefined) unknown.push(one);
    else loaded.groups.set(group, cached);
  }
  yield* loadGroups(loaded, stored(loaded, unknown));
}

const RECORD_AND_LINKS = ["record", ...LINK_COLUMNS].map((name) => `t.${name}`).join(", ");
const GROUP = selectBy(CALLS, ["project", "session_id", "agent_id", "tool_call_id"], () => RECORD_AND_LINKS);

export function* loadGroups(loaded: MutableLoaded, keys: readonly GroupKey[]): Work<void> {
  const rows = yield* select(
    GROUP,
    keys.map(({ project, session_id, agent_id, tool_call_id }) => [project, session_id, agent_id, tool_call_id]),
  );
  for (const [at, key] of keys.entries()) {
    const own = rows[at] ?? [];
    if (own.length === 0) continue;
    const records = own.map((row) => loadRow(loaded, row));
    loaded.groups.set(
      groupKeyText(key),
      records.sort((a, b) => a.key.occurrence - b.key.occurrence),
    );
  }
}

/** Parses the record of a row, and adds its links to `loaded`. */
function loadRow(loaded: MutableLoaded, row: QueryRow): CallRecord {
  const record = JSON.parse(row.record as string) as CallRecord;
  const links = linksOfRow(row);
  if (links !== undefined) loaded.links.set(callKeyText(record.key), links);
  return record;
}

const REQUEST = selectByKey(REQUESTS, ["project", "session_id", "request_id"], "t.record");

function* loadRequests(loaded: MutableLoaded, requests: Iterable<RequestKey>): Work<void> {
  const keys = [...requests];
  const rows = yield* select(REQUEST, keys.map(requestValues));
  for (const [at, key] of keys.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined) loaded.requests.set(requestKeyText(key), JSON.parse(row.record as string) as RequestRecord);
  }
}

function requestValues({ project, session_id, request_id }: RequestKey): readonly string[] {
  return [project, session_id, request_id];
}

const LEAK = selectByKey(LEAKS, ["project", "session_id", "request_id", "result", "format", "reason"], "1 AS known");

function* loadLeaks(loaded: MutableLoaded, leaks: readonly LeakObservation[]): Work<void> {
  const rows = yield* select(
    LEAK,
    leaks.map((leak) => [...requestValues(leak), leak.result, leak.format, leak.reason ?? ""]),
  );
  for (const [at, leak] of leaks.entries()) if (rows[at]?.[0] !== undefined) loaded.leaks.add(leakKeyText(leak));
}

const SUSPENSION = selectByKey(SUSPENSIONS, ["project", "session_id", "request_id"], "1 AS known");

function* loadSuspensions(loaded: MutableLoaded, keys: readonly RequestKey[]): Work<void> {
  const rows = yield* select(SUSPENSION, keys.map(requestValues));
  for (const [at, key] of keys.entries()) if (rows[at]?.[0] !== undefined) loaded.suspensions.add(requestKeyText(key));
}

const PROMPT_KEY = ["project", "session_id", "prompt"];
const PROMPT = selectBy(PROMPTS, PROMPT_KEY, () => "t.record");

function* loadPrompts(loaded: MutableLoaded, prompts: Iterable<PromptKey>): Work<void> {
  const keys = stored(loaded, prompts);
  const rows = yield* select(PROMPT, keys.map(promptValues));
  for (const [at, key] of keys.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined) loaded.prompts.set(promptKeyText(key), JSON.parse(row.record as string) as PromptRecord);
  }
}

const LAST_PROMPT: Statement = {
  parameters: { project: "text", session_id: "text" },
  sql: (row) => `SELECT t.record FROM prompts t WHERE ${sameRow(["project", "session_id"], row)} AND t.first_at =
    (SELECT max(p.first_at) FROM prompts p WHERE p.project = t.project AND p.session_id = t.session_id)`,
};

function* loadLastPrompts(loaded: MutableLoaded, sessions: Iterable<SessionKey>): Work<void> {
  const keys = stored(loaded, sessions);
  const rows = yield* select(
    LAST_PROMPT,
    keys.map(({ project, session_id }) => [project, session_id]),
  );
  for (const [at, key] of keys.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined)
      loaded.lastPrompts.set(sessionKeyText(key), JSON.parse(row.record as string) as PromptRecord);
  }
}

function promptValues({ project, session_id, prompt }: PromptKey): readonly string[] {
  return [project, session_id, prompt];
}

const USAGE = selectBy(USAGES, ["project", "session_id", "response"], () => "t.record");

function* loadUsages(loaded: MutableLoaded, usages: Iterable<UsageKey>): Work<void> {
  const keys = stored(loaded, usages);
  const rows = yield* select(
    USAGE,
    keys.map(({ project, session_id, response }) => [project, session_id, response]),
  );
  for (const [at, key] of keys.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined) loaded.usages.set(usageKeyText(key), JSON.parse(row.record as string) as UsageRecord);
  }
}

/** Without DISTINCT, for which SQLite would prefer the primary key and read all calls of the session. */
const PROMPT_GROUPS = selectBy(CALLS, PROMPT_KEY, () => "t.agent_id, t.tool_call_id");

/** Finds calls that were observed before their prompt. */
function* loadPromptGroups(loaded: MutableLoaded, prompts: Iterable<PromptKey>): Work<void> {
  const keys = stored(loaded, prompts);
  const rows = yield* select(PROMPT_GROUPS, keys.map(promptValues));
  for (const [at, { project, session_id, prompt }] of keys.entries()) {
    const groups = (rows[at] ?? []).map((row) =>
      groupKeyText({ project, session_id, agent_id: String(row.agent_id), tool_call_id: String(row.tool_call_id) }),
    );
    if (groups.length > 0)
      loaded.promptGroups.set(promptKeyText({ project, session_id, prompt }), [...new Set(groups)]);
  }
}

/** Loads calls of observed prompts, and prompts of loaded calls. */
function* loadPromptsOfCalls(loaded: MutableLoaded, { prompts }: BatchKeys): Work<void> {
  const waiting = [...new Set([...loaded.promptGroups.values()].flat())]
    .filter((key) => !loaded.groups.has(key))
    .map((key): GroupKey => {
      const [project, session_id, agent_id, tool_call_id] = key.split("\u0000") as [string, string, string, string];
      return { project, session_id, agent_id, tool_call_id };
    });
  yield* loadGroups(loaded, waiting);
  const named = new Map<string, PromptKey>();
  for (const group of loaded.groups.values()) {
    for (const { key, facts } of group) {
      if (facts.prompt === undefined) continue;
      const prompt = { ...keyOf(key), prompt: facts.prompt.value };
      const text = promptKeyText(prompt);
      if (!prompts.has(text)) named.set(text, prompt);
    }
  }
  yield* loadPrompts(loaded, named.values());
}

const NAME: Statement = {
  parameters: { project: "text", tool_call_id: "text", since: "bigint", until: "bigint" },
  sql: ({ value }) => `SELECT c.tool_name FROM calls c
    WHERE c.project = ${value("project")} AND c.tool_call_id = ${value("tool_call_id")}
      AND c.first_at BETWEEN ${value("since")} AND ${value("until")} AND c.tool_name <> '${UNKNOWN_TOOL}'
    ORDER BY c.first_at DESC LIMIT 1`,
};

/** A result without its call gets the tool name of a recent call with the same id in another thread. */
function* loadNames(loaded: MutableLoaded, unnamed: readonly CallObservation[], nameTtlMs: number): Work<void> {
  const rows = yield* select(
    NAME,
    unnamed.map(({ project, tool_call_id, occurred_at }) => [
      ...[project, tool_call_id, occurred_at - nameTtlMs, occurred_at],
    ]),
  );
  for (const [at, one] of unnamed.entries()) {
    const row = rows[at]?.[0];
    if (row !== undefined) loaded.names.set(groupKeyText(one), String(row.tool_name));
  }
}

const MAX_FORK_COPIES = 50;
const WITH_THREAD_START = `LEFT JOIN threads start
  ON start.project = t.project AND start.session_id = t.session_id AND start.agent_id = t.agent_id`;

const FORK_COPIES: Statement = {
  parameters: {
    ...{ project: "text", tool_call_id: "text", wire_result: "text", max_made: "integer" },
    ...{ session_id: "text", agent_id: "text" },
  },
  // Joins after LIMIT, because an id such as `call_0` occurs in very many threads.
  sql: ({ value }) => `SELECT ${RECORD_AND_LINKS}, start.first_at AS thread_start FROM (
      SELECT c.* FROM calls c
      WHERE c.project = ${value("project")} AND c.tool_call_id = ${value("tool_call_id")}
        AND c.wire_result = ${value("wire_result")} AND c.made_here <= ${value("max_made")}
        AND NOT (c.session_id = ${value("session_id")} AND c.agent_id = ${value("agent_id")})
      ORDER BY c.made_here DESC, c.first_at LIMIT ${MAX_FORK_COPIES}) t ${WITH_THREAD_START}`,
};

/**
 * Loads records of the same calls in other threads, which forks carry over. Calls made in their own thread are no
 * copies: two of those are not compared (`call_0` with result "ok" occurs in thousands of sessions).
 */
export function* loadForkCopies(loaded: MutableLoaded, records: readonly CallRecord[]): Work<readonly ForkCopy[]> {
  const rows = yield* select(
    FORK_COPIES,
    records.map(({ key, facts }) => [
      ...[key.project, key.tool_call_id, facts.wire_result?.value ?? "", Number(facts.response_id === undefined)],
      ...[key.session_id, key.agent_id],
    ]),
  );
  return forkCopies(loaded, rows.flat());
}

const MAX_COPIES = 200;

/** Up to 200 calls of other sessions that were carried over from one session. */
export function* loadCopies(
  { byBytes }: Dialect,
  loaded: MutableLoaded,
  { from, until }: { readonly from: string; readonly until: string },
): Work<readonly ForkCopy[]> {
  const rows = yield* query(
    `SELECT ${RECORD_AND_LINKS}, start.first_at AS thread_start FROM calls t ${WITH_THREAD_START}
     WHERE t.inherited_from ${byBytes} >= ? AND t.inherited_from ${byBytes} < ? LIMIT ${MAX_COPIES}`,
    ...[from, until],
  );
  return forkCopies(loaded, rows);
}

function forkCopies(loaded: MutableLoaded, rows: readonly QueryRow[]): readonly ForkCopy[] {
  const copies = new Map<string, ForkCopy>();
  for (const row of rows) {
    const record = loadRow(loaded, row);
    const thread_start = row.thread_start === null ? undefined : Number(row.thread_start);
    copies.set(callKeyText(record.key), { record, thread_start });
  }
  return [...copies.values()];
}
