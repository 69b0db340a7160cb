import type { CallRow } from "../../../../src/store/port.ts";

/** Further agents share the last lane. */
const MAX_LANES = 8;

/** A call in its row, in the lane of its agent. */
export interface TimelineCall {
  readonly call: CallRow;
  /** From 0, on this page. */
  readonly row: number;
  /** From 1, in the whole session. */
  readonly number: number;
  readonly lane: number;
}

/** From an earlier call to its retry or follow-on. */
export interface TimelineLink {
  readonly kind: "retry" | "follow";
  readonly from: TimelineCall;
  readonly to: TimelineCall;
}

export interface Lane {
  readonly names: readonly string[];
  readonly first: number;
  readonly last: number;
}

/** A failure with follow-ons. */
export interface Root {
  readonly root: TimelineCall;
  readonly followOns: number;
}

export interface Timeline {
  readonly calls: readonly TimelineCall[];
  readonly lanes: readonly Lane[];
  readonly links: readonly TimelineLink[];
  /** Most follow-ons first. */
  readonly roots: readonly Root[];
}

/** Arranges calls in order, with one lane per agent in order of appearance. */
export function buildTimeline(rows: readonly CallRow[], offset = 0): Timeline {
  const laneOf = new Map<string, number>();
  const lanes: { names: string[]; first: number; last: number }[] = [];
  const calls = rows.map((call, row): TimelineCall => {
    const lane = laneOf.get(call.agent_id) ?? Math.min(laneOf.size, MAX_LANES - 1);
    laneOf.set(call.agent_id, lane);
    const known = lanes[lane];
    if (known === undefined) lanes[lane] = { names: [call.agent_id], first: row, last: row };
    else {
      known.last = row;
      if (!known.names.includes(call.agent_id)) known.names.push(call.agent_id);
    }
    return { call, row, number: offset + row + 1, lane };
  });
  const byId = new Map(calls.map((one) => [one.call.id, one]));
  const links = calls.flatMap((to): readonly TimelineLink[] => [
    ...link("retry", byId.get(to.call.retry_of ?? ""), to),
    ...link("follow", byId.get(to.call.cascade_of ?? ""), to),
  ]);
  return { calls, lanes, links, roots: rootsOf(links) };
}

/** Calls on another page cannot be linked. */
function link(kind: TimelineLink["kind"], from: TimelineCall | undefined, to: TimelineCall): readonly TimelineLink[] {
  return from === undefined || from === to ? [] : [{ kind, from, to }];
}

function rootsOf(links: readonly TimelineLink[]): readonly Root[] {
  const followOns = new Map<TimelineCall, number>();
  for (const { kind, from } of links) {
    if (kind === "follow") followOns.set(from, (followOns.get(from) ?? 0) + 1);
  }
  return [...followOns]
    .map(([root, count]) => ({ root, followOns: count }))
    .sort((a, b) => b.followOns - a.followOns || a.root.row - b.root.row);
}
