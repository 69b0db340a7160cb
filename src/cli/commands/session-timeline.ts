import { isRoot } from "../../core/score/index.ts";
import type { CallRow } from "../../store/port.ts";

/** A call with its position in the session's timeline. */
export interface TimelineEntry {
  readonly call: CallRow;
  /** From 1, in the order the calls were made. */
  readonly number: number;
  /** Indentation below the root failure or the first attempt. */
  readonly depth: number;
  /** Its links to other calls, as text. */
  readonly remarks: readonly string[];
}

/** Counts of links in a session. */
export interface LinkCounts {
  readonly roots: number;
  readonly follow_ons: number;
  readonly retries: number;
  readonly recoveries: number;
}

export function countLinks(calls: readonly CallRow[]): LinkCounts {
  return {
    roots: calls.filter(isRootFailure).length,
    follow_ons: calls.filter(({ cascade_of }) => cascade_of !== null).length,
    retries: calls.filter(({ retry_of }) => retry_of !== null).length,
    // One successful retry can recover several failed attempts.
    recoveries: new Set(calls.flatMap(({ recovered_by }) => recovered_by ?? [])).size,
  };
}

function isRootFailure({ status, cascade_of, retry_of }: CallRow): boolean {
  return isRoot({ status, cascade_of, retry_of });
}

/** "1 root failure, 3 follow-ons, 2 retries, 1 recovery" */
export function formatLinkCounts({ roots, follow_ons, retries, recoveries }: LinkCounts): string {
  const part = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  return [
    part(roots, "root failure", "root failures"),
    part(follow_ons, "follow-on", "follow-ons"),
    part(retries, "retry", "retries"),
    part(recoveries, "recovery", "recoveries"),
  ].join(", ");
}

/** Nests follow-ons below their root failure and retries below the first attempt. */
export function renderTimeline(calls: readonly CallRow[]): readonly TimelineEntry[] {
  const numbers = new Map(calls.map(({ id }, at) => [id, at + 1]));
  const byId = new Map(calls.map((call) => [call.id, call]));
  const name = (id: string | null): string => {
    const number = id === null ? undefined : numbers.get(id);
    return number === undefined ? "an earlier call" : `#${number}`;
  };
  const depths = new Map<string, number>();
  return calls.map((call, at) => {
    const first = firstAttempt(call, byId);
    const from = call.cascade_of ?? (first === call ? null : first.id);
    const depth = from === null ? 0 : (depths.get(from) ?? 0) + 1;
    depths.set(call.id, depth);
    return { call, number: at + 1, depth, remarks: remarksOf(call, first, name) };
  });
}

function remarksOf(call: CallRow, first: CallRow, name: (id: string | null) => string): readonly string[] {
  const remarks: string[] = [];
  if (call.cascade_of !== null) remarks.push(`follow-on of ${name(call.cascade_of)} (${call.cascade_rule})`);
  if (call.retry_of !== null) {
    const which = first === call ? name(call.retry_of) : name(first.id);
    remarks.push(`${call.status === "ok" ? "recovery: " : ""}retry ${call.retry_count} of ${which}`);
  }
  if (isRootFailure(call)) remarks.push("root failure");
  if (call.recovered_by !== null) remarks.push(`recovered by ${name(call.recovered_by)}`);
  return remarks;
}

/** The first attempt of a retried call. Bounded by the number of calls, so a cycle of links ends. */
function firstAttempt(call: CallRow, byId: ReadonlyMap<string, CallRow>): CallRow {
  let first = call;
  for (let steps = 0; first.retry_of !== null && steps < byId.size; steps += 1) {
    const before = byId.get(first.retry_of);
    if (before === undefined) break;
    first = before;
  }
  return first;
}
