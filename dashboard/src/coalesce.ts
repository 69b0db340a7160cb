/** Wraps a task so that runs never overlap and are separated by a pause. Requests made meanwhile share the next run. */
export function coalesce(task: () => Promise<void>, pauseMs: () => number): () => void {
  let state: "idle" | "running" | "pausing" = "idle";
  let isRequested = false;

  const run = async (): Promise<void> => {
    isRequested = false;
    state = "running";
    await task();
    state = "pausing";
    setTimeout(() => {
      state = "idle";
      if (isRequested) void run();
    }, pauseMs());
  };

  return () => {
    isRequested = true;
    if (state === "idle") void run();
  };
}
