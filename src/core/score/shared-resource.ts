import type { CascadeRule } from "../model/call-links.ts";
import type { ChainCall } from "./chain-call.ts";

/**
 * Resources are `kind:hash`. A hash stands for one thing whatever the kind says about the call's part in it:
 * `path` is an argument, `target` stands in a command, `makes` would have been produced, `under` is a folder above a path, `end` the
 * end of an absolute path, `needs` what an install command makes, `id` an identifier, `url` an address.
 */
type Kinds = readonly string[];

/** Which kinds of the follow-on meet which kinds of the root. The first rule that holds is the one that is told. */
const RULES: readonly (readonly [rule: CascadeRule, follower: Kinds, root: Kinds])[] = [
  ["path", ["path", "target", "makes"], ["path", "target", "makes"]],
  ["path", ["path", "target"], ["end"]],
  ["path", ["end"], ["path", "target"]],
  ["inside", ["under"], ["makes"]],
  ["url", ["url"], ["url"]],
  ["id", ["id"], ["makes"]],
  ["dependency", ["needs"], ["makes"]],
];

/** Why the second call may have failed because the first did; undefined when they have nothing in common. */
export function sharedResource(root: ChainCall, follower: ChainCall): CascadeRule | undefined {
  const rootKinds = kindsByHash(root.arguments?.resources ?? []);
  if (rootKinds.size === 0) return undefined;
  const resources = (follower.arguments?.resources ?? []).map(split);
  for (const [rule, followerMay, rootMay] of RULES) {
    const met = resources.some(
      ([kind, hash]) => followerMay.includes(kind) && rootMay.some((one) => rootKinds.get(hash)?.has(one) === true),
    );
    if (met) return rule;
  }
  // The text of the failure names what the first call should have produced.
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
