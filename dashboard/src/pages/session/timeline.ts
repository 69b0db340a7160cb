import type { CallRow } from "../../../../src/store/port.ts";

/** More agents than these share the last lane. */
const MAX_LANES = 8;

/** A call in its row, in the lane of its agent. */
export interface StoryCall {
  readonly call: CallRow;
  /** From 0, in this part of the story. */
  readonly row: number;
  /** From 1, in the whole story. */
  readonly number: number;
  readonly lane: number;
}

/** From an earlier call to a later one: the next try, or a failure that follows from it. */
export interface StoryLink {
  readonly kind: "retry" | "follow";
  readonly from: StoryCall;
  readonly to: StoryCall;
}

export interface Lane {
  readonly names: readonly string[];
  readonly first: number;
  readonly last: number;
}

/** A failure that others follow from. */
export interface Root {
  readonly root: StoryCall;
  readonly followers: number;
}

export interface Story {
  readonly calls: readonly StoryCall[];
  readonly lanes: readonly Lane[];
  readonly links: readonly StoryLink[];
  /** Most followers first. */
  readonly roots: readonly Root[];
}

/** Calls in their order, one lane for each agent, in the order in which agents appear. */
export function buildTimeline(rows: readonly CallRow[], offset = 0): Story {
  const laneOf = new Map<string, number>();
  const lanes: { names: string[]; first: number; last: number }[] = [];
  const calls = rows.map((call, row): StoryCall => {
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
  const links = calls.flatMap((to): readonly StoryLink[] => [
    ...link("retry", byId.get(to.call.retry_of ?? ""), to),
    ...link("follow", byId.get(to.call.cascade_of ?? ""), to),
  ]);
  return { calls, lanes, links, roots: rootsOf(links) };
}

/** A call of another part of the story is not here to be linked. */
function link(kind: StoryLink["kind"], from: StoryCall | undefined, to: StoryCall): readonly StoryLink[] {
  return from === undefined || from === to ? [] : [{ kind, from, to }];
}

function rootsOf(links: readonly StoryLink[]): readonly Root[] {
  const followers = new Map<StoryCall, number>();
  for (const { kind, from } of links) {
    if (kind === "follow") followers.set(from, (followers.get(from) ?? 0) + 1);
  }
  return [...followers]
    .map(([root, count]) => ({ root, followers: count }))
    .sort((a, b) => b.followers - a.followers || a.root.row - b.root.row);
}
