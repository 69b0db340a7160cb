import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { compiled } from "./compiled.ts";

/** A child process of the benchmark, controlled by messages. */
export interface Child {
  readonly pid: number;
  request<T>(command: string, parameters?: unknown): Promise<T>;
  end(): Promise<void>;
}

export interface ChildOptions {
  readonly core: number | undefined;
  readonly parameters?: unknown;
  readonly nodeOptions?: readonly string[];
}

interface ChildRequest {
  readonly id: number;
  readonly command: string;
  readonly parameters: unknown;
}

type ChildResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string };

const REQUEST_TIMEOUT_MS = 120_000;

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
  const request = createRequester(child);
  await request("start", options.parameters);
  return {
    pid: child.pid as number,
    request,
    async end() {
      const over = once(child, "exit");
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await over;
      clearTimeout(timer);
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

function createRequester(child: ChildProcess): Child["request"] {
  const pending = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on("message", (response: ChildResponse) => {
    const request = pending.get(response.id);
    pending.delete(response.id);
    if ("problem" in response) request?.reject(new Error(response.problem));
    else request?.resolve(response.value as never);
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of pending.values()) reject(new Error(`a benchmark process exited (${code ?? signal})`));
    pending.clear();
  });
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const timer = setTimeout(() => {
        pending.delete(id);
        reject(new Error(`no response to ${command} within ${REQUEST_TIMEOUT_MS / 1000} s`));
      }, REQUEST_TIMEOUT_MS);
      const settled =
        <A>(settle: (value: A) => void) =>
        (value: A): void => {
          clearTimeout(timer);
          settle(value);
        };
      pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      child.send({ id, command, parameters } satisfies ChildRequest);
    });
}

/** Runs in the child: handles requests until the parent disconnects. */
export function serveRequests(
  handlers: { readonly [command: string]: (parameters: never) => unknown },
  close: () => Promise<void>,
): void {
  process.on("message", async ({ id, command, parameters }: ChildRequest) => {
    try {
      process.send?.({ id, value: (await handlers[command]?.(parameters as never)) ?? null });
    } catch (error) {
      process.send?.({ id, problem: `${command}: ${(error as Error).message}` });
    }
  });
  process.on("disconnect", () => void close().finally(() => process.exit()));
}
