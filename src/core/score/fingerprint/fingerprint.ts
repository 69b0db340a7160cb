import type { Hasher } from "../../model/call-key.ts";
import type { Category } from "../../model/outcome.ts";
import { errorTemplate } from "./error-template.ts";

/**
 * Equal for the same failure in every session, whatever paths, numbers and ids the message contains. Starts with the
 * category, so that failures of two categories never share a fingerprint.
 *
 * @example
 * fingerprintOf("not_found", "ENOENT: no such file or directory, open '/a/b.ts'", hash); // "not_found-3f8a1c0d92be"
 */
export function fingerprintOf(category: Category, message: string, hash: Hasher): string {
  return `${category}-${hash(`failure\u0000${category}\u0000${errorTemplate(message)}`).slice(0, 12)}`;
}
