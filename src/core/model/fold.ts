import { groupKeyText, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, recordStatus, workflowOf } from "./call-record.ts";
import { assignToCall } from "./locate-call.ts";
import type {
  CallObservation,
  LeakObservation,
  Observation,
  ResponseObservation,
  SuspensionObservation,
  UsageObservation,
} from "./observation.ts";
import { mergePrompts, type PromptRecord, promptKeyText, promptRecordOf } from "./prompt-record.ts";
import { mergeRequests, type RequestRecord, requestRecordOf } from "./request-record.ts";
import { addToSession, type MutableSession, type SessionRecord, sessionOf } from "./session-record.ts";
import { mergeUsages, reportsUsage, type UsageRecord, usageKeyText, usageRecordOf } from "./usage-record.ts";

/**
 * What a store loads before it folds a batch: everything the observations refer to, and the sessions of fork copies.
 */
export interface Loaded {
  readonly groups: ReadonlyMap<string, readonly CallRecord[]>;
  readonly sessions: ReadonlyMap<string, SessionRecord>;
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: ReadonlyMap<string, RequestRecord>;
  /**
   * Recent tool names of the same call ids in other threads, by group; for results whose call is not in the same
   * request.
   */
  readonly names: ReadonlyMap<string, string>;
  /** Keys of leaks that are stored. */
  readonly leaks: ReadonlySet<string>;
  /** Keys of requests whose suspension is stored. */
  readonly suspensions: ReadonlySet<string>;
  /** Links of the loaded calls, by key. */
  readonly links: ReadonlyMap<string, CallLinks>;
  /** Every prompt that an observation or a loaded call refers to. */
  readonly prompts: ReadonlyMap<string, PromptRecord>;
  /** The last prompt of sessions with calls that name no prompt; see {@link isPromptByTime}. */
  readonly lastPrompts: ReadonlyMap<string, PromptRecord>;
  /** Groups with calls that refer to a prompt of this batch; they are loaded too. */
  readonly promptGroups: ReadonlyMap<string, readonly string[]>;
  /** Token usage of the responses that an observation reports. */
  readonly usages: ReadonlyMap<string, UsageRecord>;
}

/** One group of calls before and after a batch. */
export interface FoldedGroup {
  readonly before: readonly CallRecord[];
  readonly after: readonly CallRecord[];
  /** Whether live traffic contained a result for this id. */
  readonly settledLive: boolean;
}

/** A batch, merged into the loaded records. */
export interface Folded {
  readonly groups: ReadonlyMap<string, FoldedGroup>;
  readonly sessions: ReadonlyMap<string, SessionRecord>;
  /** Ids of sessions with the calls of other sessions, by key of the latter; see `client-calls.ts`. */
  readonly joinedSessions: ReadonlyMap<string, string>;
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: ReadonlyMap<string, RequestRecord>;
  /** Only new ones. */
  readonly leaks: ReadonlyMap<string, LeakObservation>;
  /** Only new ones. */
  readonly suspensions: ReadonlyMap<string, SuspensionObservation>;
  /** New or changed ones. */
  readonly prompts: ReadonlyMap<string, PromptRecord>;
  readonly usages: ReadonlyMap<string, UsageRecord>;
  /** Keys of usages that live traffic contained. */
  readonly liveUsages: ReadonlySet<string>;
}

/** A leak is reported once, with its response, and never changes. */
export function leakKeyText({ project, request_id, result, format, reason }: LeakObservation): string {
  return [project, request_id, result, format, reason ?? ""].join("\u0000");
}

export function sessionKeyText(key: { readonly project: string; readonly session_id: string }): string {
  return `${key.project}\u0000${key.session_id}`;
}

export function requestKeyText(key: { readonly project: string; readonly request_id: string }): string {
  return `${key.project}\u0000${key.request_id}`;
}

/** Merges a batch into the loaded records. Pure: the store loads before and writes after. */
export function foldObservations(loaded: Loaded, observations: readonly Observation[]): Folded {
  const groups = new Map<string, FoldedGroup>();
  const sessions = new Map<string, MutableSession>();
  const threads = new Map<string, number>();
  const requests = new Map<string, RequestRecord>();
  const leaks = new Map<string, LeakObservation>();
  const suspensions = new Map<string, SuspensionObservation>();
  const prompts = new Map<string, PromptRecord>();
  const usages = new Map<string, UsageRecord>();
  const liveUsages = new Set<string>();
  const byTime = new Set<string>();
  for (const observation of observations) {
    foldSession(sessions, loaded.sessions, observation);
    if (observation.kind === "call") {
      foldCall(groups, loaded.groups, observation);
      if (isPromptByTime(observation)) byTime.add(groupKeyText(observation));
    } else if (observation.kind === "leak") {
      const key = leakKeyText(observation);
      if (!loaded.leaks.has(key) && !leaks.has(key)) leaks.set(key, observation);
    } else if (observation.kind === "suspension") {
      const key = requestKeyText(observation);
      if (!loaded.suspensions.has(key) && !suspensions.has(key)) suspensions.set(key, observation);
    } else if (observation.kind === "request" || observation.kind === "response") {
      upsert(requests, loaded.requests, requestKeyText(observation), requestRecordOf(observation), mergeRequests);
    } else if (observation.kind === "prompt") {
      upsert(prompts, loaded.prompts, promptKeyText(observation), promptRecordOf(observation), mergePrompts);
    }
    if (observation.kind === "response" || observation.kind === "usage")
      foldUsage(usages, loaded.usages, observation, liveUsages);
    if (startsThread(observation)) {
      upsert(threads, loaded.threads, threadKeyText(observation), observation.occurred_at, Math.min);
    }
  }
  for (const [key, name] of loaded.names) nameCalls(groups, key, name);
  foldPrompts(groups, loaded, prompts);
  assignPromptsByTime(groups, byTime, loaded, prompts);
  return {
    groups,
    sessions,
    joinedSessions: new Map(),
    threads,
    requests,
    leaks,
    suspensions,
    prompts,
    usages,
    liveUsages,
  };
}

function foldUsage(
  usages: Map<string, UsageRecord>,
  loaded: ReadonlyMap<string, UsageRecord>,
  observation: ResponseObservation | UsageObservation,
  live: Set<string>,
): void {
  if (!reportsUsage(observation)) return;
  const record = usageRecordOf(observation);
  const key = usageKeyText(record);
  upsert(usages, loaded, key, record, mergeUsages);
  if (observation.live) live.add(key);
}

function foldPrompts(
  groups: Map<string, FoldedGroup>,
  loaded: Loaded,
  prompts: ReadonlyMap<string, PromptRecord>,
): void {
  if (prompts.size === 0 && loaded.prompts.size === 0) return;
  for (const key of prompts.keys()) {
    for (const group of loaded.promptGroups.get(key) ?? []) {
      const before = loaded.groups.get(group) ?? [];
      if (!groups.has(group)) groups.set(group, { before, after: before, settledLive: false });
    }
  }
  for (const [key, group] of groups) applyPromptWorkflow(groups, key, group, prompts, loaded.prompts);
}

/** Whether a call belongs to the last prompt before it: some hooks send no id of the prompt. */
export function isPromptByTime({ source, prompt, workflow }: CallObservation): boolean {
  return source === "hook" && prompt === undefined && workflow === undefined;
}

function assignPromptsByTime(
  groups: Map<string, FoldedGroup>,
  byTime: ReadonlySet<string>,
  loaded: Loaded,
  prompts: ReadonlyMap<string, PromptRecord>,
): void {
  for (const key of byTime) {
    const group = groups.get(key);
    if (group === undefined) continue;
    const after = group.after.map((record) => {
      const workflow = workflowOf(record) ?? lastPromptBefore(record, loaded, prompts)?.workflow?.value;
      return workflow === workflowOf(record) || workflow === undefined
        ? record
        : { ...record, prompt_workflow: workflow };
    });
    if (after.some((record, at) => record !== group.after[at])) groups.set(key, { ...group, after });
  }
}

function lastPromptBefore(
  { key, first_at, facts }: CallRecord,
  loaded: Loaded,
  prompts: ReadonlyMap<string, PromptRecord>,
): PromptRecord | undefined {
  if (facts.prompt !== undefined) return undefined;
  const session = sessionKeyText(key);
  const known = loaded.lastPrompts.get(session);
  const all = [...prompts.values(), ...(known === undefined ? [] : [known])];
  let last: PromptRecord | undefined;
  for (const prompt of all)
    if (sessionKeyText(prompt) === session && prompt.first_at <= first_at && prompt.first_at >= (last?.first_at ?? 0))
      last = prompt;
  return last;
}

/** Uses a name from another thread if no source reported one. */
function nameCalls(groups: Map<string, FoldedGroup>, key: string, name: string): void {
  const group = groups.get(key);
  if (group === undefined) return;
  const after = group.after.map((record) =>
    record.facts.name === undefined
      ? { ...record, facts: { ...record.facts, name: { value: name, rank: OTHER_THREAD_RANK, at: record.first_at } } }
      : record,
  );
  groups.set(key, { ...group, after });
}

/** Copies the workflow of prompts to their calls, whichever of the two was observed first. */
function applyPromptWorkflow(
  groups: Map<string, FoldedGroup>,
  key: string,
  group: FoldedGroup,
  ...known: readonly ReadonlyMap<string, PromptRecord>[]
): void {
  let changed = false;
  const after = group.after.map((record) => {
    // Without a prompt id, its workflow may follow from its time.
    if (record.facts.prompt === undefined) return record;
    const workflow = promptWorkflow(record, known);
    if (record.prompt_workflow === workflow) return record;
    changed = true;
    const { prompt_workflow: _before, ...rest } = record;
    return workflow === undefined ? rest : { ...rest, prompt_workflow: workflow };
  });
  if (changed) groups.set(key, { ...group, after });
}

function promptWorkflow(
  { key, facts }: CallRecord,
  known: readonly ReadonlyMap<string, PromptRecord>[],
): string | undefined {
  if (facts.prompt === undefined) return undefined;
  const name = promptKeyText({ project: key.project, session_id: key.session_id, prompt: facts.prompt.value });
  return known.find((prompts) => prompts.has(name))?.get(name)?.workflow?.value;
}

const OTHER_THREAD_RANK = -1;

/** A thread starts with the first observation that includes a whole history. */
function startsThread(observation: Observation): boolean {
  return observation.kind === "request" || (observation.kind === "call" && observation.place.kind === "history");
}

function foldSession(
  sessions: Map<string, MutableSession>,
  loaded: ReadonlyMap<string, SessionRecord>,
  observation: Observation,
): void {
  const key = sessionKeyText(observation);
  const known = sessions.get(key);
  const before = loaded.get(key);
  if (known !== undefined) addToSession(known, observation);
  else if (before === undefined) sessions.set(key, sessionOf(observation));
  else {
    const session = { ...before };
    addToSession(session, observation);
    sessions.set(key, session);
  }
}

function foldCall(
  groups: Map<string, FoldedGroup>,
  loaded: ReadonlyMap<string, readonly CallRecord[]>,
  observation: CallObservation,
): void {
  const key = groupKeyText(observation);
  const known = groups.get(key);
  const before = known?.before ?? loaded.get(key) ?? [];
  groups.set(key, {
    before,
    after: assignToCall(known?.after ?? before, observation),
    settledLive: known?.settledLive === true || (observation.live && observation.result !== undefined),
  });
}

function upsert<T>(
  target: Map<string, T>,
  loaded: ReadonlyMap<string, T>,
  key: string,
  value: T,
  merge: (a: T, b: T) => T,
): void {
  const known = target.get(key) ?? loaded.get(key);
  target.set(key, known === undefined ? value : merge(known, value));
}

/**
 * The settled records of a batch whose copies in other threads the store must look up. Records that the batch left
 * unchanged are omitted: their copies were looked up when they changed.
 */
export function settledRecords(folded: Folded, loaded: Loaded): readonly CallRecord[] {
  const settled: CallRecord[] = [];
  for (const { before, after } of folded.groups.values()) {
    for (const record of after) {
      if (recordStatus(record) === "pending" || record.facts.wire_result === undefined) continue;
      if (before.includes(record) && !isThreadMoved(folded, loaded, record)) continue;
      settled.push(record);
    }
  }
  return settled;
}

/** A new start of the thread may change which of its calls were carried over. */
function isThreadMoved(folded: Folded, loaded: Loaded, { key }: CallRecord): boolean {
  const thread = threadKeyText(key);
  const start = folded.threads.get(thread);
  return start !== undefined && start !== loaded.threads.get(thread);
}
