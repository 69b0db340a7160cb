import type { CallKey } from "./call-key.ts";
import type { Fact } from "./facts.ts";
import type { ArgumentFacts, CallRepairFacts, CommonText, McpFacts, ResultFacts, Source } from "./observation.ts";
import type { Status } from "./outcome.ts";
import type { CallOrigin } from "./tool-call.ts";

/** The merged facts of one call. A missing fact is not known yet. */
export interface CallFacts extends Readonly<Partial<Record<CommonText, Fact<string>>>> {
  readonly name?: Fact<string>;
  /** The name in the client's history, where it differs from the model's. */
  readonly client_name?: Fact<string>;
  readonly arguments?: Fact<Omit<ArgumentFacts, "preview">>;
  /**
   * Separate from `arguments`: the best source of the arguments may report them before the call fails, and then stores
   * no text.
   */
  readonly preview?: Fact<string>;
  readonly client_arguments?: Fact<string>;
  readonly result?: Fact<ResultFacts>;
  /** Hash of the result text on the wire. It distinguishes reused ids and identifies forks. */
  readonly wire_result?: Fact<string>;
  readonly response_id?: Fact<string>;
  readonly origin?: Fact<CallOrigin>;
  /** The format of a leaked call, and the repairs needed to parse it. */
  readonly recovery?: Fact<{ readonly format: string; readonly repairs: readonly string[] }>;
  readonly call_repair?: Fact<CallRepairFacts>;
  readonly execution_time_ms?: Fact<number>;
  readonly turnaround_ms?: Fact<number>;
  readonly turn?: Fact<string>;
  readonly turn_index?: Fact<number>;
  readonly order?: Fact<number>;
  readonly prompt?: Fact<string>;
  readonly workflow?: Fact<string>;
  readonly permission_requested?: Fact<true>;
  readonly mcp?: Fact<McpFacts>;
}

/** The merged state of one call. */
export interface CallRecord {
  readonly kind: "call-record";
  readonly key: CallKey;
  readonly facts: CallFacts;
  /** Places it was seen at, as `conversation/n`, sorted. */
  readonly places: readonly string[];
  readonly sources: readonly Source[];
  /** The earliest time reported by any source. */
  readonly first_at: number;
  /** Time of the earliest request whose history contains it; absent if no history does. */
  readonly first_history_at?: number;
  readonly seen_at: number;
  /** A live counter was incremented for this call, or for its original. */
  readonly counted: boolean;
  /** Key of the original, as text, if this call was carried over from another thread. Such a call is not counted. */
  readonly inherited_from?: string;
  /** The workflow of the call's prompt. The call's own `workflow` fact takes precedence. */
  readonly prompt_workflow?: string;
}

/** `pending` until a result is recorded. */
export type RecordStatus = Status | "pending";

export function recordStatus(record: CallRecord): RecordStatus {
  return record.facts.result?.value.outcome.status ?? "pending";
}

/** When the result occurred, according to the source with the highest rank. */
export function settledAt(record: CallRecord): number | undefined {
  return record.facts.result?.at;
}

/** Whether a source reported the result. An assumed result (`incomplete`) is replaced by a reported one. */
export function isSettled(record: CallRecord): boolean {
  return record.facts.result !== undefined && record.facts.result.value.provisional !== true;
}

/**
 * The time from the end of the response that made the call to the request with its result: the tool's time plus the
 * client's.
 */
export function turnaroundMs(record: CallRecord): number | undefined {
  const { turnaround_ms, response_id, wire_result } = record.facts;
  if (turnaround_ms !== undefined) return turnaround_ms.value;
  if (response_id === undefined || wire_result === undefined || wire_result.at < response_id.at) return undefined;
  return wire_result.at - response_id.at;
}

/** Whether this call counts in rates and totals. */
export function isCounted(record: CallRecord): boolean {
  return recordStatus(record) !== "pending" && record.inherited_from === undefined;
}

export function workflowOf(record: CallRecord): string | undefined {
  return record.facts.workflow?.value ?? record.prompt_workflow;
}

/** The name shown for a call whose tool no source reported. */
export const UNKNOWN_TOOL = "unknown";

export function toolName(record: CallRecord): string {
  return record.facts.name?.value ?? UNKNOWN_TOOL;
}
