import type { ChainCall } from "./chain-call.ts";

/** So many of the argument keys must agree. */
const ENOUGH_KEYS = 0.8;

/** What a call is about as a whole. Paths inside a command do not count here: `cat x` is not `rm x`. */
const WHOLE = ["path:", "url:", "command:"] as const;

/** The same call, or nearly: equal arguments, or about the same thing, or at least 0.8 of the argument keys equal. */
export function isNearSame(a: ChainCall, b: ChainCall): boolean {
  if (a.tool !== b.tool || a.arguments === undefined || b.arguments === undefined) return false;
  if (a.arguments.fingerprint === b.arguments.fingerprint) return true;
  const others = new Set(b.arguments.resources);
  const shares = a.arguments.resources.some(
    (resource) => others.has(resource) && WHOLE.some((kind) => resource.startsWith(kind)),
  );
  return shares || equalKeys(a.arguments.keys, b.arguments.keys) >= ENOUGH_KEYS;
}

type KeyHashes = { readonly [name: string]: string };

/** Which part of all argument keys of the two has the same value in both. */
function equalKeys(a: KeyHashes, b: KeyHashes): number {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (names.size === 0) return 0;
  let equal = 0;
  for (const name of names) if (Object.hasOwn(a, name) && Object.hasOwn(b, name) && a[name] === b[name]) equal += 1;
  return equal / names.size;
}
