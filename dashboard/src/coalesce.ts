/**
 * Runs a task soon after it is asked for, never twice at once, and with a pause after each run: any number of asks in between share the next one.
 */
export function coalesce(task: () => Promise<void>, pauseMs: () => number): () => void {
  let state: "idle" | "running" | "pausing" = "idle";
  let asked = false;

  const run = async (): Promise<void> => {
    asked = false;
    state = "running";
    await task();
    state = "pausing";
    setTimeout(() => {
      state = "idle";
      if (asked) void run();
    }, pauseMs());
  };

  return () => {
    asked = true;
    if (state === "idle") void run();
  };
}
