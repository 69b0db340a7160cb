// Declares the columns of every table once, with their values. Columns are for queries; `record` is the input of merge.
import { type CallKey, recordId, traceId } from "../../core/model/call-key.ts";
import type { CallLinks } from "../../core/model/call-links.ts";
import {
  type CallRecord,
  isCounted,
  recordStatus,
  settledAt,
  toolName,
  turnaroundMs,
  workflowOf,
} from "../../core/model/call-record.ts";
import type { WrittenCall } from "../../core/model/changes.ts";
import { factValue, orNull } from "../../core/model/facts.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { LeakObservation, OutcomeFacts, SuspensionObservation } from "../../core/model/observation.ts";
import type { PromptRecord } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import {
  endedAt,
  type SessionRecord,
  sessionAggregatesOf,
  TALLY_FIELDS,
  worstSeverity,
} from "../../core/model/session-record.ts";
import { TOKEN_KINDS, tokenField } from "../../core/model/token-usage.ts";
import { unjoined } from "../../core/model/unjoined.ts";
import type { UsageRecord } from "../../core/model/usage-record.ts";
import { orderOf, type ThreadOrder } from "../../core/score/chain-call.ts";
import { scoreSession } from "../../core/score/scores.ts";
import { hashText } from "../hash-text.ts";
import type { Dialect } from "./dialect.ts";
import type { QueryRow, QueryValue } from "./driver.ts";
import type { SqlType, Values } from "./work.ts";

interface Column<S> {
  readonly type: SqlType;
  readonly value: (source: S) => QueryValue;
  /** The database that has the column; absent: both. */
  readonly only?: Dialect["name"];
}

type Columns<S> = Readonly<Record<string, Column<S>>>;

/** @typeParam S what a row is computed from */
export interface Table<S> {
  readonly name: string;
  readonly types: Readonly<Record<string, SqlType>>;
  readonly key: (dialect: Dialect) => readonly string[];
  readonly columns: (dialect: Dialect) => readonly string[];
  /** The values of all columns of both databases. */
  readonly values: (source: S) => Values;
}

/**
 * @param key the primary key. In PostgreSQL it also includes the session id: its tables are partitioned by session.
 */
function table<S>(name: string, key: readonly string[], columns: Columns<S>): Table<S> {
  const entries = Object.entries(columns);
  const values = entries.map(([, { value }]) => value);
  const partitionedKey = key.includes("session_id") ? key : [...key, "session_id"];
  return {
    name,
    types: Object.fromEntries(entries.map(([column, { type }]) => [column, type])),
    key: (dialect) => (dialect.name === "postgres" ? partitionedKey : key),
    columns: (dialect) => entries.filter(([, { only = dialect.name }]) => only === dialect.name).map(([one]) => one),
    values: (source) => values.map((value) => value(source)),
  };
}

const typed =
  (type: SqlType) =>
  <S>(value: (source: S) => QueryValue): Column<S> => ({ type, value });
const text = typed("text");
const integer = typed("integer");
const bigint = typed("bigint");
const real = typed("double precision");

const json = <S>(value: (source: S) => object): Column<S> => text((source: S) => JSON.stringify(value(source)));

/** Changes with every write of the row, so that servers detect the writes of others. SQLite does that without it. */
const stampOf = <S extends { readonly stamp: number }>(): Column<S> => ({
  ...bigint<S>(({ stamp }) => stamp),
  only: "postgres",
});

type LinkType = "text" | "number" | "boolean" | "json";

const LINKS: Readonly<Record<keyof CallLinks, LinkType>> = {
  position: "number",
  preceding_tool: "text",
  preceding_success: "boolean",
  is_cascade_failure: "boolean",
  retry_of: "text",
  retry_count: "number",
  recovered_by: "text",
  cascade_of: "text",
  cascade_rule: "text",
  loop: "json",
  loop_end: "json",
  new_change: "boolean",
};

const LINK_ENTRIES = Object.entries(LINKS) as readonly (readonly [keyof CallLinks, LinkType])[];

/** The columns of `calls` with its links. */
export const LINK_COLUMNS: readonly (keyof CallLinks)[] = LINK_ENTRIES.map(([name]) => name);

function linkColumns<S extends { readonly links: CallLinks | undefined }>(): Columns<S> {
  const column = ([name, type]: readonly [keyof CallLinks, LinkType]): readonly [string, Column<S>] => {
    const value = ({ links }: S): QueryValue => {
      const link = links?.[name];
      if (typeof link === "boolean") return Number(link);
      return typeof link === "object" ? JSON.stringify(link) : orNull(link);
    };
    return [name, type === "text" || type === "json" ? text(value) : integer(value)];
  };
  // The length of the run is also a separate column, so that loops are found by an index.
  const loopRun = integer(({ links }: S) => orNull(links?.loop?.run));
  return { ...Object.fromEntries(LINK_ENTRIES.map(column)), loop_run: loopRun };
}

/** Parses the link columns of a row; undefined for a call that is not counted. */
export function linksOfRow(row: QueryRow): CallLinks | undefined {
  if (row.position === null || row.position === undefined) return undefined;
  const links: Record<string, unknown> = {};
  for (const [name, type] of LINK_ENTRIES) {
    const value = row[name];
    if (value === null) continue;
    if (type === "text") links[name] = String(value);
    else if (type === "json") links[name] = JSON.parse(String(value));
    else links[name] = type === "number" ? Number(value) : Number(value) === 1;
  }
  return links as unknown as CallLinks;
}

/** A call with everything that several columns need. */
interface CallSource extends WrittenCall {
  readonly id: string;
  readonly order: ThreadOrder;
  readonly outcome: Partial<OutcomeFacts>;
  readonly counted: boolean;
  readonly stamp: number;
}

const NONE = {} as const;

export function callSource({ record, links }: WrittenCall, stamp: number): CallSource {
  const id = recordId(record.key, hashText);
  return {
    record,
    links,
    id,
    order: orderOf(record, id),
    outcome: record.facts.result?.value.outcome ?? NONE,
    counted: isCounted(record),
    stamp,
  };
}

/** The first conversation with the call; null if only hooks or transcripts reported it. */
function conversationOf({ places }: CallRecord): string | null {
  const place = places.find((one) => !one.startsWith("/"));
  return place === undefined ? null : place.slice(0, place.lastIndexOf("/"));
}

export const CALL_KEY_TYPES = {
  project: "text",
  session_id: "text",
  agent_id: "text",
  tool_call_id: "text",
  occurrence: "integer",
} as const;
const CALL_KEY = Object.keys(CALL_KEY_TYPES);

export function callKeyValues({ project, session_id, agent_id, tool_call_id, occurrence }: CallKey): Values {
  return [project, session_id, agent_id, tool_call_id, occurrence];
}

export const CALLS: Table<CallSource> = table<CallSource>("calls", CALL_KEY, {
  project: text(({ record }) => record.key.project),
  session_id: text(({ record }) => record.key.session_id),
  agent_id: text(({ record }) => record.key.agent_id),
  tool_call_id: text(({ record }) => record.key.tool_call_id),
  occurrence: integer(({ record }) => record.key.occurrence),
  record_id: text(({ id }) => id),
  request_id: text(({ record }) => factValue(record.facts.request_id)),
  provider: text(({ record }) => factValue(record.facts.provider)),
  model_name: text(({ record }) => factValue(record.facts.model)),
  tool_name: text(({ record }) => toolName(record)),
  origin: text(({ record }) => factValue(record.facts.origin)),
  call_repair: text(({ record }) => orNull(record.facts.call_repair?.value.result)),
  repair_classes: text(({ record }) => orNull(record.facts.call_repair?.value.classes.join(","))),
  client: text(({ record }) => factValue(record.facts.client)),
  client_version: text(({ record }) => factValue(record.facts.client_version)),
  status: text(({ record }) => recordStatus(record)),
  phase: text(({ outcome }) => orNull(outcome.phase)),
  category: text(({ outcome }) => orNull(outcome.category)),
  severity: real(({ outcome }) => orNull(outcome.severity)),
  soft: integer(({ outcome }) => Number(outcome.soft === true)),
  status_message: text(({ outcome }) => orNull(outcome.status_message)),
  execution_time_ms: real(({ record }) => factValue(record.facts.execution_time_ms)),
  turnaround_ms: real(({ record }) => orNull(turnaroundMs(record))),
  input_size_bytes: real(({ record }) => record.facts.arguments?.value.size_bytes ?? 0),
  output_size_bytes: real(({ record }) => orNull(record.facts.result?.value.size_bytes)),
  first_at: bigint(({ record }) => record.first_at),
  settled_at: bigint(({ record }) => orNull(settledAt(record))),
  wire_result: text(({ record }) => factValue(record.facts.wire_result)),
  made_here: integer(({ record }) => Number(record.facts.response_id !== undefined)),
  made_at: bigint(({ record }) => orNull(record.facts.response_id?.at)),
  conversation: text(({ record }) => conversationOf(record)),
  in_history: integer(({ record }) => Number(record.first_history_at !== undefined)),
  // Keys are joined by NUL, which PostgreSQL cannot store.
  inherited_from: text(({ record }) => orNull(record.inherited_from?.replaceAll("\u0000", " "))),
  call_count: integer(({ counted }) => Number(counted)),
  error_count: integer(({ counted, outcome }) => Number(counted && outcome.status === "failed")),
  created_at: text(({ record }) => isoTime(record.first_at)),
  thread_order: real(({ order }) => order.thread_order),
  turn: text(({ record }) => factValue(record.facts.turn)),
  turn_index: real(({ order }) => order.turn_index),
  prompt: text(({ record }) => factValue(record.facts.prompt)),
  workflow: text(({ record }) => orNull(workflowOf(record))),
  fingerprint: text(({ outcome }) => orNull(outcome.fingerprint)),
  unjoined: integer(({ record }) => unjoined(record)),
  ...linkColumns<CallSource>(),
  record: json(({ record }) => record),
  stamp: stampOf(),
});

interface LinkSource {
  readonly key: CallKey;
  readonly links: CallLinks | undefined;
  readonly stamp: number;
}

/** The part of `calls` that changes when only links change. */
export const CALL_LINKS: Table<LinkSource> = table<LinkSource>("calls", CALL_KEY, {
  project: text(({ key }) => key.project),
  session_id: text(({ key }) => key.session_id),
  agent_id: text(({ key }) => key.agent_id),
  tool_call_id: text(({ key }) => key.tool_call_id),
  occurrence: integer(({ key }) => key.occurrence),
  ...linkColumns<LinkSource>(),
  stamp: stampOf(),
});

interface SessionSource {
  readonly session: SessionRecord;
  readonly scores: ReturnType<typeof scoreSession>;
  readonly stamp: number;
}

export function sessionSource(session: SessionRecord, stamp: number): SessionSource {
  const scores = scoreSession(sessionAggregatesOf(session), session.thresholds);
  return { session, scores, stamp };
}

export const SESSIONS: Table<SessionSource> = table<SessionSource>("sessions", ["project", "session_id"], {
  project: text(({ session }) => session.project),
  session_id: text(({ session }) => session.session_id),
  started_at: text(({ session }) => isoTime(session.started_at)),
  last_at: bigint(({ session }) => session.last_at),
  client: text(({ session }) => factValue(session.client)),
  provider: text(({ session }) => factValue(session.provider)),
  model_used: text(({ session }) => factValue(session.model_used)),
  requests: bigint(({ session }) => session.requests),
  loops: bigint(({ session }) => session.loops?.found ?? 0),
  ...Object.fromEntries(
    TOKEN_KINDS.map(tokenField).map((name) => [
      name,
      bigint(({ session }: SessionSource) => orNull(session.usage?.[name])),
    ]),
  ),
  ...Object.fromEntries(
    TALLY_FIELDS.map((name) => [name, bigint(({ session }: SessionSource) => session.tally[name])]),
  ),
  trace_id: text(({ session }) => traceId(session, hashText)),
  success_rate: real(({ scores }) => orNull(scores.session_success_rate)),
  health: text(({ scores }) => scores.session_health),
  rate_health: text(({ scores }) => scores.session_rate_health),
  dominant_failure_mode: text(({ scores }) => orNull(scores.dominant_failure_mode)),
  worst_severity: real(({ session }) => worstSeverity(session) ?? 0),
  stopped_at: bigint(({ session }) => orNull(session.stopped_at)),
  ended_at: bigint(({ session }) => orNull(session.ended_at)),
  // The last reported end. Later activity, including a stop, makes the session eligible for the idle timeout.
  scored_at: bigint(({ session }) => endedAt(session) ?? 0),
  joined_to: text(({ session }) => orNull(session.joined_to)),
  record: json(({ session }) => session),
  stamp: stampOf(),
});

/** @typeParam the thread key as text, and when the thread was first observed */
export const THREADS: Table<readonly [key: string, firstAt: number]> = table(
  "threads",
  ["project", "session_id", "agent_id"],
  {
    project: text(([key]) => key.split("\u0000")[0] as string),
    session_id: text(([key]) => key.split("\u0000")[1] as string),
    agent_id: text(([key]) => key.split("\u0000")[2] as string),
    first_at: bigint(([, firstAt]) => firstAt),
  },
);

export const REQUESTS: Table<RequestRecord> = table<RequestRecord>("requests", ["project", "request_id"], {
  project: text(({ project }) => project),
  request_id: text(({ request_id }) => request_id),
  session_id: text(({ session_id }) => session_id),
  agent_id: text(({ agent_id }) => agent_id),
  conversation: text(({ request }) => orNull(request?.conversation)),
  started_at: bigint(({ request }) => orNull(request?.occurred_at)),
  ended_at: bigint(({ response }) => orNull(response?.occurred_at)),
  model: text(({ request, response }) => orNull(response?.model ?? request?.model)),
  provider: text(({ request, response }) => orNull(response?.provider ?? request?.provider)),
  http_status: real(({ response }) => orNull(response?.http_status)),
  ended: text(({ response }) => orNull(response?.ended)),
  answer_key: text(({ response }) => orNull(response?.stored_response?.answer_key)),
  conversation_key: text(({ response }) => orNull(response?.stored_response?.conversation_key)),
  second_chance: text(({ response }) => orNull(response?.second_chance?.result)),
  second_chance_reason: text(({ response }) => orNull(response?.second_chance?.reason)),
  second_chance_ms: bigint(({ response }) => orNull(response?.second_chance?.duration_ms)),
  second_chance_input: bigint(({ response }) => orNull(response?.second_chance?.usage?.input_tokens)),
  second_chance_output: bigint(({ response }) => orNull(response?.second_chance?.usage?.output_tokens)),
  record: json((record) => record),
});

const LEAK_KEY = ["project", "request_id", "result", "format", "reason"];

export const LEAKS: Table<LeakObservation> = table<LeakObservation>("leaks", LEAK_KEY, {
  project: text(({ project }) => project),
  request_id: text(({ request_id }) => request_id),
  result: text(({ result }) => result),
  format: text(({ format }) => format),
  reason: text(({ reason }) => reason ?? ""),
  session_id: text(({ session_id }) => session_id),
  agent_id: text(({ agent_id }) => agent_id),
  model: text(({ model }) => orNull(model)),
  provider: text(({ provider }) => orNull(provider)),
  parsed: real(({ parsed }) => parsed),
  dropped: real(({ dropped }) => dropped),
  occurred_at: bigint(({ occurred_at }) => occurred_at),
  record: json((leak) => leak),
});

export const SUSPENSIONS: Table<SuspensionObservation> = table("suspensions", ["project", "request_id"], {
  project: text(({ project }) => project),
  request_id: text(({ request_id }) => request_id),
  session_id: text(({ session_id }) => session_id),
  provider: text(({ provider }) => orNull(provider)),
  model: text(({ model }) => orNull(model)),
  occurred_at: bigint(({ occurred_at }) => occurred_at),
  record: json((suspension) => suspension),
});

export const USAGES: Table<UsageRecord> = table<UsageRecord>("usages", ["project", "session_id", "response"], {
  project: text(({ project }) => project),
  session_id: text(({ session_id }) => session_id),
  response: text(({ response }) => response),
  agent_id: text(({ agent_id }) => agent_id.value),
  request_id: text(({ request_id }) => factValue(request_id)),
  turn: text(({ turn }) => factValue(turn)),
  provider: text(({ provider }) => factValue(provider)),
  model_name: text(({ model }) => factValue(model)),
  occurred_at: bigint(({ at }) => at),
  ...Object.fromEntries(
    TOKEN_KINDS.map(tokenField).map((name) => [name, bigint(({ usage }: UsageRecord) => orNull(usage[name]))]),
  ),
  record: json((record) => record),
});

export const PROMPTS: Table<PromptRecord> = table<PromptRecord>("prompts", ["project", "session_id", "prompt"], {
  project: text(({ project }) => project),
  session_id: text(({ session_id }) => session_id),
  prompt: text(({ prompt }) => prompt),
  workflow: text(({ workflow }) => factValue(workflow)),
  first_at: bigint(({ first_at }) => first_at),
  record: json((record) => record),
});
