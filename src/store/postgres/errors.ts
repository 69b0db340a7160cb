/** Others were in the way: the same again will do. */
export function isTransient(error: unknown): boolean {
  return ["40P01", "40001", "55P03"].includes(codeOf(error));
}

/** The server went away, is starting or stopping, or has no connection left. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^(?:CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    /^(?:08|57P0|53300)/.test(code) ||
    code === "25P03" ||
    code === "no-answer"
  );
}

/** A value that the database cannot hold: in the batch, not in the database, is something wrong. */
export function isContentProblem(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith("22") || code.startsWith("23") || code === "54000";
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
