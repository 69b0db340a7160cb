import { statSync } from "node:fs";
import { UNKNOWN_TOOL } from "../../core/model/call-record.ts";
import { codeOf } from "../../core/model/errors.ts";
import type { Observation } from "../../core/model/observation.ts";
import { createMetrics, createSessionCounts, type Metrics } from "../../export/prometheus.ts";
import { EventFeed } from "../../ingest/event-feed.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { Recorder } from "../../ingest/recorder.ts";
import { TimeSlices } from "../../ingest/time-slices.ts";
import type { FailureKind, OnFailure } from "../../proxy/http/error-boundary.ts";
import { ObservationBatcher } from "../../proxy/recording/observation-batcher.ts";
import type { CountedCall, CountedLoop } from "../../store/port.ts";
import type { Logger } from "../logger.ts";
import { FAILURE_TEXT, RECORDER_PROBLEM_TEXT } from "./log-messages.ts";
import { ObserveThread } from "./observe-thread.ts";
import type { ServerContext } from "./server-options.ts";

/** The path of every observation: observer → journal → store → events and counters. */
export interface RecordingPipeline {
  readonly journal: Journal;
  readonly observer: CallObserver;
  readonly recorder: Recorder;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** Batches observations of exchanges for `record`. */
  readonly batcher: ObservationBatcher;
  /** Waits until all batched and acknowledged observations are stored. */
  readonly stored: () => Promise<void>;
  /** Called if an exchange, or part of it, could not be observed. */
  readonly onUnobserved: (reason: string) => void;
  /** Reports a contained failure. */
  readonly onFailure: OnFailure;
  /** Calls the listener with the loops of each batch of live traffic. */
  readonly onLoops: (listener: (loops: readonly CountedLoop[]) => void) => void;
  readonly feed: EventFeed;
  readonly metrics: Metrics;
  /** Time slices for background work, and a thread for values that cannot be sliced. */
  readonly slices: TimeSlices;
  readonly longReader: ObserveThread;
}

/**
 * Under load, a backlog of this size groups turns of a session in one transaction, so that a call is written once
 * instead of twice.
 */
const MAX_UNAPPLIED_BYTES = 4 << 20;

/** Batches have waited already; this joins the slices of a long one. */
const BATCH_WRITE_MS = 2;

export function createRecordingPipeline(context: ServerContext): RecordingPipeline {
  const { options, folder, store, salt, now } = context;
  const { logger } = options;
  const journal = new Journal({ folder: folder.journal, durable: options.durable === true });
  const feed = new EventFeed({
    store,
    ...(store.shared !== undefined && { cursor: `events:${journal.id}` }),
    folder: folder.events,
    now,
    onProblem: (message) => logger.warn({ problem: message }, "event files could not be written"),
  });
  const settings = {
    capture: options.capture,
    ...(options.redact !== undefined && { redact: options.redact }),
    salt,
    ...(options.detect !== undefined && { detect: options.detect }),
  };
  const observer = new CallObserver(settings);
  const warnUnnamed = warnUnnamedCalls(logger, now);
  const loopListeners: ((loops: readonly CountedLoop[]) => void)[] = [];
  const onLoops: RecordingPipeline["onLoops"] = (listener) => loopListeners.push(listener);
  const recorder = new Recorder({
    journal,
    store,
    rejectedFile: folder.rejected,
    redactIds: observer.redactIds,
    thresholds: options.thresholds,
    nameTtlMs: options.nameTtlMs,
    maxBatchBytes: MAX_UNAPPLIED_BYTES,
    onApplied(applied) {
      metrics.countCalls(applied.counted);
      warnUnnamed(applied.counted);
      metrics.countLeaks(applied.leaks);
      metrics.countTokens(applied.tokens);
      metrics.countRepairs(applied.repairs);
      metrics.countLoops(applied.loops);
      metrics.countSecondChances(applied.secondChances);
      for (const listener of loopListeners) listener(applied.loops);
      void feed.drain();
    },
    onProblem: ({ kind, message }) => logger.warn({ problem: message }, RECORDER_PROBLEM_TEXT[kind]),
    ...(options.storeUrl === undefined && { checkStore: watchDatabaseFile(folder.database, context.isStoreOpen) }),
  });
  const metrics = createMetrics(
    () => ({ ...recorder.totals, unapplied_bytes: recorder.unappliedBytes }),
    createSessionCounts(store, now),
  );
  const record: RecordingPipeline["record"] = (observations) => recorder.record(observations);
  const onUnobserved = (reason: string): void => {
    metrics.unobserved();
    logger.debug({ reason }, "a request was forwarded without being recorded");
  };
  const onFailure = createFailureLog({ logger, count: (kind) => metrics.failed(kind), now });
  const batcher = new ObservationBatcher({
    record: (observations) => recorder.record(observations, BATCH_WRITE_MS),
    onProblem: onUnobserved,
    onFailure: (error) => onFailure("recording", error),
  });
  const stored = async (): Promise<void> => {
    batcher.flush();
    await recorder.drain();
  };
  const pacing = { slices: new TimeSlices(), longReader: new ObserveThread(settings) };
  return {
    ...{ journal, observer, recorder, record, batcher, stored, onUnobserved, onFailure, onLoops, feed, metrics },
    ...pacing,
  };
}

/** At most one warning per interval: a client that never sends its calls would fill the log. */
const WARN_INTERVAL_MS = 60_000;

/**
 * Warns about results without a tool name. Logs their number since the last warning and the id of the first, never
 * their content or session. The recorder has already redacted ids.
 */
export function warnUnnamedCalls(
  logger: Pick<Logger, "warn">,
  now: () => number,
): (calls: readonly CountedCall[]) => void {
  let results = 0;
  let firstId: string | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (calls) => {
    for (const { tool_name, tool_call_id } of calls) {
      if (tool_name !== UNKNOWN_TOOL) continue;
      results += 1;
      firstId ??= tool_call_id;
    }
    if (results === 0 || now() - warnedAt < WARN_INTERVAL_MS) return;
    logger.warn(
      { results, ...(firstId !== undefined && { tool_call_id: firstId }) },
      `tool results arrived without their calls; their tool is recorded as "${UNKNOWN_TOOL}"`,
    );
    results = 0;
    firstId = undefined;
    warnedAt = now();
  };
}

/**
 * Returns a check for a database file that was deleted or replaced while it is open. SQLite does not notice: it keeps
 * writing to the unlinked file, and those records are lost when the process ends.
 */
export function watchDatabaseFile(path: string, isOpen: () => boolean): () => string | undefined {
  let opened: string | undefined;
  return () => {
    if (!isOpen()) return undefined;
    const now = identityOf(path);
    opened ??= now;
    if (now === opened) return undefined;
    return `${path} was ${now === undefined ? "deleted" : "replaced"} while the server runs; restart it`;
  };
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
}

/** One log line per kind and interval: an upstream that fails on every request would fill the log. */
const LOG_INTERVAL_MS = 60_000;
const MAX_FRAMES = 4;

export interface FailureLogOptions {
  readonly logger: Pick<Logger, "warn">;
  readonly count: (kind: FailureKind) => void;
  readonly now: () => number;
}

/**
 * Counts contained failures. Logs the first of each kind immediately, later ones at most once a minute with their
 * count.
 */
export function createFailureLog({ logger, count, now }: FailureLogOptions): OnFailure {
  const kinds = new Map<FailureKind, { since: number; loggedAt: number }>();
  return (kind, error) => {
    count(kind);
    const state = kinds.get(kind) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY };
    kinds.set(kind, state);
    state.since += 1;
    if (now() - state.loggedAt < LOG_INTERVAL_MS) return;
    logger.warn({ kind, failures: state.since, ...describe(error) }, FAILURE_TEXT[kind]);
    state.since = 0;
    state.loggedAt = now();
  };
}

/** Describes an error without its message, which may quote what a client or an upstream sent. */
function describe(error: unknown): { readonly error: string; readonly code?: string; readonly at?: readonly string[] } {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = codeOf(error);
  const at = framesOf(error);
  return {
    error: error.constructor.name,
    ...(code !== undefined && { code: code.slice(0, 64) }),
    ...(at.length > 0 && { at }),
  };
}

/**
 * The frames of a stack trace. Empty if the trace does not start with the message, which could then contain forged
 * frames.
 */
function framesOf({ name, message, stack = "" }: Error): readonly string[] {
  const head = message === "" ? name : `${name}: ${message}`;
  if (!stack.startsWith(head)) return [];
  const lines = stack.slice(head.length).split("\n");
  return lines
    .filter((line) => line.startsWith("    at "))
    .slice(0, MAX_FRAMES)
    .map((line) => line.slice("    at ".length));
}
