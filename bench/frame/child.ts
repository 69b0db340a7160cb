import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { compiled } from "./compiled.ts";

/** A child process of the benchmark, controlled by messages. */
export interface Child {
  readonly pid: number;
  ask<T>(command: string, parameters?: unknown): Promise<T>;
  end(): Promise<void>;
}

export interface ChildOptions {
  readonly core: number | undefined;
  readonly parameters?: unknown;
  readonly nodeOptions?: readonly string[];
}

interface Question {
  readonly id: number;
  readonly command: string;
  readonly parameters: unknown;
}

type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly problem: string };

const LONGEST_MS = 120_000;

/** Starts a module that calls {@link serveRequests}, pinned to one core where possible. */
export async function startChild(module: URL, options: ChildOptions): Promise<Child> {
  const nodeOptions = options.nodeOptions ?? [];
  const child = fork(fileURLToPath(module), [], {
    // taskset execs the program, so the process keeps its pid.
    ...(options.core === undefined
      ? { execArgv: [...nodeOptions] }
      : { execPath: "taskset", execArgv: ["-c", String(options.core), process.execPath, ...nodeOptions] }),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ask = asker(child);
  await ask("start", options.parameters);
  return {
    pid: child.pid as number,
    ask,
    async end() {
      const over = once(child, "exit");
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      const patience = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await over;
      clearTimeout(patience);
    },
  };
}

/** Starts child processes and ends all of them together. File names are relative to `base`. */
export class Children {
  readonly #base: string;
  readonly #started: Child[] = [];

  constructor(base: string) {
    this.#base = base;
  }

  async start(file: string, core: number | undefined, parameters?: unknown): Promise<Child> {
    const child = await startChild(compiled(new URL(file, this.#base)), { core, parameters });
    this.#started.push(child);
    return child;
  }

  async end(): Promise<void> {
    await Promise.all(this.#started.map((child) => child.end()));
  }
}

function asker(child: ChildProcess): Child["ask"] {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on("message", (answer: Answer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("problem" in answer) waiter?.reject(new Error(answer.problem));
    else waiter?.resolve(answer.value as never);
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`a process of the benchmark ended (${code ?? signal})`));
    waiting.clear();
  });
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const patience = setTimeout(() => {
        waiting.delete(id);
        reject(new Error(`no answer to ${command} after ${LONGEST_MS / 1000} s`));
      }, LONGEST_MS);
      const settled =
        <A>(settle: (value: A) => void) =>
        (value: A): void => {
          clearTimeout(patience);
          settle(value);
        };
      waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      child.send({ id, command, parameters } satisfies Question);
    });
}

/** Runs in the child: handles requests until the parent disconnects. */
export function answerQuestions(
  answers: { readonly [command: string]: (parameters: never) => unknown },
  close: () => Promise<void>,
): void {
  process.on("message", async ({ id, command, parameters }: Question) => {
    try {
      process.send?.({ id, value: (await answers[command]?.(parameters as never)) ?? null });
    } catch (error) {
      process.send?.({ id, problem: `${command}: ${(error as Error).message}` });
    }
  });
  process.on("disconnect", () => void close().finally(() => process.exit()));
}
