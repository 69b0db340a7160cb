import type { ModelCall } from "../model/message.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";

export interface Schedule {
  readonly concurrency: number;
  /** Must run alone. */
  isSequential(call: ModelCall): boolean;
  /** Starts a call; never rejects but for an unknown name in strict mode. */
  start(call: ModelCall): Promise<ToolOutcome>;
  /** In the order of the calls, each as soon as all before it are there. */
  onOutcome(outcome: ToolOutcome): void;
}

/** Runs the calls of one round: several at a time, one that must be alone alone, and all of them to their end. */
export async function runCalls(calls: readonly ModelCall[], schedule: Schedule): Promise<void> {
  const outcomes: (ToolOutcome | undefined)[] = calls.map(() => undefined);
  const running = new Set<Promise<void>>();
  let told = 0;
  let thrown: { readonly error: unknown } | undefined;
  const tell = (): void => {
    for (let next = outcomes[told]; next !== undefined; next = outcomes[told]) {
      told += 1;
      schedule.onOutcome(next);
    }
  };
  for (const [index, call] of calls.entries()) {
    const isAlone = schedule.isSequential(call);
    const most = isAlone ? 1 : Math.max(1, schedule.concurrency);
    while (running.size >= most) await (isAlone ? Promise.all(running) : Promise.race(running));
    const task: Promise<void> = schedule
      .start(call)
      .then(
        (outcome) => {
          outcomes[index] = outcome;
          tell();
        },
        (error) => {
          thrown ??= { error };
        },
      )
      .finally(() => running.delete(task));
    running.add(task);
    if (isAlone) await task;
  }
  await Promise.all(running);
  if (thrown !== undefined) throw thrown.error;
}
