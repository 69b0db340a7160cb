import type { CallLinks, CascadeRule } from "../model/call-links.ts";
import { present } from "../model/narrow.ts";
import type { Category } from "../model/outcome.ts";
import { areSiblings, type ChainCall } from "./chain-call.ts";
import { linkLoop } from "./link-loop.ts";
import { mayBeSamePrompt } from "./same-prompt.ts";

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
  return Object.assign(links, linkLoop(call, before));
}

function positionOf(call: ChainCall, before: readonly LinkedCall[]): number {
  let last = -1;
  for (const { call: earlier, links } of before) {
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
    if (isEarlierAttempt(present(before[at]).call, call)) return undefined;
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
    const earlier = present(before[at]);
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
 * Resources are `kind:hash`. The hash identifies the resource, the kind its role in the call: `path` is an argument,
 * `target` is part of a command, `makes` would have been created, `under` is a parent folder of a path, `end` the end
 * of an absolute path, `needs` what an install command creates, `id` an identifier, `url` a URL.
 */
type Kinds = readonly string[];

/** Pairs of kinds that link a follow-on to its root. The first matching rule is reported. */
const RULES: readonly (readonly [rule: CascadeRule, follower: Kinds, root: Kinds])[] = [
  ["path", ["path", "target", "makes"], ["path", "target", "makes"]],
  ["path", ["path", "target"], ["end"]],
  ["path", ["end"], ["path", "target"]],
  ["inside", ["under"], ["makes"]],
  ["url", ["url"], ["url"]],
  ["id", ["id"], ["makes"]],
  ["dependency", ["needs"], ["makes"]],
];

/** The rule by which the failure of `root` explains that of `follower`; undefined if they share no resource. */
export function sharedResource(root: ChainCall, follower: ChainCall): CascadeRule | undefined {
  const rootKinds = kindsByHash(root.arguments?.resources ?? []);
  if (rootKinds.size === 0) return undefined;
  const resources = (follower.arguments?.resources ?? []).map(split);
  for (const [rule, followerMay, rootMay] of RULES) {
    const matches = resources.some(
      ([kind, hash]) => followerMay.includes(kind) && rootMay.some((one) => rootKinds.get(hash)?.has(one) === true),
    );
    if (matches) return rule;
  }
  // The text of the failure names a resource that the first call should have created.
  const named = (follower.named ?? []).some((resource) => rootKinds.get(split(resource)[1])?.has("makes") === true);
  return named ? "named" : undefined;
}

function kindsByHash(resources: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const [kind, hash] of resources.map(split)) kinds.set(hash, (kinds.get(hash) ?? new Set()).add(kind));
  return kinds;
}

function split(resource: string): readonly [kind: string, hash: string] {
  const at = resource.indexOf(":");
  return [resource.slice(0, at), resource.slice(at + 1)];
}

const MIN_EQUAL_KEYS_SHARE = 0.8;

/** Kinds of the main resource of a call. Paths within a command are not included: `cat x` is not `rm x`. */
const WHOLE = ["path:", "url:", "command:"] as const;

/** Whether two calls have equal arguments, the same main resource, or at least 80 % equal argument keys. */
export function areSimilarCalls(a: ChainCall, b: ChainCall): boolean {
  if (a.tool !== b.tool || a.arguments === undefined || b.arguments === undefined) return false;
  if (a.arguments.fingerprint === b.arguments.fingerprint) return true;
  // No sets: lists are short, and this runs for every call of a window.
  const others = b.arguments.resources;
  const shares = a.arguments.resources.some((resource) => others.includes(resource) && isWhole(resource));
  return shares || equalKeys(a.arguments.keys, b.arguments.keys) >= MIN_EQUAL_KEYS_SHARE;
}

export function isWhole(resource: string): boolean {
  return WHOLE.some((kind) => resource.startsWith(kind));
}

type KeyHashes = { readonly [name: string]: string };

/** The share of argument keys that have the same value in both calls. */
function equalKeys(a: KeyHashes, b: KeyHashes): number {
  let [equal, all] = [0, 0];
  for (const name in a) {
    all += 1;
    if (Object.hasOwn(b, name) && a[name] === b[name]) equal += 1;
  }
  for (const name in b) if (!Object.hasOwn(a, name)) all += 1;
  return all === 0 ? 0 : equal / all;
}
