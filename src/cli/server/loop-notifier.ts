import { spawn } from "node:child_process";
import type { LoopLink } from "../../core/model/call-links.ts";
import type { CountedLoop } from "../../store/port.ts";

/** The message for a command or a webhook. Contains no text of the conversation. */
type Alarm = { readonly type: "loop_detected" } & Omit<CountedLoop, "loop"> &
  Pick<LoopLink, "tools" | "kind" | "period" | "run" | "level">;

const TIMEOUT_MS = 5000;
/** Alarms that wait for the current one. A longer queue means that the receiver is down. */
const MAX_WAITING = 20;

export interface LoopNotifierOptions {
  /** A shell command that reads JSON from standard input, or a URL that gets it as a POST. */
  readonly target: string;
  readonly onProblem: (message: string) => void;
  readonly timeoutMs?: number;
}

/** Sends loops to a command or a webhook, one at a time. A failure is only reported. */
export class LoopNotifier {
  readonly #options: LoopNotifierOptions;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: LoopNotifierOptions) {
    this.#options = options;
  }

  notify({ loop: { tools, kind, period, run, level }, ...where }: CountedLoop): void {
    if (level === null || this.#waiting >= MAX_WAITING) return;
    const alarm: Alarm = { type: "loop_detected", ...where, tools, kind, period, run, level };
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#send(`${JSON.stringify(alarm)}\n`));
  }

  /** Waits until all alarms so far are sent. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #send(json: string): Promise<void> {
    const { target, onProblem, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      if (/^https?:\/\//i.test(target)) await post(target, json, timeoutMs);
      else await run(target, json, timeoutMs);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    } finally {
      this.#waiting -= 1;
    }
  }
}

async function post(url: string, body: string, timeoutMs: number): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The webhook returned HTTP ${response.status}.`);
}

function run(command: string, input: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that the programs of the command end with their shell.
    const isGroup = process.platform !== "win32";
    const child = spawn(command, { shell: true, detached: isGroup, stdio: ["pipe", "ignore", "ignore"] });
    const end = (): void => {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    const timer = setTimeout(end, timeoutMs);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`The command ended with ${signal === null ? `status ${code}` : signal}.`));
    });
    // A command need not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
