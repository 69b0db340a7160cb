import type { HeaderLookup } from "../core/wire/index.ts";
import { errorShape } from "./http/api-error.ts";
import type { Upstream } from "./upstreams.ts";

/** Headers with a client's API key: Anthropic, Azure and Google. OpenAI uses `authorization`. */
const KEY_HEADERS = ["x-api-key", "api-key", "x-goog-api-key"] as const;

/**
 * Returns the header with the upstream's key, or with the credentials of its URL, for trusted clients that send no key.
 */
export function keyHeader(
  head: HeaderLookup,
  path: string,
  { key, url }: Upstream,
  isTrusted: () => boolean,
  bearerIsToken: boolean,
): readonly string[] {
  if (key === undefined && url.username === "" && url.password === "") return [];
  const hasOwnKey =
    KEY_HEADERS.some((name) => head(name) !== undefined) || (head("authorization") !== undefined && !bearerIsToken);
  if (hasOwnKey || !isTrusted()) return [];
  if (key === undefined) return ["authorization", `Basic ${Buffer.from(credentialsOf(url)).toString("base64")}`];
  const shape = errorShape(path);
  // Vertex takes tokens of Google's accounts, whichever model it serves.
  if (path.includes("/publishers/")) return ["authorization", `Bearer ${key}`];
  if (shape === "gemini") return ["x-goog-api-key", key];
  const anthropic = shape === "anthropic" || head("anthropic-version") !== undefined;
  return anthropic ? ["x-api-key", key] : ["authorization", `Bearer ${key}`];
}

function credentialsOf({ username, password }: URL): string {
  const credentials = `${username}:${password}`;
  try {
    return decodeURIComponent(credentials);
  } catch {
    // A literal percent sign.
    return credentials;
  }
}
