import type { ChainCall } from "./chain-call.ts";
import { isWhole } from "./similar-calls.ts";

/**
 * A settled call without what no link looks at: what a call touched beside its main thing explains later failures only where it failed
 * itself, and what a text names only the failure it tells of.
 */
export function toCachedCall(call: ChainCall): ChainCall {
  const { status, named, arguments: args } = call;
  if (status === "failed") return call;
  if (named === undefined && (args === undefined || args.resources.every(isWhole))) return call;
  const light: { -readonly [K in keyof ChainCall]: ChainCall[K] } = { ...call };
  if (named !== undefined) delete light.named;
  if (args !== undefined)
    light.arguments = {
      fingerprint: args.fingerprint,
      keys: args.keys,
      resources: args.resources.filter(isWhole),
    };
  return light;
}

/** About how many bytes of memory a call holds, its links and its place with it. */
export function estimateBytes({ turn, prompt, arguments: args, named }: ChainCall): number {
  let weight = 850 + textWeight(turn) + textWeight(prompt);
  if (args !== undefined) {
    for (const name in args.keys) weight += 24 + textWeight(args.keys[name]);
    for (const resource of args.resources) weight += textWeight(resource);
  }
  for (const resource of named ?? []) weight += textWeight(resource);
  return weight;
}

function textWeight(text: string | undefined): number {
  return text === undefined ? 0 : 32 + text.length;
}
