import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { FAILURE_KINDS, type FailureKind } from "../proxy/http/error-boundary.ts";
import type { CountedCall, CountedLeak } from "../store/port.ts";

/** Seconds, doubling: from a fast lookup to a tool that runs for minutes. */
const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** Seconds: from what forwarding costs to what a body costs that is held until it is whole. */
const ADDED_BUCKETS = [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 1.024, 4.096];

const INGEST_HELP = {
  acknowledged: "Observations written to the journal.",
  applied: "Observations stored.",
  dropped: "Observations lost before they were acknowledged: the journal was full or could not be written.",
  rejected: "Observations that no store can take; they are kept in journal/rejected.jsonl.",
} as const;

/** AggregateDeltas that are read when somebody asks for them. */
export interface ObservedTotals {
  readonly acknowledged: number;
  readonly applied: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly unapplied_bytes: number;
}

/** The metrics of one process, in a registry of their own. */
export interface Metrics {
  countCalls(calls: readonly CountedCall[]): void;
  countLeaks(leaks: readonly CountedLeak[]): void;
  requestStarted(): void;
  requestEnded(upstream: string, status: number): void;
  responseBegan(addedSeconds: number): void;
  refused(status: number): void;
  unobserved(): void;
  /** Counts a contained failure. */
  failed(kind: FailureKind): void;
  /** What became of spans and scores on their way to another system. */
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
  // Through the ingest door a client names its provider too.
  const providers = createLabelCap(50);
  const formats = createLabelCap(100);

  const calls = new Counter({
    name: "toolmend_tool_calls_total",
    help: "Tool calls whose outcome was seen in live traffic, once each.",
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
    help: "Tool calls that models wrote as text, by what became of them: recovered or left.",
    labelNames: ["model", "format", "result"],
    registers,
  });
  const durations = new Histogram({
    name: "toolmend_tool_duration_seconds",
    help: "How long tools ran, where a hook or the library measured it.",
    labelNames: ["tool_name"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  // Counted by hand, because every request passes here: finding a series by its labels costs more than the rest of its count.
  const answered = new Map<string, Map<number, number>>();
  let underWay = 0;
  new Counter({
    name: "toolmend_proxy_requests_total",
    help: "Requests forwarded, by upstream and status of the answer; 0 without one.",
    labelNames: ["upstream", "status"],
    registers,
    collect() {
      this.reset();
      for (const [upstream, statuses] of answered)
        for (const [status, count] of statuses) this.inc({ upstream, status: String(status) }, count);
    },
  });
  const refusals = new Counter({
    name: "toolmend_proxy_refused_total",
    help: "Requests that the connection guard refused.",
    labelNames: ["status"],
    registers,
  });
  new Gauge({
    name: "toolmend_proxy_in_flight",
    help: "Requests being forwarded.",
    registers,
    collect() {
      this.set(underWay);
    },
  });
  const added = new Histogram({
    name: "toolmend_proxy_added_seconds",
    help: "What forwarding added before the first byte of an answer: until its request was sent on, and from its head to its first byte handed on. An answer that may be mended as a whole waits until it is there.",
    buckets: ADDED_BUCKETS,
    registers,
  });
  const unobserved = new Counter({
    name: "toolmend_proxy_unobserved_total",
    help: "Exchanges that passed unread: too large, or not understood.",
    registers,
  });
  const failed = new Counter({
    name: "toolmend_proxy_failures_total",
    help: "Failures that cost at most their own exchange, by kind.",
    labelNames: ["kind"],
    registers,
  });
  // Starts at 0, so that `increase()` sees the first failure.
  for (const kind of FAILURE_KINDS) failed.inc({ kind }, 0);
  const exports = new Counter({
    name: "toolmend_export_events_total",
    help: "Spans and scores offered to other systems, by what became of the attempt: sent, failed (tried again later) or given_up.",
    labelNames: ["target", "result"],
    registers,
  });
  const hookEvents = new Counter({
    name: "toolmend_hook_events_total",
    help: "Events of agents' hooks, by what became of them: read, unreadable or dropped.",
    labelNames: ["agent", "result"],
    registers,
  });
  for (const [result, help] of Object.entries(INGEST_HELP)) {
    new Counter({
      name: `toolmend_ingest_${result}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(totals()[result as keyof typeof INGEST_HELP]);
      },
    });
  }
  new Gauge({
    name: "toolmend_ingest_unapplied_bytes",
    help: "Acknowledged but not yet stored.",
    registers,
    collect() {
      this.set(totals().unapplied_bytes);
    },
  });
  new Gauge({
    name: "toolmend_sessions",
    help: "Sessions with a sign of life in the last 24 hours, by health: healthy without a failure, degraded with one or two, unhealthy with more, insufficient without a verdict.",
    labelNames: ["health"],
    registers,
    async collect() {
      // A store that does not answer leaves a gap: no data is not health.
      const counts = await sessions?.().catch(() => undefined);
      this.reset();
      for (const [health, count] of Object.entries(counts ?? {})) this.set({ health }, count);
    },
  });
  new Counter({
    name: "toolmend_label_overflow_total",
    help: "Label values folded into _other because there were too many.",
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
    requestStarted() {
      underWay += 1;
    },
    requestEnded(upstream, status) {
      underWay -= 1;
      const statuses = answered.get(upstream) ?? new Map<number, number>();
      answered.set(upstream, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    },
    responseBegan: (addedSeconds) => added.observe(addedSeconds),
    refused: (status) => refusals.inc({ status: String(status) }),
    unobserved: () => unobserved.inc(),
    failed: (kind) => failed.inc({ kind }),
    exported: (target, result, count) => exports.inc({ target, result }, count),
    hookEvents: (agent, result, events) => hookEvents.inc({ agent, result }, events),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Keeps the number of label values bounded: tool names come from models, and models invent them. */
export interface LabelCap {
  of(value: string): string;
  overflow(): number;
}

const MAX_LABEL_CHARS = 128;

export function createLabelCap(limit: number): LabelCap {
  const known = new Set<string>();
  let overflowed = 0;
  return {
    of(value) {
      const label = value.slice(0, MAX_LABEL_CHARS);
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
