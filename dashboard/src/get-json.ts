/** A failed API request, with a message for the page. */
export class ApiError extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/** Fetches JSON from the server that sent this page, so both share the same types. */
export async function getJson<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, headers: { accept: "application/json", ...init.headers } }).catch(
    (error: Error) => {
      throw error.name === "AbortError" ? error : new ApiError(unreachable(error));
    },
  );
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw new ApiError(errorText(response.status, body), response.status);
  return body as T;
}

function unreachable(error: Error): string {
  const what = error.name === "TimeoutError" ? "responds slowly" : "is not reachable";
  return `Toolmend ${what} at ${location.origin}. If it is not running, start it with npm start.`;
}

function errorText(status: number, body: unknown): string {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  if (typeof message === "string") return message;
  return status === 401
    ? "A token is required. Open the URL that Toolmend printed when it started."
    : `Toolmend returned status ${status}. Check its log.`;
}
