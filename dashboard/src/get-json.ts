/** A question that was not answered, in words for the page. */
export class ApiError extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/** The server that sent this page is the one that answers: its types are ours. */
export async function getJson<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, headers: { accept: "application/json", ...init.headers } }).catch(
    (error: Error) => {
      throw error.name === "AbortError" ? error : new ApiError(unreachable(error));
    },
  );
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw new ApiError(refusal(response.status, body), response.status);
  return body as T;
}

function unreachable(error: Error): string {
  const what = error.name === "TimeoutError" ? "is slow to answer" : "does not answer";
  return `Toolmend ${what} at ${location.origin}. Is it still running? Start it with npm start.`;
}

function refusal(status: number, body: unknown): string {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  if (typeof message === "string") return message;
  return status === 401
    ? "A token is required: open the address that was printed at the start."
    : `Toolmend answered with status ${status}. Its log says more.`;
}
