import { FREE_WAITS, LOOP_LEVELS, type LoopLevel } from "../loop/loop-signal.ts";
import type { CallLinks, LoopEnd, LoopLink } from "../model/call-links.ts";
import { present } from "../model/narrow.ts";
import { areSiblings, type ChainCall } from "./chain-call.ts";
import type { LinkedCall } from "./link-call.ts";
import { mayBeSamePrompt } from "./same-prompt.ts";

type LoopLinks = Pick<CallLinks, "loop" | "loop_end" | "new_change">;

const NONE: LoopLinks = {};
const LEVELS: readonly LoopLevel[] = Object.values(LOOP_LEVELS);

/**
 * Continues the run of calls that brought nothing new, counted as in `LoopSignal`, from the links of at most {@link
 * LINK_WINDOW} preceding calls. So records contain no longer cycles. Calls of one turn are compared with earlier turns
 * only.
 */
export function linkLoop(call: ChainCall, before: readonly LinkedCall[]): LoopLinks {
  // Calls that did not run, and calls recorded before results were compared, neither continue nor end a run.
  if (call.pair === undefined) return NONE;
  // Most calls are new, and cost only one comparison with each earlier call.
  const wasMade = before.some(({ call: { pair } }) => pair === call.pair);
  const { isRepeated, isDuplicate, hasNewSibling } = wasMade
    ? compare(call, before)
    : { isRepeated: false, isDuplicate: false, hasNewSibling: hasNewSiblingIn(call, before) };
  if (isRepeated && !hasNewSibling) return { loop: continueRun(call, before, isDuplicate) };
  const links: { -readonly [K in keyof LoopLinks]: LoopLinks[K] } = {};
  if (call.effect === "changes" && call.status !== "failed" && !(wasMade && wasMadeBefore(call, before)))
    links.new_change = true;
  const end = hasNewSibling ? undefined : endOfRun(call, before);
  if (end !== undefined) links.loop_end = end;
  return links;
}

interface Comparison {
  /** An earlier turn made the same call with the same result, and nothing changed since. */
  readonly isRepeated: boolean;
  /** An earlier call of the same turn is the same. */
  readonly isDuplicate: boolean;
  /** An earlier call of the same turn brought something new, so the turn did. */
  readonly hasNewSibling: boolean;
}

function compare(call: ChainCall, before: readonly LinkedCall[]): Comparison {
  let isDuplicate = false;
  let hasNewSibling = false;
  let change: ChainCall | undefined;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const { call: earlier, links } = present(before[at]);
    if (earlier.pair === undefined) continue;
    if (areSiblings(earlier, call)) {
      isDuplicate ||= earlier.pair === call.pair;
      hasNewSibling ||= links.loop === undefined;
      continue;
    }
    if (!mayBeSamePrompt(earlier.prompt, call.prompt)) break;
    // All calls of the turn with the last change count, and none of the turns before it.
    if (change !== undefined && !areSiblings(earlier, change)) break;
    if (earlier.pair === call.pair) return { isRepeated: true, isDuplicate, hasNewSibling };
    if (links.new_change === true) change = earlier;
  }
  return { isRepeated: false, isDuplicate, hasNewSibling };
}

function hasNewSiblingIn(call: ChainCall, before: readonly LinkedCall[]): boolean {
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const { call: earlier, links } = present(before[at]);
    if (!areSiblings(earlier, call)) return false;
    if (earlier.pair !== undefined && links.loop === undefined) return true;
  }
  return false;
}

/** Repeating a change is not a new change. */
function wasMadeBefore(call: ChainCall, before: readonly LinkedCall[]): boolean {
  return before.some(
    ({ call: earlier }) =>
      earlier.pair === call.pair && !areSiblings(earlier, call) && mayBeSamePrompt(earlier.prompt, call.prompt),
  );
}

function continueRun(call: ChainCall, before: readonly LinkedCall[], isDuplicate: boolean): LoopLink {
  const previous: LoopLink | undefined = before.findLast(({ call: earlier }) => earlier.pair !== undefined)?.links.loop;
  const run: LoopLink = previous ?? {
    of: call.id,
    run: 0,
    waits: 0,
    kind: "failing",
    period: 0,
    tools: [],
    level: null,
  };
  if (isDuplicate) return { ...run, level: null };
  const inRun = before.some(({ call: earlier, links }) => links.loop?.of === run.of && earlier.pair === call.pair);
  const period = inRun ? run.period : run.period + 1;
  const waits = call.effect === "waits" ? run.waits + 1 : run.waits;
  const length = call.effect === "waits" && waits < FREE_WAITS ? run.run : run.run + 1;
  const isFailing = run.kind === "failing" && call.status === "failed";
  return {
    of: run.of,
    run: length,
    waits,
    kind: isFailing ? "failing" : period === 1 ? "repeat" : "cycle",
    period,
    tools: run.tools.includes(call.tool) ? run.tools : [...run.tools, call.tool].slice(0, MAX_TOOLS),
    level: length > run.run ? (LEVELS.find((one) => one === length) ?? null) : null,
  };
}

/** Maximum number of tools named in a loop; a longer cycle is described by its period. */
const MAX_TOOLS = 8;

/** The loop that this call ended by bringing something new. */
function endOfRun(call: ChainCall, before: readonly LinkedCall[]): LoopEnd | undefined {
  const last = before.findLast(({ call: earlier }) => earlier.pair !== undefined && !areSiblings(earlier, call));
  const loop = last?.links.loop;
  if (last === undefined || loop === undefined || loop.run < LOOP_LEVELS.loop) return undefined;
  const { level: _reached, waits: _waits, ...ended } = loop;
  return { ...ended, by: endedBy(call, last.call, before) };
}

function endedBy(call: ChainCall, last: ChainCall, before: readonly LinkedCall[]): LoopEnd["by"] {
  if (!mayBeSamePrompt(last.prompt, call.prompt)) return "human";
  const isKnown = before.some(
    ({ call: { tool, arguments: args } }) =>
      tool === call.tool && args !== undefined && args.fingerprint === call.arguments?.fingerprint,
  );
  return isKnown ? "new_result" : "new_call";
}

/** Removes a run from calls whose turn brought something new after all. */
export function withoutLoop({ loop: _loop, ...links }: CallLinks): CallLinks {
  return links;
}
