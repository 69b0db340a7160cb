import { type CallRecord, isCounted, recordStatus, toolName } from "../model/call-record.ts";
import type { ArgumentFacts } from "../model/observation.ts";
import type { Category, Phase, Status } from "../model/outcome.ts";

/** How many calls back a link may reach. Bounded, so that one more call costs the same in a session of any length. */
export const LINK_WINDOW = 64;

/** What linking needs to know of one settled call. */
export interface ChainCall {
  readonly id: string;
  readonly tool: string;
  readonly status: Status;
  readonly category?: Category;
  readonly phase?: Phase;
  /** Calls of one turn were made in parallel. */
  readonly turn?: string;
  /** Which message of the user it works on. */
  readonly prompt?: string;
  readonly arguments?: Pick<ArgumentFacts, "fingerprint" | "keys" | "resources">;
  /** What the text of a failure names. */
  readonly named?: readonly string[];
}

/** Where a call stands in its thread: by time, then by place in the history, then within its turn. */
export interface ThreadOrder {
  readonly first_at: number;
  readonly thread_order: number;
  readonly turn_index: number;
  readonly record_id: string;
}

/** Sources that do not show the whole thread know no place: such a call comes last of those first seen at one time. */
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

/** The call as linking sees it; undefined for one that counts nowhere: it is pending, or was done in another thread. */
export function chainCallOf(record: CallRecord, id: string): ChainCall | undefined {
  if (!isCounted(record)) return undefined;
  const { turn, prompt, arguments: args, result } = record.facts;
  const outcome = result?.value.outcome;
  const named = result?.value.resources;
  const call: Mutable<ChainCall> = { id, tool: toolName(record), status: recordStatus(record) as Status };
  if (outcome?.category !== undefined) call.category = outcome.category;
  if (outcome?.phase !== undefined) call.phase = outcome.phase;
  if (turn !== undefined) call.turn = turn.value;
  if (prompt !== undefined) call.prompt = prompt.value;
  if (args !== undefined) call.arguments = linkable(args.value);
  if (named !== undefined) call.named = named;
  return call;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What an older or foreign source wrote may lack parts. */
export function linkable({
  fingerprint,
  keys,
  resources,
}: Partial<ArgumentFacts>): NonNullable<ChainCall["arguments"]> {
  return { fingerprint: fingerprint ?? "", keys: keys ?? {}, resources: resources ?? [] };
}

/** Made in one turn of the model: neither could know how the other came out. */
export function areSiblings(a: ChainCall, b: ChainCall): boolean {
  return a.turn !== undefined && a.turn === b.turn;
}
