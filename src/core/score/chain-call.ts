import { type CallEffect, hasNoResult } from "../loop/loop-signal.ts";
import { type CallRecord, isCounted, recordStatus, toolName } from "../model/call-record.ts";
import type { ArgumentFacts } from "../model/observation.ts";
import type { Category, Phase, Status } from "../model/outcome.ts";

/**
 * The number of preceding calls that a link may refer to. Bounded, so that the cost per call does not grow with the
 * session.
 */
export const LINK_WINDOW = 64;

/** The part of a settled call that links depend on. */
export interface ChainCall {
  readonly id: string;
  readonly tool: string;
  readonly status: Status;
  readonly category?: Category;
  readonly phase?: Phase;
  /** Calls of the same turn were made in parallel. */
  readonly turn?: string;
  /** Id of the user's prompt that led to the call. */
  readonly prompt?: string;
  readonly arguments?: Pick<ArgumentFacts, "fingerprint" | "keys" | "resources">;
  /** Resources named in the text of a failure. */
  readonly named?: readonly string[];
  /** Equal for calls of one tool with the same arguments and result. Absent if the call did not run. */
  readonly pair?: string;
  readonly effect?: CallEffect;
}

/** Orders the calls of a thread: by time, then by index in the history, then within the turn. */
export interface ThreadOrder {
  readonly first_at: number;
  readonly thread_order: number;
  readonly turn_index: number;
  readonly record_id: string;
}

/**
 * For calls from sources that do not show the whole thread: they come last among calls first observed at the same time.
 */
const NO_PLACE = 2_147_483_647;

export function orderOf(record: CallRecord, id: string): ThreadOrder {
  return {
    first_at: record.first_at,
    thread_order: record.facts.order?.value ?? NO_PLACE,
    turn_index: record.facts.turn_index?.value ?? 0,
    record_id: id,
  };
}

export function compareOrder(a: ThreadOrder, b: ThreadOrder): number {
  return (
    a.first_at - b.first_at ||
    a.thread_order - b.thread_order ||
    a.turn_index - b.turn_index ||
    (a.record_id < b.record_id ? -1 : a.record_id > b.record_id ? 1 : 0)
  );
}

/** Undefined for calls that are not counted: pending ones, and those carried over from another thread. */
export function chainCallOf(record: CallRecord, id: string): ChainCall | undefined {
  const status = recordStatus(record);
  if (!isCounted(record) || status === "pending") return undefined;
  const { turn, prompt, arguments: args, result } = record.facts;
  const outcome = result?.value.outcome;
  const named = result?.value.resources;
  const call: Mutable<ChainCall> = { id, tool: toolName(record), status };
  if (outcome?.category !== undefined) call.category = outcome.category;
  if (outcome?.phase !== undefined) call.phase = outcome.phase;
  if (turn !== undefined) call.turn = turn.value;
  if (prompt !== undefined) call.prompt = prompt.value;
  if (args !== undefined) call.arguments = linkable(args.value);
  if (named !== undefined) call.named = named;
  addPair(call, args?.value, result?.value.normalized_hash);
  return call;
}

/**
 * Adds the facts that loops depend on. A call has none if it did not run (denied, blocked), if its result is assumed,
 * or if a version that did not compare results recorded it.
 */
export function addPair(
  call: Mutable<ChainCall>,
  args: Partial<Pick<ArgumentFacts, "fingerprint" | "effect">> | undefined,
  resultHash: string | undefined,
): void {
  if (resultHash === undefined || hasNoResult(call)) return;
  call.pair = `${call.tool} ${args?.fingerprint ?? ""} ${resultHash}`;
  if (args?.effect !== undefined) call.effect = args.effect;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fills in missing parts: older versions and other programs may omit them. */
export function linkable({
  fingerprint,
  keys,
  resources,
}: Partial<ArgumentFacts>): NonNullable<ChainCall["arguments"]> {
  return { fingerprint: fingerprint ?? "", keys: keys ?? {}, resources: resources ?? [] };
}

/** Whether both calls were made in one turn, so that neither depends on the result of the other. */
export function areSiblings(a: ChainCall, b: ChainCall): boolean {
  return a.turn !== undefined && a.turn === b.turn;
}
