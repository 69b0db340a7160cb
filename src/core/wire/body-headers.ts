/** Headers that speak about the exact bytes of a body. */
export const BODY_DEPENDENT_HEADERS: ReadonlySet<string> = new Set([
  "content-length",
  "content-encoding",
  "content-md5",
  "content-digest",
  "repr-digest",
  "digest",
  "etag",
]);
