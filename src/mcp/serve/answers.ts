import { adviceFor } from "../../core/detect/advice.ts";
import { classifyToolResult } from "../../core/detect/index.ts";
import type { Hasher } from "../../core/model/call-key.ts";
import { fingerprintOf } from "../../core/score/fingerprint/error-template.ts";
import type { CallRow, FingerprintRow, Range, StoreReader } from "../../store/port.ts";

/**
 * The result of a tool of this server: the same facts for programs and, by `textOf`, for models that read only text.
 */
export interface ToolReliability {
  readonly tools: readonly {
    readonly tool: string;
    readonly calls: number;
    readonly failed: number;
    readonly failure_rate: number;
    readonly main_cause: string;
    readonly recovered: number;
  }[];
}

export interface ExplainedFailure {
  readonly category: string;
  readonly phase: string;
  readonly seen_before: number;
  readonly last_seen: string;
  readonly similar: readonly { readonly text: string; readonly count: number }[];
  /** Failures of this tool with a later successful retry. */
  readonly recovered: number;
  readonly failed: number;
  readonly advice: string;
}

export interface SessionReview {
  readonly session_id: string;
  readonly calls: number;
  readonly failed: number;
  readonly unrecovered: number;
  readonly health: string;
  readonly failures: readonly {
    readonly tool: string;
    readonly category: string;
    readonly message: string;
    readonly state: "recovered" | "follow-on" | "retry" | "unrecovered";
  }[];
  readonly loops: readonly { readonly tool: string; readonly category: string; readonly times: number }[];
}

export interface AdviceLines {
  readonly lines: readonly { readonly advice: string; readonly failures: number; readonly category: string }[];
}

const MAX_ROWS = 10;
const MAX_TEXT_CHARS = 160;
const MIN_LOOP = 3;
const MAX_FINGERPRINTS = 200;
/** The calls of this server itself. */
const OWN_TOOL = /(?:^|__|_)toolmend(?:__|_|\.)(?:tool_reliability|explain_failure|session_review|advice)$/;

export async function toolReliability(
  reader: StoreReader,
  range: Range,
  tool: string | undefined,
  limit: number = MAX_ROWS,
): Promise<ToolReliability> {
  const rows = await reader.breakdown("tool", { ...range, ...(tool !== undefined && { tool }) });
  return {
    tools: rows
      .filter(({ key }) => !OWN_TOOL.test(key))
      .slice(0, Math.min(limit, MAX_ROWS * 2))
      .map(({ key, calls, failed, failure_rate, top_category, recovered }) => ({
        ...{ tool: key, calls, failed, recovered },
        failure_rate: Math.round((failure_rate ?? 0) * 1000) / 1000,
        main_cause: top_category ?? "",
      })),
  };
}

export interface FailureQuestion {
  readonly error: string;
  readonly tool?: string;
}

/** @param hash the hash of the store's fingerprints; undefined if it is not known */
export async function explainFailure(
  reader: StoreReader,
  range: Range,
  { error, tool }: FailureQuestion,
  hash: Hasher | undefined,
): Promise<ExplainedFailure> {
  const outcome = classifyToolResult(
    { callId: "", content: error, isError: true },
    tool === undefined ? {} : { name: tool },
  );
  const { category = "error", phase = "run", message = "" } = outcome;
  const filter = { ...range, category, limit: MAX_FINGERPRINTS, ...(tool !== undefined && { tool }) };
  const known = await reader.fingerprints(filter);
  const own = hash === undefined ? undefined : fingerprintOf(category, message, hash);
  const same = known.find(({ fingerprint }) => fingerprint === own);
  const rows = tool === undefined ? [] : await reader.breakdown("tool", { ...range, tool });
  const advice = adviceFor({ category, phase, tool, message });
  return {
    category,
    phase,
    seen_before: same?.count ?? 0,
    last_seen: same?.last_at ?? "",
    similar: known
      .filter((one) => one !== same && one.sample !== "")
      .slice(0, 3)
      .map(({ sample, count }) => ({ text: cut(sample), count })),
    recovered: rows[0]?.recovered ?? 0,
    failed: rows[0]?.failed ?? 0,
    advice: advice?.text ?? "",
  };
}

/** Undefined if the session is not recorded. */
export async function sessionReview(
  reader: StoreReader,
  project: string,
  sessionId: string,
): Promise<SessionReview | undefined> {
  const detail = await reader.sessionDetail(project, sessionId);
  if (detail === undefined) return undefined;
  const { session, calls } = detail;
  const failures = calls.filter(({ status, inherited }) => status === "failed" && !inherited);
  return {
    session_id: session.session_id,
    calls: session.calls,
    failed: session.failed,
    unrecovered: session.unrecovered,
    health: session.rate_health,
    failures: failures.slice(-MAX_ROWS).map((call) => ({
      tool: call.tool_name,
      category: call.category ?? "error",
      message: cut(call.status_message ?? ""),
      state: stateOf(call),
    })),
    loops: loopsOf(failures),
  };
}

function stateOf({ recovered_by, cascade_of, retry_of }: CallRow): SessionReview["failures"][number]["state"] {
  if (recovered_by !== null) return "recovered";
  if (cascade_of !== null) return "follow-on";
  return retry_of === null ? "unrecovered" : "retry";
}

/** The same failure of the same tool, several times. */
function loopsOf(failures: readonly CallRow[]): SessionReview["loops"] {
  const groups = Map.groupBy(failures, ({ tool_name, fingerprint }) => `${tool_name}\u0000${fingerprint}`);
  return [...groups.values()]
    .filter((group) => group.length >= MIN_LOOP)
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_ROWS)
    .map((group) => ({
      tool: group[0]?.tool_name ?? "",
      category: group[0]?.category ?? "error",
      times: group.length,
    }));
}

/** Lines for instructions of agents, from recorded failures; most failures first. */
export async function adviceLines(reader: StoreReader, range: Range): Promise<AdviceLines> {
  const rows = await reader.fingerprints({ ...range, limit: MAX_FINGERPRINTS });
  const lines = new Map<string, { advice: string; failures: number; category: string }>();
  for (const row of rows) {
    const advice = adviceFor({ category: row.category, tool: mainTool(row), message: row.sample });
    if (advice === undefined) continue;
    const line = lines.get(advice.text) ?? { advice: advice.text, failures: 0, category: row.category };
    line.failures += row.count;
    lines.set(advice.text, line);
  }
  return { lines: [...lines.values()].sort((a, b) => b.failures - a.failures).slice(0, MAX_ROWS) };
}

function mainTool({ tools }: FingerprintRow): string | undefined {
  return Object.entries(tools).sort(([, a], [, b]) => b - a)[0]?.[0];
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_TEXT_CHARS ? line : `${line.slice(0, MAX_TEXT_CHARS - 1)}…`;
}
