/** Headers that are only valid for the exact bytes of a body. Drop them when the body changes. */
export const BODY_DEPENDENT_HEADERS: ReadonlySet<string> = new Set([
  "content-length",
  "content-encoding",
  "content-md5",
  "content-digest",
  "repr-digest",
  "digest",
  "etag",
]);
