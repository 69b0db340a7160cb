import type { RequestHead } from "../core/wire/index.ts";
import { errorShape } from "./http/api-error.ts";
import type { Upstream } from "./upstreams.ts";

/** The upstream's key from the environment, for trusted clients that bring none of their own. */
export function keyHeader(
  head: RequestHead,
  path: string,
  { key }: Upstream,
  isTrusted: () => boolean,
  bearerIsOurs: boolean,
): readonly string[] {
  if (key === undefined) return [];
  const brought = head("x-api-key") !== undefined || (head("authorization") !== undefined && !bearerIsOurs);
  if (brought || !isTrusted()) return [];
  const anthropic = errorShape(path) === "anthropic" || head("anthropic-version") !== undefined;
  return anthropic ? ["x-api-key", key] : ["authorization", `Bearer ${key}`];
}
