import type { ChainCall } from "./chain-call.ts";

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
