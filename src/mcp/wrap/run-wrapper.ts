import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { MCP_SPOOL } from "../event.ts";
import type { HttpWrapperOptions } from "../http/run-http-wrapper.ts";
import { CallTracker, type Moment, toLatin1 } from "./call-tracker.ts";
import { EventWriter } from "./event-writer.ts";
import { MessageReader } from "./message-reader.ts";
import { parseWrapArguments, WRAP_HELP, WRAP_USAGE } from "./wrap-arguments.ts";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
/** How long to wait, after the server ended, for output of processes that it started. */
const DRAIN_MS = 500;
/** How often to check, after the client closed its side, whether the client's process has ended. */
const PARENT_CHECK_MS = 1000;
const KILL_AFTER_MS = 2000;

/**
 * Runs an MCP server and passes everything through unchanged: bytes, signals, exit status. Reads a copy. Imports as
 * little as possible, because one such process runs per server and session. Never prints to stdout, which belongs to
 * the protocol.
 */
export async function runWrapper(args: readonly string[]): Promise<number> {
  const parsed = parseWrapArguments(args);
  if (parsed.kind === "help") {
    process.stdout.write(`${WRAP_HELP}\n`);
    return 0;
  }
  if (parsed.kind === "usage") {
    process.stderr.write(`${parsed.problem}\n${WRAP_USAGE}\n`);
    return 2;
  }
  const data = parsed.data ?? textOf(process.env.TOOLMEND_DATA) ?? join(homedir(), ".toolmend");
  const folder = join(data, "spool", MCP_SPOOL);
  if (parsed.kind === "http") return await runOverHttp({ ...parsed, spool: folder });
  const { command, commandArgs, name, repairsCalls } = parsed;
  const repair = repairsCalls ? await loadRepair() : undefined;
  const instance = uniqueId();
  const header = (): string => toLatin1(JSON.stringify(tracker.header));
  const writer = new EventWriter({ folder, instance, header });
  const session = textOf(process.env.CLAUDE_CODE_SESSION_ID) ?? textOf(process.env.QWEN_CODE_SESSION_ID);
  const tracker = new CallTracker({
    server: name,
    instance,
    ...(session !== undefined && { session }),
    emit: (line) => writer.add(line),
    ...(repair !== undefined && { onTools: (isFirst, tools) => repair.repairer.addTools(isFirst, tools) }),
  });
  const now = (): Moment => ({ at: Date.now(), clock: performance.now() });
  const reader = new MessageReader(tracker, now);
  const startedAt = Date.now();
  const parent = process.ppid;

  const server = spawn(command, commandArgs, { stdio: ["pipe", "pipe", "inherit"] });
  let endedByClient = false;
  const started = new Promise<Error | undefined>((resolve) => {
    server.once("spawn", () => resolve(undefined));
    server.once("error", resolve);
  });
  for (const signal of FORWARDED_SIGNALS) {
    process.on(signal, () => {
      endedByClient = true;
      server.kill(signal);
    });
  }
  const failure = await started;
  if (failure !== undefined) {
    process.stderr.write(`toolmend mcp wrap: cannot start ${command}: ${failure.message}\n`);
    return 127;
  }
  // After the start, an error concerns one signal or one write, and the server's end follows by itself.
  server.on("error", () => undefined);

  passInput(server, reader, repair, () => {
    endedByClient = true;
    killWhenOrphaned(server, parent);
  });
  const drained = passOutput(server, reader);
  const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    server.once("exit", (code, signal) => resolve({ code, signal })),
  );
  await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  reader.fromServer.end();
  tracker.end(
    {
      ...(code !== null && { exit_code: code }),
      ...(signal !== null && { signal }),
      byClient: endedByClient,
    },
    now(),
    startedAt,
    writer.dropped,
  );
  await writer.close();
  if (signal === null) process.exit(code ?? 0);
  // Ends like the server. If the signal does not end this process, the shell's convention applies.
  for (const one of FORWARDED_SIGNALS) process.removeAllListeners(one);
  process.kill(process.pid, signal);
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.exit(1);
}

/** Runs until a signal ends it. Here, stdout does not belong to the protocol. */
async function runOverHttp(options: HttpWrapperOptions): Promise<number> {
  const { httpWrapperUrl, startHttpWrapper } = await import("../http/run-http-wrapper.ts");
  try {
    const server = await startHttpWrapper(options);
    process.stdout.write(
      `${options.name} is at ${httpWrapperUrl(server)} Put this URL into the client's configuration.\n`,
    );
    await Promise.race((["SIGINT", "SIGTERM"] as const).map((signal) => once(process, signal)));
    server.close();
    server.closeAllConnections();
    return 0;
  } catch (error) {
    process.stderr.write(`toolmend mcp wrap: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** A failure of reading must not affect the traffic. */
function safely(read: () => void): void {
  try {
    read();
  } catch {
    // The line is not recorded.
  }
}

/** Loaded only where calls are repaired: schemas and their reader take memory in every wrapper. */
async function loadRepair() {
  const { createRepairedInput } = await import("./repaired-input.ts");
  const { CallRepairer } = await import("./call-repairer.ts");
  return { repairer: new CallRepairer(), createRepairedInput };
}

type LoadedRepair = Awaited<ReturnType<typeof loadRepair>>;

function passInput(
  { stdin }: ChildProcess,
  reader: MessageReader,
  repair: LoadedRepair | undefined,
  onEnd: () => void,
): void {
  if (stdin === null) return;
  // The server closed its input or ended: its exit is handled elsewhere.
  stdin.on("error", () => undefined);
  if (repair === undefined) {
    // Before the copy is read, so that the bytes are sent first.
    process.stdin.pipe(stdin);
    process.stdin.on("data", (chunk: Buffer) => safely(() => reader.fromClient.push(chunk)));
  } else {
    const { repairer, createRepairedInput } = repair;
    const input = createRepairedInput({
      repairer,
      onPassed: (bytes) => safely(() => reader.fromClient.push(bytes)),
      onRepaired: (line) => safely(() => reader.readClientLine({ kind: "line", text: line.toString("latin1") }, true)),
    });
    process.stdin.pipe(input).pipe(stdin);
  }
  process.stdin.on("end", onEnd);
  process.stdin.on("error", onEnd);
}

/** Resolves when all output was passed on. */
function passOutput({ stdout }: ChildProcess, reader: MessageReader): Promise<void> {
  const out = openStdout();
  return new Promise((resolve) => {
    if (stdout === null) {
      resolve();
      return;
    }
    // The client closed its side: the server gets the same signal from its own pipe.
    out.on("error", () => {
      stdout.destroy();
      resolve();
    });
    stdout.pipe(out);
    stdout.on("data", (chunk: Buffer) => safely(() => reader.fromServer.push(chunk)));
    stdout.on("error", () => resolve());
    out.on("finish", () => resolve());
  });
}

/** `process.stdout` blocks on a full pipe, and then the client's messages would wait, too. */
function openStdout(): Writable {
  try {
    return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // A file or a device.
    return process.stdout;
  }
}

/** A killed client cannot end its servers. A client that only closed the input may still read the output. */
function killWhenOrphaned(server: ChildProcess, parent: number): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), KILL_AFTER_MS).unref();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Not `node:crypto`: loading it takes 3 MB, and this id protects no secret. */
function uniqueId(): string {
  const random = Math.floor(Math.random() * 2 ** 48).toString(16);
  return `${Date.now().toString(16)}${process.pid.toString(16)}${random.padStart(12, "0")}`;
}

function textOf(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
