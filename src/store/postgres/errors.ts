/** Conflicts with other transactions, which a retry resolves. */
export function isTransient(error: unknown): boolean {
  return ["40P01", "40001", "55P03"].includes(codeOf(error));
}

/** The server is unavailable, starting or stopping, or has no free connections. */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return (
    /^(?:CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    /^(?:08|57P0|53300)/.test(code) ||
    code === "25P03" ||
    code === "no-answer"
  );
}

/** A value of the batch that the database cannot store. */
export function isContentProblem(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith("22") || code.startsWith("23") || code === "54000";
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
