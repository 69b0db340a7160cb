/** Facts about a caught value. Programs can throw anything, so nothing is assumed about it. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(error);
}

/** The code of an error of Toolmend or Node, such as `spool-full` or `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error), { cause: error });
}
