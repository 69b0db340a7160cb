import type { ChainCall } from "./chain-call.ts";

/** So many of the argument keys must agree. */
const MIN_EQUAL_KEYS_SHARE = 0.8;

/** What a call is about as a whole. Paths inside a command do not count here: `cat x` is not `rm x`. */
const WHOLE = ["path:", "url:", "command:"] as const;

/** The same call, or nearly: equal arguments, or about the same thing, or at least 0.8 of the argument keys equal. */
export function areSimilarCalls(a: ChainCall, b: ChainCall): boolean {
  if (a.tool !== b.tool || a.arguments === undefined || b.arguments === undefined) return false;
  if (a.arguments.fingerprint === b.arguments.fingerprint) return true;
  // Lists are short, and this is asked for every call of a window: no sets.
  const others = b.arguments.resources;
  const shares = a.arguments.resources.some((resource) => others.includes(resource) && isWhole(resource));
  return shares || equalKeys(a.arguments.keys, b.arguments.keys) >= MIN_EQUAL_KEYS_SHARE;
}

export function isWhole(resource: string): boolean {
  return WHOLE.some((kind) => resource.startsWith(kind));
}

type KeyHashes = { readonly [name: string]: string };

/** Which part of all argument keys of the two has the same value in both. */
function equalKeys(a: KeyHashes, b: KeyHashes): number {
  let [equal, all] = [0, 0];
  for (const name in a) {
    all += 1;
    if (Object.hasOwn(b, name) && a[name] === b[name]) equal += 1;
  }
  for (const name in b) if (!Object.hasOwn(a, name)) all += 1;
  return all === 0 ? 0 : equal / all;
}
