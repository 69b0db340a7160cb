import type { CallLinks, CascadeRule } from "../model/call-links.ts";
import type { Category } from "../model/outcome.ts";
import { areSiblings, type ChainCall } from "./chain-call.ts";
import { sharedResource } from "./shared-resource.ts";
import { areSimilarCalls } from "./similar-calls.ts";

/** A call with its links as far as they are known. */
export interface LinkedCall {
  readonly call: ChainCall;
  readonly links: CallLinks;
}

/** Failures that have their reason in themselves: the model wrote the call wrong, or somebody stopped it. */
const SELF_MADE: ReadonlySet<Category | undefined> = new Set([
  "unknown_tool",
  "invalid_arguments",
  "rate_limited",
  "cancelled",
] as const);

/**
 * How a call stands to those before it, given at most a window of them, in order. What comes later decides `recovered_by`:
 * see relink.ts. In `before`, `recovered_by` must not yet know of calls after this one.
 */
export function linkCall(call: ChainCall, before: readonly LinkedCall[]): CallLinks {
  const preceding = before.findLast((one) => !areSiblings(one.call, call))?.call;
  const failedTry = lastTry(call, before);
  const cascade = failedTry === undefined ? rootOf(call, before) : undefined;
  const links: { -readonly [K in keyof CallLinks]: CallLinks[K] } = {
    position: positionOf(call, before),
    is_cascade_failure: call.status === "failed" && preceding?.status === "failed",
    retry_count: failedTry === undefined ? 0 : failedTry.links.retry_count + 1,
  };
  if (preceding !== undefined) links.preceding_tool = preceding.tool;
  if (preceding !== undefined && preceding.status !== "unknown") links.preceding_success = preceding.status === "ok";
  if (failedTry !== undefined) links.retry_of = failedTry.call.id;
  if (cascade !== undefined) {
    links.cascade_of = cascade.root;
    links.cascade_rule = cascade.rule;
  }
  return links;
}

function positionOf(call: ChainCall, before: readonly LinkedCall[]): number {
  let last = -1;
  for (let at = 0; at < before.length; at += 1) {
    const { call: earlier, links } = before[at] as LinkedCall;
    if (areSiblings(earlier, call)) return links.position;
    if (links.position > last) last = links.position;
  }
  return last + 1;
}

/** The try before this one, if it failed. After one that worked, the same call is no retry. */
function lastTry(call: ChainCall, before: readonly LinkedCall[]): LinkedCall | undefined {
  // Few calls failed, and only such a one is an answer: they are compared first.
  const failed = before.findLastIndex((one) => one.call.status === "failed" && isEarlierTry(one.call, call));
  if (failed === -1) return undefined;
  for (let at = before.length - 1; at > failed; at -= 1)
    if (isEarlierTry((before[at] as LinkedCall).call, call)) return undefined;
  return before[failed];
}

function isEarlierTry(earlier: ChainCall, call: ChainCall): boolean {
  return areSimilarCalls(earlier, call) && !areSiblings(earlier, call);
}

/** The failure that this one follows from: the nearest that shares a resource, and of that the root. */
function rootOf(
  call: ChainCall,
  before: readonly LinkedCall[],
): { readonly root: string; readonly rule: CascadeRule } | undefined {
  if (call.status !== "failed" || call.phase === "gate" || SELF_MADE.has(call.category)) return undefined;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const earlier = before[at] as LinkedCall;
    if (earlier.call.status !== "failed" || earlier.links.recovered_by !== undefined) continue;
    if (areSiblings(earlier.call, call) || !mayBeSamePrompt(earlier.call.prompt, call.prompt)) continue;
    const rule = sharedResource(earlier.call, call);
    const root = rule === undefined ? undefined : rootCall(earlier, before);
    if (rule !== undefined && root !== undefined) return { root, rule };
  }
  return undefined;
}

/**
 * The start of the story that a failure belongs to: a retry goes back to its first try, a follow-on to its root. None where that was put right:
 * it explains nothing any more, and what still fails is a root itself.
 */
function rootCall(failure: LinkedCall, before: readonly LinkedCall[]): string | undefined {
  let at = failure;
  for (;;) {
    const { retry_of, cascade_of } = at.links;
    const back = retry_of ?? cascade_of;
    if (back === undefined) return at.call.id;
    const earlier = before.findLast((one) => one.call.id === back);
    if (earlier === undefined) return back;
    if (earlier.links.recovered_by !== undefined) return undefined;
    at = earlier;
  }
}

/**
 * Do two calls work on the same message of the user? One in between starts something new. Where it is not known who asked, nothing speaks
 * against it; nor where two channels told of the calls, and each names messages in its own way.
 */
export function mayBeSamePrompt(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b || namingOf(a) !== namingOf(b);
}

/** How a message is named where the client gives no id for it. */
const NAMINGS = [
  /** By its place in the history that a request carries, and its words. */
  /^\d{1,9}-[0-9a-f]{12}$/,
  /** By its number in a transcript. */
  /^\d{1,9}$/,
  /** By its words, in a hook. */
  /^[0-9a-f]{16}$/,
] as const;

/** -1: by the client's own id. */
function namingOf(prompt: string): number {
  return NAMINGS.findIndex((naming) => naming.test(prompt));
}
