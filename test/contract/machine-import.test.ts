import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serverOptions } from "../../src/cli/commands/start.ts";
import { checkSettings } from "../../src/cli/config.ts";
import type { MachineImportStatus } from "../../src/ingest/import/import-status.ts";
import { bash, ClaudeTranscript } from "../support/claude-transcript.ts";
import { until } from "../support/raw-http.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

let home: string;
let running: Running | undefined;
beforeEach(() => {
  home = temporaryFolder();
  mkdirSync(join(home, ".claude", "projects", "-work"), { recursive: true });
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(home, { recursive: true, force: true });
});

const folder = (): string => join(home, ".claude", "projects");

/** One session with a successful and a failed call. */
function writeTranscript(session: string): void {
  const transcript = new ClaudeTranscript({ session })
    .prompt("fix it")
    .calls([bash(`toolu_a${session}`), bash(`toolu_b${session}`)])
    .ok(`toolu_a${session}`)
    .failed(`toolu_b${session}`, "Exit code 9");
  writeFileSync(join(folder(), "-work", `${session}.jsonl`), transcript.text());
}

async function start(agentFolders: readonly string[] | undefined): Promise<string> {
  running = await startInFrontOf("http://127.0.0.1:9", agentFolders === undefined ? {} : { agentFolders });
  return running.url;
}

function post(url: string, body = "{}", headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/api/import`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

async function finished(url: string): Promise<MachineImportStatus> {
  let last: MachineImportStatus | null = null;
  await until("the import ends", async () => {
    last = (await getJson<{ import: MachineImportStatus | null }>(`${url}/api/status`)).import;
    return last !== null && last.state !== "running";
  });
  return last as unknown as MachineImportStatus;
}

const FIRST = "5e551011-0000-4000-8000-000000000001";
const SECOND = "5e551011-0000-4000-8000-000000000002";

describe("POST /api/import", () => {
  it("imports the transcripts in the agents' folders once", async () => {
    writeTranscript(FIRST);
    writeTranscript(SECOND);
    const url = await start([folder(), join(home, "missing")]);
    expect(await getJson(`${url}/api/import`)).toEqual({ files: 2, bytes: expect.any(Number) });
    expect(await (await post(url)).json()).toMatchObject({ state: "running" });
    expect(await finished(url)).toMatchObject({ state: "done", files: 2, files_total: 2, calls: 4, failed: 2 });
    await running?.server.drain();
    expect(await getJson(`${url}/api/summary`)).toMatchObject({ calls: 4, failed: 2, sessions: 2 });
    await post(url);
    expect(await finished(url)).toMatchObject({ state: "done", files: 2, calls: 0 });
    await running?.server.drain();
    expect(await getJson(`${url}/api/summary`)).toMatchObject({ calls: 4, failed: 2, sessions: 2 });
  });

  it("runs one import at a time", async () => {
    writeTranscript(FIRST);
    const url = await start([folder()]);
    await Promise.all([post(url), post(url), post(url)]);
    await finished(url);
    await running?.server.drain();
    expect(await getJson(`${url}/api/summary`)).toMatchObject({ calls: 2, sessions: 1 });
  });

  it("reads no path from the request", async () => {
    const url = await start([folder()]);
    writeTranscript(FIRST);
    for (const body of ['{"path": "/etc"}', '{"folders": ["/etc"]}', '["/etc"]', '"/etc"'])
      expect((await post(url, body)).status).toBe(400);
    expect(await getJson(`${url}/api/status`)).toMatchObject({ import: null });
  });

  it("POST /api/import is refused to pages of other sites and to HTML forms", async () => {
    const url = await start([folder()]);
    writeTranscript(FIRST);
    expect((await post(url, "{}", { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(url, "{}", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post(url, "{}", { "content-type": "text/plain" })).status).toBe(415);
    expect(await getJson(`${url}/api/status`)).toMatchObject({ import: null });
  });

  it("a server that may not read transcripts refuses an import and finds nothing", async () => {
    writeTranscript(FIRST);
    const url = await start(undefined);
    expect(await getJson(`${url}/api/import`)).toEqual({ files: 0, bytes: 0 });
    const response = await post(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Run `toolmend import` instead.");
  });
});

describe("the folders that a server may import", () => {
  const folders = async (settings: object): Promise<boolean> =>
    serverOptions(await checkSettings({ data: home, ...settings }), { HOME: home }).agentFolders !== undefined;

  it("the agents' own folders may be imported on loopback, and none if other machines may reach the server", async () => {
    expect(await folders({})).toBe(true);
    expect(await folders({ host: "0.0.0.0", token: "a-token-of-enough-letters" })).toBe(false);
    expect(await folders({ allowHosts: ["toolmend.example"] })).toBe(false);
  });
});

describe("an import that was cut off by the end of the server", () => {
  it("an interrupted import is resumed by the next import", async () => {
    const long = new ClaudeTranscript({ session: FIRST });
    for (let n = 0; n < 500; n += 1) long.calls([bash(`toolu_${n}`)]).ok(`toolu_${n}`, "x".repeat(200));
    writeFileSync(join(folder(), "-work", `${FIRST}.jsonl`), long.text());
    const data = join(home, "data");
    running = await startInFrontOf("http://127.0.0.1:9", { data, agentFolders: [folder()] });
    await post(running.url);
    // Closing waits for the batch that is being read, so the rest of the file is left.
    await running.close();
    running = undefined;
    const { code, out } = await runCommand(["import", folder(), "--data", data, "--json"], { now: Date.now });
    expect([code, JSON.parse(out).files_unchanged]).toEqual([0, 0]);
    const report = await runCommand(["report", "--json", "--data", data], { now: Date.now });
    expect(JSON.parse(report.out).totals.calls).toBe(500);
  });
});

const hasScript = await new Promise<boolean>((resolve) =>
  execFile("script", ["--version"], (error) => resolve(error === null)),
);
const BIN = fileURLToPath(new URL("../../bin/toolmend.mjs", import.meta.url));

describe.skipIf(!hasScript || process.platform !== "linux")("toolmend start on a terminal", () => {
  it("imports after a press of i, and still stops with Ctrl-C", async () => {
    writeTranscript(FIRST);
    const command = `exec ${process.execPath} ${BIN} start --port 0 --data ${join(home, "data")}`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { PATH: process.env.PATH ?? "", HOME: home },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      screen += chunk.toString();
    });
    const closed = once(child, "close");
    await until("the offer is shown", () => screen.includes("Found 1 transcript of coding agents on this machine."));
    expect(screen).toContain("Press i to import them, or run: npm run -s toolmend -- import --data");
    child.stdin.write("i");
    await until("the import is reported", () => screen.includes("Imported 1 transcript: 2 calls, 1 failed."));
    child.stdin.write("\u0003");
    expect(await closed).toEqual([0, null]);
    expect(screen).toContain("Finishing open requests and saving.");
  });
});
