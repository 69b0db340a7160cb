import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The part of `process.stdin` on a terminal that reads single keys. */
export interface KeyInput {
  setRawMode(isRaw: boolean): unknown;
  on(event: "data", listener: (keys: Buffer) => void): unknown;
  off(event: "data", listener: (keys: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Keys for which a terminal sends signals itself, except in raw mode. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  "\u0003": "SIGINT",
  "\u001a": "SIGTSTP",
  "\u001c": "SIGQUIT",
};

export interface KeyListenerOptions {
  readonly onKey: (key: string) => void;
  /** Sends a signal to this process; for tests. */
  readonly raise?: (signal: NodeJS.Signals) => void;
  readonly isForeground?: () => boolean;
}

/**
 * Calls the listener for every key until the returned function is called. A background process must not read the
 * terminal, which would stop it, so nothing is read there.
 */
export function listenForKeys(input: KeyInput, options: KeyListenerOptions): () => void {
  const { onKey, raise = raiseSignal, isForeground = isForegroundProcess } = options;
  let isListening = false;
  const stop = (): void => {
    if (!isListening) return;
    isListening = false;
    input.off("data", read);
    input.setRawMode(false);
    input.pause();
  };
  const start = (): void => {
    if (!isForeground()) return;
    isListening = true;
    input.setRawMode(true);
    input.on("data", read);
    input.resume();
  };
  const read = (keys: Buffer): void => {
    for (const key of keys.toString("utf8")) {
      const signal = SIGNALS[key];
      if (signal === undefined) onKey(key);
      else {
        // Restores the terminal for the shell, or for the program that the signal ends. SIGCONT starts listening again.
        stop();
        raise(signal);
      }
      if (!isListening) return;
    }
  };
  const resume = (): void => {
    stop();
    start();
  };
  process.on("SIGCONT", resume);
  process.once("exit", stop);
  start();
  return () => {
    process.off("SIGCONT", resume);
    process.off("exit", stop);
    stop();
  };
}

function raiseSignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}

/** Whether this process may use its terminal. No, if that is unknown. */
function isForegroundProcess(): boolean {
  if (process.platform === "win32") return true;
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "stat=", "-p", String(process.pid)], { encoding: "utf8" }).includes("+");
    // After the name in parentheses: state, parent, process group, session, terminal, foreground group of the terminal.
    const [, , group, , , foreground] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}
