import type { ChainCall } from "./chain-call.ts";
import { isWhole } from "./link-call.ts";

/**
 * Drops the parts of a settled call that no link uses. Secondary resources and the resources named in a text explain
 * later failures only if the call itself failed.
 */
export function toCachedCall(call: ChainCall): ChainCall {
  const { status, named, arguments: args } = call;
  if (status === "failed") return call;
  if (named === undefined && (args === undefined || args.resources.every(isWhole))) return call;
  const cached: { -readonly [K in keyof ChainCall]: ChainCall[K] } = { ...call };
  if (named !== undefined) delete cached.named;
  if (args !== undefined)
    cached.arguments = {
      fingerprint: args.fingerprint,
      keys: args.keys,
      resources: args.resources.filter(isWhole),
    };
  return cached;
}

/** Estimates the memory of a cached call, including its links and order. */
export function estimateBytes({ turn, prompt, arguments: args, named }: ChainCall): number {
  let bytes = 850 + textBytes(turn) + textBytes(prompt);
  if (args !== undefined) {
    for (const name in args.keys) bytes += 24 + textBytes(args.keys[name]);
    for (const resource of args.resources) bytes += textBytes(resource);
  }
  for (const resource of named ?? []) bytes += textBytes(resource);
  return bytes;
}

function textBytes(text: string | undefined): number {
  return text === undefined ? 0 : 32 + text.length;
}
