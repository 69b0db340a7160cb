const DONE = "[DONE]";
const MAX_DONE_CHARS = 64;

/** Whether the data of an event ends a Chat stream. Some servers write additional blanks around it. */
export function isDone(data: string | undefined): boolean {
  return data === DONE || (data !== undefined && data.length <= MAX_DONE_CHARS && data.trim() === DONE);
}
