import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { keysOf } from "../core/model/narrow.ts";
import { FAILURE_KINDS, type FailureKind } from "../proxy/http/error-boundary.ts";
import type {
  CountedCall,
  CountedLeak,
  CountedLoop,
  CountedRepair,
  CountedSecondChance,
  CountedTokens,
  StoreReader,
} from "../store/port.ts";

/** In seconds: from a fast lookup to a tool that runs for minutes. */
const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** In seconds: from the cost of forwarding to that of buffering a whole body. */
const ADDED_BUCKETS = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 1.024, 4.096];

const INGEST_HELP = {
  acknowledged: "Observations written to the journal.",
  applied: "Observations stored.",
  dropped: "Observations lost before they were acknowledged: the journal was full or could not be written.",
  rejected: "Invalid observations, written to journal/rejected.jsonl instead of the store.",
} as const;

/** Totals that every scrape reads. */
export interface ObservedTotals {
  readonly acknowledged: number;
  readonly applied: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly unapplied_bytes: number;
}

/** The metrics of one server, with their own registry. */
export interface Metrics {
  countCalls(calls: readonly CountedCall[]): void;
  countLeaks(leaks: readonly CountedLeak[]): void;
  countTokens(tokens: readonly CountedTokens[]): void;
  countRepairs(repairs: readonly CountedRepair[]): void;
  countLoops(loops: readonly CountedLoop[]): void;
  countSecondChances(chances: readonly CountedSecondChance[]): void;
  guardAction(action: "note" | "stop" | "block"): void;
  requestStarted(): void;
  requestEnded(upstream: string, status: number): void;
  responseStarted(addedSeconds: number): void;
  refused(status: number): void;
  unobserved(): void;
  /** Counts a contained failure. */
  failed(kind: FailureKind): void;
  /** Counts spans and scores by the result of sending them. */
  exported(target: string, result: "sent" | "failed" | "given_up", count: number): void;
  hookEvents(agent: string, result: "read" | "unreadable" | "dropped", events: number): void;
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Sessions of the last day by health. */
export type SessionCounts = Readonly<Record<string, number>>;

export function createMetrics(totals: () => ObservedTotals, sessions?: () => Promise<SessionCounts>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const tools = createLabelCap(500);
  const models = createLabelCap(200);
  // Capped too: clients of `/api/ingest` choose the provider.
  const providers = createLabelCap(50);
  const formats = createLabelCap(100);
  const classes = createLabelCap(100);

  const calls = new Counter({
    name: "toolmend_tool_calls_total",
    help: "Tool calls with an outcome in live traffic, once each.",
    labelNames: ["provider", "model", "tool_name", "outcome"],
    registers,
  });
  const failures = new Counter({
    name: "toolmend_tool_result_failures_total",
    help: "Failed tool calls by category.",
    labelNames: ["provider", "model", "tool_name", "category"],
    registers,
  });
  const leaked = new Counter({
    name: "toolmend_leaked_calls_total",
    help: "Tool calls that models wrote as text, by result: recovered (repaired) or left.",
    labelNames: ["model", "format", "result"],
    registers,
  });
  const tokens = new Counter({
    name: "toolmend_tokens_total",
    help: "Tokens of responses in live traffic, by kind: input, output, and their parts cached and cache_write (of input) and reasoning (of output).",
    labelNames: ["model", "kind"],
    registers,
  });
  const callRepairs = new Counter({
    name: "toolmend_call_repairs_total",
    help: "Native tool calls that do not fit their schemas, by class of fault and result: repaired or left.",
    labelNames: ["model", "class", "result"],
    registers,
  });
  const loops = new Counter({
    name: "toolmend_loops_total",
    help: "Loops in live traffic, once for each level they reached: 3 loop, 6 alarm, 10 stop.",
    labelNames: ["model", "tool_name", "kind", "level"],
    registers,
  });
  const loopCalls = new Counter({
    name: "toolmend_loop_calls_total",
    help: "Calls that brought nothing new, from the third in a row on.",
    labelNames: ["model"],
    registers,
  });
  const secondChances = new Counter({
    name: "toolmend_second_chances_total",
    help: "Turns that were requested again because no call in them could work, by reason and result: healed, text, or why the first response was sent.",
    labelNames: ["model", "reason", "result"],
    registers,
  });
  const guardActions = new Counter({
    name: "toolmend_guard_actions_total",
    help: "Notes and stops of the guard, once for each state of a conversation, and calls that its hook blocked.",
    labelNames: ["action"],
    registers,
  });
  for (const action of ["note", "stop", "block"]) guardActions.inc({ action }, 0);
  const durations = new Histogram({
    name: "toolmend_tool_duration_seconds",
    help: "Execution time of tools, if a hook or the library measured it.",
    labelNames: ["tool_name"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  // Counted in a map: for every request, prom-client's lookup of a series by its labels would cost more than the count
  // itself.
  const requestCounts = new Map<string, Map<number, number>>();
  let inFlight = 0;
  new Counter({
    name: "toolmend_proxy_requests_total",
    help: "Requests forwarded, by upstream and response status; 0 without a response.",
    labelNames: ["upstream", "status"],
    registers,
    collect() {
      this.reset();
      for (const [upstream, statuses] of requestCounts)
        for (const [status, count] of statuses) this.inc({ upstream, status: String(status) }, count);
    },
  });
  const refusals = new Counter({
    name: "toolmend_proxy_refused_total",
    help: "Requests rejected by access control.",
    labelNames: ["status"],
    registers,
  });
  new Gauge({
    name: "toolmend_proxy_in_flight",
    help: "Requests being forwarded.",
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const added = new Histogram({
    name: "toolmend_proxy_added_seconds",
    help: "Time the proxy added before the first byte of a response: until the request was forwarded, and from response head to first byte sent. Includes the buffering of responses that are repaired as a whole.",
    buckets: ADDED_BUCKETS,
    registers,
  });
  const unobserved = new Counter({
    name: "toolmend_proxy_unobserved_total",
    help: "Exchanges forwarded without recording: too large, or in an unknown format.",
    registers,
  });
  const failed = new Counter({
    name: "toolmend_proxy_failures_total",
    help: "Internal failures that affected at most one exchange, by kind.",
    labelNames: ["kind"],
    registers,
  });
  // Starts at 0, so that `increase()` sees the first failure.
  for (const kind of FAILURE_KINDS) failed.inc({ kind }, 0);
  const exports = new Counter({
    name: "toolmend_export_events_total",
    help: "Spans and scores exported, by result: sent, failed (will be retried) or given_up.",
    labelNames: ["target", "result"],
    registers,
  });
  const hookEvents = new Counter({
    name: "toolmend_hook_events_total",
    help: "Hook events of agents, by result: read, unreadable or dropped.",
    labelNames: ["agent", "result"],
    registers,
  });
  for (const result of keysOf(INGEST_HELP)) {
    new Counter({
      name: `toolmend_ingest_${result}_total`,
      help: INGEST_HELP[result],
      registers,
      collect() {
        this.reset();
        this.inc(totals()[result]);
      },
    });
  }
  new Gauge({
    name: "toolmend_ingest_unapplied_bytes",
    help: "Bytes of observations in the journal that are not stored yet.",
    registers,
    collect() {
      this.set(totals().unapplied_bytes);
    },
  });
  new Gauge({
    name: "toolmend_sessions",
    help: "Sessions active in the last 24 hours, by health: healthy without failures, degraded with 1 or 2, unhealthy with more, insufficient without any known status.",
    labelNames: ["health"],
    registers,
    async collect() {
      // If the store fails, the metric is absent: 0 would look healthy.
      const counts = await sessions?.().catch(() => undefined);
      this.reset();
      for (const [health, count] of Object.entries(counts ?? {})) this.set({ health }, count);
    },
  });
  new Counter({
    name: "toolmend_label_overflow_total",
    help: "Label values replaced by _other because there were too many.",
    registers,
    collect() {
      this.reset();
      this.inc(tools.overflow() + models.overflow() + providers.overflow() + formats.overflow());
    },
  });

  return {
    countCalls(counted) {
      for (const call of counted) {
        const labels = {
          provider: providers.of(call.provider),
          model: models.of(call.model),
          tool_name: tools.of(call.tool_name),
        };
        calls.inc({ ...labels, outcome: call.outcome });
        if (call.outcome === "failed") failures.inc({ ...labels, category: call.category ?? "error" });
        if (call.execution_time_ms !== undefined)
          durations.observe({ tool_name: labels.tool_name }, call.execution_time_ms / 1000);
      }
    },
    countLeaks(leaks) {
      for (const { model, format, result, calls: number } of leaks)
        leaked.inc({ model: models.of(model), format: formats.of(format), result }, number);
    },
    countTokens(counted) {
      for (const { model, kind, tokens: number } of counted) tokens.inc({ model: models.of(model), kind }, number);
    },
    countRepairs(repairs) {
      for (const { model, class: name, result } of repairs)
        callRepairs.inc({ model: models.of(model), class: classes.of(name), result });
    },
    countLoops(counted) {
      for (const { model, tool_name, loop } of counted) {
        const label = models.of(model);
        loopCalls.inc({ model: label });
        if (loop.level !== null)
          loops.inc({ model: label, tool_name: tools.of(tool_name), kind: loop.kind, level: String(loop.level) });
      }
    },
    countSecondChances(chances) {
      for (const { model, reason, result } of chances)
        secondChances.inc({ model: models.of(model), reason: classes.of(reason), result: classes.of(result) });
    },
    guardAction: (action) => guardActions.inc({ action }),
    requestStarted() {
      inFlight += 1;
    },
    requestEnded(upstream, status) {
      inFlight -= 1;
      const statuses = requestCounts.get(upstream) ?? new Map<number, number>();
      requestCounts.set(upstream, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    },
    responseStarted: (addedSeconds) => added.observe(addedSeconds),
    refused: (status) => refusals.inc({ status: String(status) }),
    unobserved: () => unobserved.inc(),
    failed: (kind) => failed.inc({ kind }),
    exported: (target, result, count) => exports.inc({ target, result }, count),
    hookEvents: (agent, result, events) => hookEvents.inc({ agent, result }, events),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Bounds the number of label values: models invent tool names. */
export interface LabelCap {
  of(value: string): string;
  overflow(): number;
}

const MAX_LABEL_CHARS = 128;
/**
 * Replaces an empty value, which Prometheus treats as a missing label: a call settled before a source reported its
 * model.
 */
const UNKNOWN_LABEL = "unknown";

export function createLabelCap(limit: number): LabelCap {
  const known = new Set<string>();
  let overflowed = 0;
  return {
    of(value) {
      const label = value.slice(0, MAX_LABEL_CHARS) || UNKNOWN_LABEL;
      if (known.has(label)) return label;
      if (known.size < limit) {
        known.add(label);
        return label;
      }
      overflowed += 1;
      return "_other";
    },
    overflow: () => overflowed,
  };
}

const DAY_MS = 86_400_000;
const CACHE_TTL_MS = 10_000;
const PAGE_SIZE = 500;
const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"] as const;

/** Counts the sessions of the last day by health. Cached for a few seconds, because every scrape needs it. */
export function createSessionCounts(
  reader: Pick<StoreReader, "sessions">,
  now: () => number,
): () => Promise<SessionCounts> {
  let cached: { readonly at: number; readonly counts: Promise<SessionCounts> } | undefined;
  return () => {
    const at = now();
    if (cached === undefined || at - cached.at >= CACHE_TTL_MS) cached = { at, counts: count(reader, at - DAY_MS) };
    const { counts } = cached;
    counts.catch(() => {
      cached = undefined;
    });
    return counts;
  };
}

async function count(reader: Pick<StoreReader, "sessions">, since: number): Promise<SessionCounts> {
  const counts: Record<string, number> = Object.fromEntries(HEALTHS.map((health) => [health, 0]));
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const rows = await reader.sessions({ since, limit: PAGE_SIZE, offset });
    for (const { health } of rows) counts[health] = (counts[health] ?? 0) + 1;
    if (rows.length < PAGE_SIZE) return counts;
  }
}
