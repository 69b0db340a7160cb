import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { McpCallLine, McpHeader, McpLine, McpOutcome, McpServerLine } from "../../../src/mcp/event.ts";
import { resultOutcome } from "../../../src/mcp/result-outcome.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
export const MISBEHAVING_SERVER: string = join(import.meta.dirname, "misbehaving-server.mjs");
export const TOOLMEND: string = join(ROOT, "bin", "toolmend.mjs");

/** The command of a server, started directly or through the wrapper. */
export function serverCommand(data: string | undefined, ...args: readonly string[]): readonly string[] {
  const bare = [process.execPath, MISBEHAVING_SERVER, ...args];
  return data === undefined ? bare : wrapped(data, bare);
}

export function wrapped(data: string, command: readonly string[], name = "bad"): readonly string[] {
  return [process.execPath, TOOLMEND, "mcp", "wrap", "--name", name, "--data", data, "--", ...command];
}

export interface ServerRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** A client over stdio that sends exact bytes and records exact bytes. */
export class RawClient {
  readonly process: ChildProcess;
  stdout = "";
  stderr = "";
  #changed: (() => void)[] = [];
  readonly #ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    const [program = "", ...args] = command;
    this.process = spawn(program, args, { stdio: "pipe", env: { ...process.env, ...environment } });
    this.process.stdin?.on("error", () => undefined);
    const collect = (stream: "stdout" | "stderr") => {
      this.process[stream]?.setEncoding("utf8").on("data", (text: string) => {
        this[stream] += text;
        const waiting = this.#changed;
        this.#changed = [];
        for (const resolve of waiting) resolve();
      });
    };
    collect("stdout");
    collect("stderr");
    this.#ended = once(this.process, "close").then(([code, signal]) => ({ code, signal }));
  }

  write(text: string): void {
    this.process.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  call(id: number | string, name: string, args: object = {}, more: object = {}): void {
    this.send({ id, method: "tools/call", params: { name, arguments: args, ...more } });
  }

  initialize(name = "test-client"): void {
    const clientInfo = { name, version: "9.9" };
    this.send({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
    this.send({ method: "notifications/initialized" });
  }

  /** Waits until the output contains a text and ends with a complete line. */
  async sees(text: string, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    while (!this[stream].endsWith("\n") || !this[stream].includes(text)) {
      await Promise.race([
        new Promise<void>((resolve) => this.#changed.push(resolve)),
        this.#failIfEnded(text, stream),
      ]);
    }
  }

  async #failIfEnded(text: string, stream: "stdout" | "stderr"): Promise<void> {
    const { code, signal } = await this.#ended;
    if (!this[stream].includes(text))
      throw new Error(
        `ended (${code}, ${signal}) without ${text}; stdout: ${this.stdout.slice(-500)}; stderr: ${this.stderr}`,
      );
  }

  async ended(): Promise<ServerRun> {
    const end = await this.#ended;
    return { stdout: this.stdout, stderr: this.stderr, ...end };
  }

  async close(): Promise<ServerRun> {
    this.process.stdin?.end();
    return await this.ended();
  }
}

/** A call as a wrapper recorded it, with its outcome as the server reads it. */
export type SpooledCall = Omit<McpCallLine, "outcome"> & {
  readonly header: McpHeader;
  readonly tool: unknown;
  readonly outcome: McpOutcome;
};

/** The lines that wrappers wrote to a data folder, without headers. */
export function spooledLines(data: string): readonly (McpCallLine | McpServerLine)[] {
  return spooledFiles(data).flatMap(([, ...lines]) => lines as readonly (McpCallLine | McpServerLine)[]);
}

function spooledFiles(data: string): readonly (readonly McpLine[])[] {
  const folder = join(data, "spool", "mcp");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.map((name) =>
    readFileSync(join(folder, name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as McpLine),
  );
}

export function spooledCalls(data: string): readonly SpooledCall[] {
  return spooledFiles(data)
    .flatMap(([header, ...lines]) =>
      lines.flatMap((line) => (line.kind === "call" ? [spooledCall(header as McpHeader, line)] : [])),
    )
    .sort((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
}

function spooledCall(header: McpHeader, line: McpCallLine): SpooledCall {
  const { params } = line.request as { readonly params: { readonly name: string } };
  const { result, error } = (line.response ?? {}) as { readonly result?: object; readonly error?: object };
  const outcome =
    line.outcome ??
    (result === undefined ? { kind: "error", ...error } : resultOutcome(result as Record<string, unknown>));
  return { ...line, header, tool: params.name, outcome: outcome as McpOutcome };
}
