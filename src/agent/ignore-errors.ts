/**
 * Calls a callback that only observes. Exceptions and rejections are ignored alike: the type of such a callback accepts
 * async functions, and an unhandled rejection ends the process.
 */
export function ignoreErrors(callback: () => unknown): void {
  try {
    const result = callback();
    if (isThenable(result)) result.then(undefined, () => undefined);
  } catch {
    // Cannot be reported: the callback itself may be the log.
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
