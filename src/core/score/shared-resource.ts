import type { CascadeRule } from "../model/call-links.ts";
import type { ChainCall } from "./chain-call.ts";

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
