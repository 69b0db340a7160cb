import { LOOP_LEVELS } from "../../core/loop/loop-signal.ts";
import { groupKeyText } from "../../core/model/call-key.ts";
import { recordStatus, toolName, UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import { type Changes, callChangesOf, changedThreads, changesOf, newCallRepair } from "../../core/model/changes.ts";
import { joinClientCalls } from "../../core/model/client-calls.ts";
import {
  foldObservations,
  type Loaded,
  requestKeyText,
  sessionKeyText,
  settledRecords,
} from "../../core/model/fold.ts";
import { joinMcpCalls } from "../../core/model/mcp-calls.ts";
import type { Observation } from "../../core/model/observation.ts";
import { TOKEN_KINDS, tokenField } from "../../core/model/token-usage.ts";
import { type SessionKey, withoutDeleted } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import type {
  Applied,
  Batch,
  CountedCall,
  CountedLeak,
  CountedLoop,
  CountedRepair,
  CountedSecondChance,
  CountedTokens,
  Removed,
} from "../port.ts";
import { lastEvent } from "./call-lookups.ts";
import { completeDeletion, knownDeletions } from "./delete.ts";
import type { Dialect } from "./dialect.ts";
import { loadJoinCandidates, loadUsageCandidates } from "./join-candidates.ts";
import { load, loadForkCopies, loadSessions } from "./load.ts";
import type { OpenCalls } from "./open-calls.ts";
import { outboxEntries, putEntries } from "./outbox.ts";
import { relinkThreads } from "./relink-threads.ts";
import { stampedSessions, ThreadTailCache } from "./thread-tail-cache.ts";
import { together, type Work } from "./work.ts";
import { savePosition, write } from "./write.ts";

/** What a server knows about rows that it wrote recently. */
export class WriteCaches {
  readonly tails: ThreadTailCache = new ThreadTailCache();
  readonly open: OpenCalls | undefined;

  constructor(open?: OpenCalls) {
    this.open = open;
  }

  /** Number of deleted slices of sessions. */
  deletions = 0;
  /** Deletions that this server is working on, by id, with what batches removed for them meanwhile. */
  readonly running: Map<number, Removed> = new Map();

  clear(): void {
    this.tails.clear();
    this.open?.clear();
  }

  noteDeletion(): void {
    this.deletions += 1;
    this.clear();
  }
}

interface ApplyOptions {
  readonly observations: readonly Observation[];
  readonly batch: Pick<Batch, "live" | "thresholds" | "nameTtlMs">;
  /** Absent for a part of a batch. */
  readonly position: Pick<Batch, "journal" | "position"> | undefined;
  /** The sessions to lock, by key. */
  readonly sessions: ReadonlyMap<string, SessionKey>;
  /** Where to export changes to. */
  readonly targets: readonly string[];
  readonly caches: WriteCaches;
}

type ApplyResult =
  | { readonly applied: Applied /** Must be called after the commit. */; readonly remember: () => void }
  /** Further sessions that must be locked. */
  | { readonly others: ReadonlyMap<string, SessionKey> };

/** Folds observations into the store, within one transaction. */
export function* applyBatch(dialect: Dialect, options: ApplyOptions): Work<ApplyResult> {
  const { observations: all, batch, position, sessions, targets, caches } = options;
  // Pipelined: PostgreSQL reads after it granted the locks.
  const [, loadedFirst, deletions] = yield* together([
    dialect.lock?.(sessions.values(), all) ?? nothing(),
    load(all, batch.nameTtlMs, caches.open),
    knownDeletions(sessions.values()),
  ]);
  // New observations of a session that is being deleted start it again, so the deletion is completed first.
  const removed = new Map<number, Removed>();
  for (const pending of deletions.pending) removed.set(pending.id, yield* completeDeletion(dialect, pending));
  if (deletions.pending.length > 0) caches.noteDeletion();
  const loaded = deletions.pending.length === 0 ? loadedFirst : yield* load(all, batch.nameTtlMs);
  const observations = withoutDeleted(all, deletions.times, (group) => loaded.groups.has(group));
  const observed = foldObservations(loaded, observations);
  const candidates = yield* loadJoinCandidates(loaded, observed);
  const usages = yield* loadUsageCandidates(loaded, observed);
  const folded = joinClientCalls(joinMcpCalls(observed, loaded, candidates), loaded, candidates, usages);
  const found = yield* loadForkCopies(loaded, settledRecords(folded, loaded));
  const copies = found.filter(({ record }) => folded.groups.get(groupKeyText(record.key))?.after.length !== 0);
  const joined = candidates.filter(({ key }) => folded.groups.has(groupKeyText(key)));
  const recounted = [...folded.usages].flatMap(([key, usage]) => (observed.usages.has(key) ? [] : [usage]));
  const copied = new Map<string, SessionKey>(
    [...[...copies.map(({ record }) => record), ...joined].map(({ key }) => key), ...recounted].map(
      ({ project, session_id }) => [sessionKeyText({ project, session_id }), { project, session_id }],
    ),
  );
  const others = new Map([...copied].filter(([text]) => !sessions.has(text)));
  if (dialect.lock !== undefined && others.size > 0) return { others };
  const unread = [...copied].filter(([text]) => !loaded.sessions.has(text));
  yield* loadSessions(
    loaded,
    unread.map(([, key]) => key),
  );
  const calls = callChangesOf(folded, copies, batch.live);
  const { links, tails } = yield* relinkThreads(changedThreads(calls, hashText), caches.tails, loaded.stamps);
  const changes = changesOf(loaded, folded, calls, links, hashText, batch.thresholds);
  const stamp = dialect.newStamp();
  const [last] = yield* together([
    write(dialect, changes, stamp),
    position === undefined ? nothing() : savePosition(position),
    targets.length === 0 ? nothing() : putEntries(targets, outboxEntries(changes, observations)),
  ]);
  return {
    applied: {
      observations: all.length,
      refused: all.length - observations.length,
      rejected: [],
      counted: countedCalls(changes),
      leaks: countedLeaks(changes, batch.live),
      tokens: countedTokens(changes, batch.live),
      repairs: countedRepairs(changes, batch.live),
      loops: countedLoops(changes),
      secondChances: countedSecondChances(changes, loaded, batch.live),
      last_event: last ?? (yield* lastEvent(dialect)),
    },
    remember: () => {
      const { stamps } = loaded;
      for (const [id, all] of removed) if (caches.running.has(id)) caches.running.set(id, all);
      caches.tails.remember({ stamp, stamps, calls, sessions: stampedSessions(changes), tails });
      caches.open?.renew(folded);
    },
  };
}

/** A part of `together` without a step. */
function* nothing(): Work<void> {}

/** The calls of a batch that live counters must count. */
function countedCalls(changes: Changes): readonly CountedCall[] {
  return changes.calls.flatMap(({ after, counts }) => {
    const outcome = recordStatus(after);
    if (!counts || outcome === "pending") return [];
    const { facts } = after;
    const category = facts.result?.value.outcome.category;
    const tool_name = toolName(after);
    return [
      {
        provider: facts.provider?.value ?? "",
        model: facts.model?.value ?? "",
        tool_name,
        outcome,
        ...(tool_name === UNKNOWN_TOOL && { tool_call_id: after.key.tool_call_id }),
        ...(category !== undefined && { category }),
        ...(facts.execution_time_ms !== undefined && { execution_time_ms: facts.execution_time_ms.value }),
      },
    ];
  });
}

/** The tokens of a batch that the live counter must count. A counter cannot fall, so corrections only add. */
function countedTokens({ usages }: Changes, live: boolean): readonly CountedTokens[] {
  return usages.flatMap(({ before, after, live: isLive }) =>
    !live || !isLive
      ? []
      : TOKEN_KINDS.flatMap((kind) => {
          const field = tokenField(kind);
          const tokens = (after.usage[field] ?? 0) - (before?.usage[field] ?? 0);
          return tokens > 0 ? [{ model: after.model?.value ?? "", kind, tokens }] : [];
        }),
  );
}

/** The repairs of native calls that the live counter must count: each class of a call once. */
function countedRepairs({ calls }: Changes, live: boolean): readonly CountedRepair[] {
  return (live ? calls : []).flatMap(({ before, after }) => {
    const repair = after.inherited_from === undefined ? newCallRepair(before, after) : undefined;
    if (repair === undefined) return [];
    const classes = repair.classes.length === 0 ? [UNKNOWN_CLASS] : [...new Set(repair.classes)];
    const model = after.facts.model?.value ?? "";
    return classes.map((name) => ({ model, class: name, result: repair.result }));
  });
}

/** The class of a call that does not fit and has no right reading. */
const UNKNOWN_CLASS = "none";

/** The leaks of a batch that the live counter must count. */
function countedLeaks({ leaks }: Changes, live: boolean): readonly CountedLeak[] {
  return leaks
    .filter((leak) => live && leak.live)
    .map(({ model, format, result, parsed }) => ({ model: model ?? "", format, result, calls: Math.max(1, parsed) }));
}

/** The second chances of a batch that the live counter must count. */
function countedSecondChances(
  { requests }: Changes,
  loaded: Pick<Loaded, "requests">,
  live: boolean,
): readonly CountedSecondChance[] {
  return (live ? requests : []).flatMap((record) => {
    const { response } = record;
    const chance = response?.live === true ? response.second_chance : undefined;
    if (chance === undefined || loaded.requests.get(requestKeyText(record))?.response !== undefined) return [];
    return [{ model: response?.model ?? "", reason: chance.reason, result: chance.result }];
  });
}

/** The calls of a batch with which a loop went on, for the live counters. */
function countedLoops({ calls, written }: Changes): readonly CountedLoop[] {
  return calls.flatMap(({ after, counts }, at) => {
    const loop = written[at]?.links?.loop;
    if (!counts || loop === undefined || loop.run < LOOP_LEVELS.loop) return [];
    const { project, session_id, agent_id } = after.key;
    const model = after.facts.model?.value ?? "";
    const provider = after.facts.provider?.value ?? "";
    return [{ project, session_id, agent_id, provider, model, tool_name: toolName(after), loop }];
  });
}
