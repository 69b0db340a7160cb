import type { CallLinks, CascadeRule } from "../model/call-links.ts";
import type { Category } from "../model/outcome.ts";
import { areSiblings, type ChainCall } from "./chain-call.ts";
import { sharedResource } from "./shared-resource.ts";
import { areSimilarCalls } from "./similar-calls.ts";

/** A call with its current links. */
export interface LinkedCall {
  readonly call: ChainCall;
  readonly links: CallLinks;
}

/** Failures that have their own cause and are never follow-ons. */
const OWN_CAUSE: ReadonlySet<Category | undefined> = new Set([
  "unknown_tool",
  "invalid_arguments",
  "rate_limited",
  "cancelled",
] as const);

/**
 * Links a call to at most {@link LINK_WINDOW} preceding calls. Does not set `recovered_by`, which depends on later
 * calls: see relink.ts. In `before`, `recovered_by` must not refer to calls after this one.
 */
export function linkCall(call: ChainCall, before: readonly LinkedCall[]): CallLinks {
  const preceding = before.findLast((one) => !areSiblings(one.call, call))?.call;
  const failedAttempt = findFailedAttempt(call, before);
  const cascade = failedAttempt === undefined ? findRoot(call, before) : undefined;
  const links: { -readonly [K in keyof CallLinks]: CallLinks[K] } = {
    position: positionOf(call, before),
    is_cascade_failure: call.status === "failed" && preceding?.status === "failed",
    retry_count: failedAttempt === undefined ? 0 : failedAttempt.links.retry_count + 1,
  };
  if (preceding !== undefined) links.preceding_tool = preceding.tool;
  if (preceding !== undefined && preceding.status !== "unknown") links.preceding_success = preceding.status === "ok";
  if (failedAttempt !== undefined) links.retry_of = failedAttempt.call.id;
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

/** The last attempt at the same call, if it failed. A call after a successful attempt is not a retry. */
function findFailedAttempt(call: ChainCall, before: readonly LinkedCall[]): LinkedCall | undefined {
  // Only failed calls qualify and few calls fail, so those are compared first.
  const failed = before.findLastIndex((one) => one.call.status === "failed" && isEarlierAttempt(one.call, call));
  if (failed === -1) return undefined;
  for (let at = before.length - 1; at > failed; at -= 1)
    if (isEarlierAttempt((before[at] as LinkedCall).call, call)) return undefined;
  return before[failed];
}

function isEarlierAttempt(earlier: ChainCall, call: ChainCall): boolean {
  return areSimilarCalls(earlier, call) && !areSiblings(earlier, call);
}

/** The root failure of the nearest failure that shares a resource with this one. */
function findRoot(
  call: ChainCall,
  before: readonly LinkedCall[],
): { readonly root: string; readonly rule: CascadeRule } | undefined {
  if (call.status !== "failed" || call.phase === "gate" || OWN_CAUSE.has(call.category)) return undefined;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const earlier = before[at] as LinkedCall;
    if (earlier.call.status !== "failed" || earlier.links.recovered_by !== undefined) continue;
    if (areSiblings(earlier.call, call) || !mayBeSamePrompt(earlier.call.prompt, call.prompt)) continue;
    const rule = sharedResource(earlier.call, call);
    const root = rule === undefined ? undefined : rootId(earlier, before);
    if (rule !== undefined && root !== undefined) return { root, rule };
  }
  return undefined;
}

/**
 * Follows a retry to its first attempt and a follow-on to its root. Undefined if that was recovered: then it does not
 * explain the failure, which is a root itself.
 */
function rootId(failure: LinkedCall, before: readonly LinkedCall[]): string | undefined {
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
 * Whether two calls may belong to the same prompt of the user. True unless both prompts are known, have the same kind
 * of id, and differ: each channel has its own ids for prompts.
 */
export function mayBeSamePrompt(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b || idPatternOf(a) !== idPatternOf(b);
}

/** Ids of prompts for which the client has no id. */
const ID_PATTERNS = [
  /** From a request: its index in the history, and a hash of its text. */
  /^\d{1,9}-[0-9a-f]{12}$/,
  /** From a transcript: its number. */
  /^\d{1,9}$/,
  /** From a hook: a hash of its text. */
  /^[0-9a-f]{16}$/,
] as const;

/** -1 for an id of the client. */
function idPatternOf(prompt: string): number {
  return ID_PATTERNS.findIndex((naming) => naming.test(prompt));
}
