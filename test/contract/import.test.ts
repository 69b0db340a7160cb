import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { takeWriterLock } from "../../src/store/sqlite/writer-lock.ts";
import { bash, ClaudeTranscript } from "../support/claude-transcript.ts";
import { CodexRollout, exited } from "../support/codex-rollout.ts";
import { until } from "../support/raw-http.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

let folder: string;
let running: Running | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "projects", "-home-dev", "5e55", "subagents"), { recursive: true });
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, "projects", name);
const data = (): string => join(folder, "data");

const toolmend = (...args: readonly string[]): Promise<Ran> => runCommand(args, { now: Date.now });

interface Report {
  readonly totals: Readonly<Record<string, number>>;
  readonly rows: readonly { readonly key: string; readonly calls: number; readonly failed: number }[];
}

async function report(...args: readonly string[]): Promise<Report> {
  return JSON.parse((await toolmend("report", "--json", ...args)).out) as Report;
}

/** A Claude Code session with a subagent, and a Codex session: 6 calls, 3 failed, one of them before it ran. */
function write(): void {
  const root = new ClaudeTranscript()
    .prompt("fix it")
    .calls([bash("toolu_a"), { id: "toolu_b", name: "Edit", input: { file_path: "/x" } }], "m1")
    .ok("toolu_a")
    .failed("toolu_b", "<tool_use_error>String to replace not found in file.</tool_use_error>", "none")
    .calls([{ id: "toolu_agent", name: "Agent", input: {} }], "m2")
    .ok("toolu_agent");
  writeFileSync(at("-home-dev/5e55.jsonl"), root.text());
  const agent = new ClaudeTranscript({ agent: "a0123456789abcdef" })
    .calls([bash("toolu_c")])
    .failed("toolu_c", "Exit code 9");
  writeFileSync(at("-home-dev/5e55/subagents/agent-a0123456789abcdef.jsonl"), agent.text());
  const rollout = new CodexRollout()
    .turn("t1", "look")
    .call("call_aa")
    .output("call_aa")
    .call("call_bb")
    .output("call_bb", exited(2, "x"));
  writeFileSync(at("rollout.jsonl"), rollout.text());
}

describe("toolmend import", () => {
  it("stores the calls of all transcripts once, even when it runs repeatedly", async () => {
    write();
    const first = await toolmend("import", at(""), "--data", data(), "--json");
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toEqual({
      ...{ files: 3, files_read: 3, files_unchanged: 0, files_other: 0, files_unreadable: 0 },
      ...{ bytes: expect.any(Number), lines: 16, calls: 6, results: 6, failed: 3, prompts: 2 },
      ...{ broken_lines: 0, unfinished_lines: 0, hook_events: 0, hook_events_unreadable: 0 },
      ...{ problems: [], server: null, duration_ms: expect.any(Number) },
    });
    const byPhase = await report("--data", data(), "--by", "phase");
    expect(byPhase.totals).toMatchObject({ calls: 6, ok: 3, failed: 3, pending: 0, sessions: 2 });
    expect(byPhase.rows.map(({ key, failed }) => [key, failed])).toEqual([
      ["run", 2],
      ["call", 1],
    ]);
    const second = JSON.parse((await toolmend("import", at(""), "--data", data(), "--json")).out) as object;
    expect(second).toMatchObject({ files_unchanged: 3, lines: 0, calls: 0 });
    await toolmend("import", at(""), "--data", data(), "--force");
    expect(await report("--data", data(), "--by", "phase")).toEqual(byPhase);
    expect(await report("--data", data(), "--by", "provider")).toMatchObject({
      rows: [
        { key: "anthropic", calls: 4 },
        { key: "openai", calls: 2 },
      ],
    });
  });

  it("creates the same records from exported events", async () => {
    write();
    await toolmend("import", at(""), "--data", data());
    const other = join(folder, "other");
    const { out } = await toolmend("import", dataFolder(data()).events, "--data", other, "--json");
    expect(JSON.parse(out)).toMatchObject({ files_read: 1, results: 6 });
    for (const by of ["tool", "category", "phase", "session", "model", "day"]) {
      expect(await report("--data", other, "--by", by)).toEqual(await report("--data", data(), "--by", by));
    }
  });

  it("marks calls without a result as incomplete in sessions that ended long ago", async () => {
    writeFileSync(at("one.jsonl"), new ClaudeTranscript().calls([bash("toolu_a")]).text());
    await toolmend("import", at(""), "--data", data());
    expect(await report("--data", data(), "--by", "category")).toMatchObject({
      rows: [{ key: "incomplete", failed: 1 }],
    });
  });

  it("says each time that a file is not a transcript", async () => {
    writeFileSync(at("notes.jsonl"), '{"text":"buy milk"}\n');
    for (const _run of [1, 2]) {
      const { code, out } = await toolmend("import", at("notes.jsonl"), "--data", data());
      expect(code).toBe(1);
      expect(out).toContain("1 file: 0 read, 1 not a transcript.\n");
      expect(out).toContain(`${at("notes.jsonl")}: not a transcript of a known client\n`);
    }
    writeFileSync(at("notes.jsonl"), new ClaudeTranscript().calls([bash("toolu_a")]).text());
    expect((await toolmend("import", at("notes.jsonl"), "--data", data())).out).toContain("1 file: 1 read.\n");
  });

  it("reports the location of malformed lines", async () => {
    write();
    appendFileSync(at("rollout.jsonl"), '{"half":\n{"type":"response_item"');
    const { code, out } = await toolmend("import", at(""), "--data", data());
    expect(code).toBe(0);
    expect(out).toContain("1 line could not be parsed:\n");
    expect(out).toContain(`  ${at("rollout.jsonl")}:8: incomplete JSON object\n`);
  });

  it.each([
    [["import", "/no/such/folder"], 1, "File or folder not found: /no/such/folder."],
    [["import", ".", "--project", "a b"], 2, "--project may contain only"],
    [["report", "/no/such/folder"], 1, "File or folder not found: /no/such/folder."],
  ])("explains what is wrong with %j", async (args, code, message) => {
    const result = await toolmend(...args, "--data", data());
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });

  it("stores no secret from a transcript", async () => {
    const secret = "sk-ant-canary0000-AAAAAAAAAAAAAAAAAAAA";
    const transcript = new ClaudeTranscript()
      .prompt(`use ${secret} canaryprompt`)
      .calls([bash("toolu_a", `curl -H 'Authorization: Bearer ${secret}'`)])
      .failed("toolu_a", `Exit code 1\nkey ${secret} refused`, "accept", { toolUseResult: `Error: ${secret}` });
    writeFileSync(at("one.jsonl"), transcript.text());
    await toolmend("import", at(""), "--data", data());
    expect((await report("--data", data())).totals).toMatchObject({ calls: 1 });
    const files = readdirSync(data(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(4);
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name);
      expect(readFileSync(path, "latin1")).not.toMatch(/canary/);
      expect(statSync(path).mode & 0o077).toBe(0);
    }
  });
});

describe("an import while a server runs", () => {
  it("writes through the server and merges with its records", async () => {
    write();
    running = await startInFrontOf("http://127.0.0.1:9", { data: data(), capture: "none" });
    const hook = {
      ...{ session_id: "5e551011-0000-4000-8000-000000000001", tool_call_id: "toolu_a", tool_name: "Bash" },
      ...{ source: "hook", content: "done", is_error: false },
    };
    await fetch(`${running.url}/api/ingest`, {
      method: "POST",
      body: JSON.stringify(hook),
      headers: { "content-type": "application/json" },
    });
    const { out } = await toolmend("import", at(""), "--data", data(), "--json", "--capture", "full");
    expect(JSON.parse(out)).toMatchObject({ server: running.url, calls: 6 });
    await running.server.drain();
    const summary = await getJson<Record<string, number>>(`${running.url}/api/summary`);
    expect(summary).toMatchObject({ calls: 6, failed: 3 });
    expect(JSON.stringify(await running.server.store.events(0, 1000))).not.toContain("String to replace");
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    // The hook event was live; the imported observation is history.
    expect(metrics).toMatch(/toolmend_tool_calls_total\{[^}]*tool_name="Bash"[^}]*outcome="ok"[^}]*\} 1\n/);
    expect(metrics).not.toContain('tool_name="Edit"');
    expect(JSON.parse((await toolmend("import", at(""), "--data", data(), "--json")).out)).toMatchObject({
      files_unchanged: 3,
    });
  });

  it("fails with an explanation when the writer is not a server", async () => {
    write();
    mkdirSync(data());
    const lock = takeWriterLock(dataFolder(data()).lock);
    try {
      expect(await toolmend("import", at(""), "--data", data())).toMatchObject({
        code: 1,
        err: expect.stringContaining("Another Toolmend process is writing"),
      });
      writeFileSync(dataFolder(data()).server, JSON.stringify({ pid: 1, url: "http://127.0.0.1:9" }));
      expect(await toolmend("import", at(""), "--data", data())).toMatchObject({
        code: 1,
        err: expect.stringContaining("http://127.0.0.1:9 is not responding. Run the command again"),
      });
    } finally {
      lock?.release();
    }
  });
});

describe("report with paths", () => {
  it("reads transcripts directly and leaves no files behind", async () => {
    write();
    const { rows, totals } = await report(at(""), "--data", data());
    expect(totals).toMatchObject({ calls: 6, failed: 3, sessions: 2 });
    expect(rows.map(({ key, calls, failed }) => [key, calls, failed]).sort()).toEqual([
      ["Agent", 1, 0],
      ["Bash", 2, 1],
      ["Edit", 1, 1],
      ["exec_command", 2, 1],
    ]);
    expect(existsSync(data())).toBe(false);
    const { err } = await toolmend("report", at(""));
    expect(err).toMatch(/^Read 3 transcripts \(0\.0 MB\) in [\d.]+ s\. Nothing was stored\.\n$/);
  });
});

describe("start --watch", () => {
  it("shows what a client writes while the server runs, and counts it as live", async () => {
    writeFileSync(at("one.jsonl"), "");
    running = await startInFrontOf("http://127.0.0.1:9", { data: data(), watch: [at("")] });
    const { url } = running;
    const transcript = new ClaudeTranscript({ start: Date.now() })
      .calls([bash("toolu_a")])
      .failed("toolu_a", "Exit code 1");
    appendFileSync(at("one.jsonl"), transcript.text());
    await until(
      "the failure is shown",
      async () => (await getJson<{ failed: number }>(`${url}/api/summary`)).failed === 1,
      30_000,
    );
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /toolmend_tool_result_failures_total\{[^}]*tool_name="Bash"[^}]*\} 1\n/,
    );
  });

  it("rejects a folder that does not exist", async () => {
    await expect(startInFrontOf("http://127.0.0.1:9", { data: data(), watch: [at("nowhere")] })).rejects.toThrow(
      /^Folder to watch not found: .*nowhere\.$/,
    );
  });
});
