import type { CallKey } from "./call-key.ts";
import type { Fact } from "./facts.ts";
import type { ArgumentFacts, ResultFacts, Source } from "./observation.ts";
import type { Status } from "./outcome.ts";
import type { CallOrigin } from "./tool-call.ts";

/** Everything mergeable that is known of one call. A missing fact is simply not known yet. */
export interface CallFacts {
  readonly name?: Fact<string>;
  /** The name in the client's history, where it differs from the model's. */
  readonly client_name?: Fact<string>;
  readonly arguments?: Fact<Omit<ArgumentFacts, "preview">>;
  /** A fact of its own: who knows the arguments best may not yet know that the call will fail, and so keep no text. */
  readonly preview?: Fact<string>;
  readonly client_arguments?: Fact<string>;
  readonly result?: Fact<ResultFacts>;
  /** Hash of the result text as the wire had it: tells reused ids and forks apart. */
  readonly wire_result?: Fact<string>;
  readonly model?: Fact<string>;
  readonly provider?: Fact<string>;
  readonly client?: Fact<string>;
  readonly api?: Fact<string>;
  readonly request_id?: Fact<string>;
  readonly response_id?: Fact<string>;
  readonly origin?: Fact<CallOrigin>;
  /** How it was written, where it leaked as text. */
  readonly recovery?: Fact<{ readonly format: string; readonly repairs: readonly string[] }>;
  readonly execution_time_ms?: Fact<number>;
  readonly turnaround_ms?: Fact<number>;
  readonly turn?: Fact<string>;
  readonly turn_index?: Fact<number>;
  readonly order?: Fact<number>;
  readonly prompt?: Fact<string>;
  readonly workflow?: Fact<string>;
  readonly permission_requested?: Fact<true>;
}

/** One call, as known so far. */
export interface CallRecord {
  readonly kind: "call-record";
  readonly key: CallKey;
  readonly facts: CallFacts;
  /** Places it was seen at, as `conversation/n`, sorted. */
  readonly places: readonly string[];
  readonly sources: readonly Source[];
  /** Earliest time any source gives for it. */
  readonly first_at: number;
  /** Earliest request whose history held it; absent when never seen in a history. */
  readonly first_history_at?: number;
  readonly seen_at: number;
  /** A live counter has moved for this call, or for the one it was inherited from. */
  readonly counted: boolean;
  /** Text of the original's key, when this call was carried over from another thread; such a call counts nowhere. */
  readonly inherited_from?: string;
  /** What kind of work the prompt it names asks for; its own `workflow` fact is better. */
  readonly prompt_workflow?: string;
}

/** `pending` until a result was seen. */
export type RecordStatus = Status | "pending";

export function recordStatus(record: CallRecord): RecordStatus {
  return record.facts.result?.value.outcome.status ?? "pending";
}

/** When its result occurred, by the source that is believed. */
export function settledAt(record: CallRecord): number | undefined {
  return record.facts.result?.at;
}

/** Has a source told its result? What was only assumed (`incomplete`) may still be taken back. */
export function isSettled(record: CallRecord): boolean {
  return record.facts.result !== undefined && record.facts.result.value.provisional !== true;
}

/** From the end of the answer that made the call to the request that brought its result: the tool's time and the client's. */
export function turnaroundMs(record: CallRecord): number | undefined {
  const { turnaround_ms, response_id, wire_result } = record.facts;
  if (turnaround_ms !== undefined) return turnaround_ms.value;
  if (response_id === undefined || wire_result === undefined || wire_result.at < response_id.at) return undefined;
  return wire_result.at - response_id.at;
}

/** Does this call count in rates and totals? */
export function isCounted(record: CallRecord): boolean {
  return recordStatus(record) !== "pending" && record.inherited_from === undefined;
}

export function workflowOf(record: CallRecord): string | undefined {
  return record.facts.workflow?.value ?? record.prompt_workflow;
}

/** The name shown when nobody told us one. */
export const UNKNOWN_TOOL = "unknown";

export function toolName(record: CallRecord): string {
  return record.facts.name?.value ?? UNKNOWN_TOOL;
}
