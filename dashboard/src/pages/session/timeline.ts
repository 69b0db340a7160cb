import type { CallRow } from "../../../../src/store/port.ts";

/** Additional agents share the last lane. */
const MAX_LANES = 8;

/** A call in its row, in the lane of its agent. */
export interface TimelineCall {
  readonly call: CallRow;
  /** From 0, on this page. */
  readonly row: number;
  /** From 1, in the whole session. */
  readonly number: number;
  readonly lane: number;
  /** How many calls of a loop this row represents, the last of them being `call`; 1 for all other calls. */
  readonly times: number;
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

/** Adjacent calls of one loop, folded to the last of them. */
interface FoldedCalls {
  readonly call: CallRow;
  /** Ids of all of them. */
  readonly ids: readonly string[];
  /** Index of the last of them. */
  readonly index: number;
}

/** A shorter run does not count as a loop, and its calls are listed one by one. */
const MIN_FOLDED_RUN = 3;

function foldLoops(rows: readonly CallRow[]): readonly FoldedCalls[] {
  const longest = new Map<string, number>();
  for (const { loop } of rows) if (loop) longest.set(loop.of, Math.max(longest.get(loop.of) ?? 0, loop.run));
  const folded: FoldedCalls[] = [];
  for (const [index, call] of rows.entries()) {
    const before = folded.at(-1);
    const isLoop = call.loop ? (longest.get(call.loop.of) ?? 0) >= MIN_FOLDED_RUN : false;
    if (isLoop && before?.call.loop?.of === call.loop?.of && before?.call.agent_id === call.agent_id)
      folded[folded.length - 1] = { call, ids: [...(before?.ids ?? []), call.id], index };
    else folded.push({ call, ids: [call.id], index });
  }
  return folded;
}

/** Arranges calls in order, with one lane per agent in order of appearance. The calls of a loop are one row. */
export function buildTimeline(rows: readonly CallRow[], offset = 0, folds = true): Timeline {
  const laneOf = new Map<string, number>();
  const lanes: { names: string[]; first: number; last: number }[] = [];
  const shown = folds ? foldLoops(rows) : rows.map((call, index) => ({ call, ids: [call.id], index }));
  const calls = shown.map(({ call, ids, index }, row): TimelineCall => {
    const lane = laneOf.get(call.agent_id) ?? Math.min(laneOf.size, MAX_LANES - 1);
    laneOf.set(call.agent_id, lane);
    const known = lanes[lane];
    if (known === undefined) lanes[lane] = { names: [call.agent_id], first: row, last: row };
    else {
      known.last = row;
      if (!known.names.includes(call.agent_id)) known.names.push(call.agent_id);
    }
    return { call, row, number: offset + index + 1, lane, times: ids.length };
  });
  const byId = new Map(calls.flatMap((one, row) => (shown[row]?.ids ?? []).map((id) => [id, one] as const)));
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
