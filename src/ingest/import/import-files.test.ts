import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { bash, ClaudeTranscript } from "../../../test/support/claude-transcript.ts";
import { CodexRollout, exited } from "../../../test/support/codex-rollout.ts";
import { NOON } from "../../../test/support/observations.ts";
import { createTestStore, type TestStore } from "../../../test/support/test-store.ts";
import { recordStatus } from "../../core/model/call-record.ts";
import type { Observation } from "../../core/model/observation.ts";
import { CallObserver } from "../observe/observe-call.ts";
import { agentFolders, findTranscripts } from "./find-transcripts.ts";
import { ImportCheckpoints } from "./import-checkpoints.ts";
import { type ImportTotals, TranscriptImport } from "./import-files.ts";

const root = mkdtempSync(join(tmpdir(), "toolmend-import-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
let database: string;
let store: TestStore;
let sent: Observation[];

beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
  mkdirSync(join(folder, "projects", "-home-dev"), { recursive: true });
  database = join(folder, "toolmend.db");
  writeFileSync(database, "");
  store = createTestStore();
  sent = [];
});

const at = (name: string): string => join(folder, "projects", "-home-dev", name);
const checkpointsPath = (): string => join(folder, "imports.json");
const observer = new CallObserver({ capture: "errors", salt: "s" });

async function send(observations: readonly Observation[]): Promise<void> {
  sent.push(...observations);
  const lines = observations.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { rejected } = await store.apply({ journal: "j", position: "1", live: false, lines });
  expect(rejected).toEqual([]);
}

async function importAll(options: { force?: boolean; send?: typeof send } = {}): Promise<ImportTotals> {
  const { files } = await findTranscripts([join(folder, "projects")]);
  const checkpoints = new ImportCheckpoints(checkpointsPath(), database, options.force);
  return await new TranscriptImport({
    observer,
    send: options.send ?? send,
    checkpoints,
    project: "default",
    now: () => NOON,
  }).importAll(files);
}

const statuses = (): Record<string, string> =>
  Object.fromEntries(store.records().map((record) => [record.key.tool_call_id, recordStatus(record)]));

const session = (): ClaudeTranscript =>
  new ClaudeTranscript()
    .prompt("do it")
    .calls([bash("toolu_a"), bash("toolu_b")], "m1")
    .ok("toolu_a")
    .failed("toolu_b", "Exit code 1");

describe("importing transcripts", () => {
  it("reads all formats in a folder and detects them by content", async () => {
    writeFileSync(at("one.jsonl"), session().text());
    writeFileSync(
      at("two.jsonl.gz"),
      gzipSync(new CodexRollout().call("call_x").output("call_x", exited(2, "no")).text()),
    );
    writeFileSync(at("history.jsonl"), '{"display":"hi","timestamp":1}\n');
    writeFileSync(at("one.meta.json"), "{}");
    expect(await importAll()).toMatchObject({
      files: 3,
      read: 2,
      other: 1,
      calls: 3,
      results: 3,
      failed: 2,
      broken: 0,
    });
    expect(statuses()).toEqual({ toolu_a: "ok", toolu_b: "failed", call_x: "failed" });
  });

  it("skips unchanged files and reads only the new lines of a file that has grown", async () => {
    const transcript = session();
    writeFileSync(at("one.jsonl"), transcript.text());
    await importAll();
    const before = sent.length;
    expect(await importAll()).toMatchObject({ files: 1, unchanged: 1, lines: 0, calls: 0 });
    expect(sent).toHaveLength(before);
    const length = transcript.lines.length;
    transcript.calls([bash("toolu_c")], "m2").failed("toolu_c", "Exit code 3");
    appendFileSync(at("one.jsonl"), `${transcript.lines.slice(length).join("\n")}\n`);
    expect(await importAll()).toMatchObject({ read: 1, unchanged: 0, lines: 2, calls: 1, failed: 1 });
    expect(statuses()).toEqual({ toolu_a: "ok", toolu_b: "failed", toolu_c: "failed" });
  });

  it.each([
    ["a replaced file", () => writeFileSync(at("one.jsonl"), session().text().replaceAll("toolu_", "toolu_x"))],
    ["a truncated file", () => truncateSync(at("one.jsonl"), 900)],
    ["a new database", () => rmSync(database)],
    ["damaged checkpoints", () => writeFileSync(checkpointsPath(), '{"v":1,"files":')],
    ["checkpoints of an unexpected shape", () => writeFileSync(checkpointsPath(), '{"v":1,"files":{"x":null}}')],
  ])("reads from the start after %s", async (_what, change) => {
    writeFileSync(at("one.jsonl"), session().text());
    await importAll();
    change();
    expect((await importAll()).lines).toBeGreaterThan(0);
  });

  it("reads every file again with force, and counts nothing twice", async () => {
    writeFileSync(at("one.jsonl"), session().text());
    await importAll();
    const before = await store.summary({});
    expect(await importAll({ force: true })).toMatchObject({ read: 1, calls: 2 });
    expect(await store.summary({})).toEqual(before);
    expect(before).toMatchObject({ calls: 2, failed: 1 });
  });

  it("reports the first broken lines and reads the others", async () => {
    writeFileSync(at("one.jsonl"), `{"broken"\n${session().text()}${"{oops\n".repeat(20)}`);
    const totals = await importAll();
    expect(totals).toMatchObject({ read: 1, broken: 21, results: 2 });
    expect(totals.problems).toHaveLength(10);
    expect(totals.problems[0]).toEqual({ path: at("one.jsonl"), line: 1, reason: "not a JSON object" });
    expect(totals.problems[1]).toMatchObject({ line: 7 });
  });

  it("skips unreadable files", async () => {
    writeFileSync(at("a.jsonl.gz"), Buffer.concat([gzipSync("x".repeat(5000)).subarray(0, 20), Buffer.from("junk")]));
    writeFileSync(at("b.jsonl"), session().text());
    expect(await importAll()).toMatchObject({ files: 2, unreadable: 1, read: 1, results: 2 });
  });

  it("saves checkpoints only for acknowledged observations", async () => {
    writeFileSync(at("one.jsonl"), session().text());
    const refuse = async (): Promise<void> => {
      throw new Error("the store is away");
    };
    await expect(importAll({ send: refuse })).rejects.toThrow("the store is away");
    expect(await importAll()).toMatchObject({ read: 1, results: 2 });
  });

  it("stores no text in its checkpoints", async () => {
    writeFileSync(
      at("one.jsonl"),
      new ClaudeTranscript()
        .prompt("CANARY")
        .calls([bash("toolu_a", "CANARY")])
        .failed("toolu_a", "CANARY")
        .text(),
    );
    await importAll();
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(checkpointsPath(), "utf8")).toContain("toolu_a");
    expect(readFileSync(checkpointsPath(), "utf8")).not.toContain("CANARY");
  });
});

describe("importing calls that other sources recorded", () => {
  it("adds calls that no hook reported once from the transcript, with their phase", async () => {
    const observeCall = (id: string, fields: object): Observation =>
      observer.observe({
        v: 1,
        project: "default",
        session_id: "5e551011-0000-4000-8000-000000000001",
        agent_id: "root",
        source: "hook",
        occurred_at: NOON + 2500,
        seen_at: NOON,
        live: true,
        tool_call_id: id,
        place: { kind: "newest" },
        name: "Bash",
        client: "claude-code",
        ...fields,
      });
    await send([
      observeCall("toolu_ok", { result: { content: "fine", is_error: false } }),
      observeCall("toolu_ran", { result: { content: "Exit code 1", is_error: true } }),
    ]);
    const transcript = new ClaudeTranscript()
      .calls([bash("toolu_ok"), bash("toolu_ran"), { id: "toolu_edit", name: "Edit", input: {} }], "m1")
      .ok("toolu_ok", "fine")
      .failed("toolu_ran", "Exit code 1")
      .failed("toolu_edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", "none");
    writeFileSync(at("one.jsonl"), transcript.text());
    for (const force of [false, true]) {
      await importAll({ force });
      expect(statuses()).toEqual({ toolu_ok: "ok", toolu_ran: "failed", toolu_edit: "failed" });
      expect(await store.summary({})).toMatchObject({ calls: 3, failed: 2, pending: 0 });
    }
    const edit = store.records().find(({ key }) => key.tool_call_id === "toolu_edit");
    expect(edit?.facts.result?.value.outcome).toMatchObject({ phase: "call", category: "precondition" });
  });

  it("merges calls with those of the proxy, even if a server reuses ids", async () => {
    const proxied = (n: number, content: string): Observation =>
      observer.observe({
        v: 1,
        project: "default",
        session_id: "5e551011-0000-4000-8000-000000000001",
        agent_id: "root",
        source: "proxy",
        occurred_at: NOON + 60_000 + n,
        seen_at: NOON,
        live: true,
        tool_call_id: "call_0",
        place: { kind: "history", conversation: "c", n },
        name: "Bash",
        arguments: { command: "true" },
        result: { content, is_error: false },
      });
    const transcript = new ClaudeTranscript()
      .calls([bash("call_0")], "m1")
      .ok("call_0", "one")
      .calls([bash("call_0")], "m2")
      .ok("call_0", "two");
    writeFileSync(at("one.jsonl"), transcript.text());
    await importAll();
    await send([proxied(0, "one"), proxied(1, "two")]);
    expect(store.records().map(({ key, sources }) => [key.occurrence, sources])).toEqual([
      [0, ["proxy", "transcript"]],
      [1, ["proxy", "transcript"]],
    ]);
  });
});

describe("importing a forked session", () => {
  it("counts copied lines once", async () => {
    const original = session();
    const copied = original.lines.map((line) => line.replaceAll("5e551011", "f0f0f0f0"));
    const own = new ClaudeTranscript({ session: "f0f0f0f0-0000-4000-8000-000000000001", start: NOON + 60_000 });
    own.calls([bash("toolu_own")], "m7").failed("toolu_own", "Exit code 1");
    writeFileSync(at("original.jsonl"), original.text());
    writeFileSync(at("fork.jsonl"), `${[...copied, ...own.lines].join("\n")}\n`);
    await importAll();
    expect(store.records()).toHaveLength(5);
    expect(await store.summary({})).toMatchObject({ calls: 3, failed: 2 });
  });
});

describe("finding transcripts", () => {
  it("searches folders, accepts any file given directly, and follows no link to a folder", async () => {
    writeFileSync(at("a.jsonl"), "");
    writeFileSync(at("b.JSONL.zst"), "");
    writeFileSync(at("c.json"), "");
    symlinkSync(join(folder, "projects"), at("loop"));
    const names = async (...paths: readonly string[]): Promise<readonly string[]> =>
      (await findTranscripts(paths)).files.map(({ path }) => path.slice(folder.length + 1));
    expect(await names(join(folder, "projects"), at("a.jsonl"), at("c.json"))).toEqual([
      "projects/-home-dev/a.jsonl",
      "projects/-home-dev/b.JSONL.zst",
      "projects/-home-dev/c.json",
    ]);
  });

  it("reports paths it could not read", async () => {
    const { files, problems } = await findTranscripts([at("nowhere")]);
    expect([files, problems.map(({ path }) => path)]).toEqual([[], [at("nowhere")]]);
  });

  it("finds the agents' folders, also when moved by environment variables", () => {
    const moved = { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", XDG_DATA_HOME: "/d", PI_CODING_AGENT_DIR: "/p" };
    const folders = agentFolders(moved).map((path) => path.replace(homedir(), "~"));
    expect(folders).toEqual([
      "/c/projects",
      "/x/sessions",
      "/x/archived_sessions",
      "/d/opencode",
      "~/.qwen/projects",
      "~/.gemini/tmp",
      "/p/sessions",
      "~/.copilot/session-state",
      "~/.continue/sessions",
      "~/.cline/data/sessions",
    ]);
    expect(agentFolders({})[0]).toMatch(/\.claude[/\\]projects$/);
  });

  it("finds documents and databases of clients by their names", async () => {
    for (const name of [
      "1_a.messages.json",
      "5e551011-0000-4000-8000-000000000001.json",
      "opencode.db",
      "sessions.json",
    ])
      writeFileSync(at(name), "{}");
    const { files } = await findTranscripts([join(folder, "projects")]);
    expect(files.map(({ path }) => basename(path))).toEqual([
      ...["1_a.messages.json", "5e551011-0000-4000-8000-000000000001.json", "opencode.db"],
    ]);
  });

  it("a database has changed if its log has", async () => {
    writeFileSync(at("opencode.db"), "1234");
    writeFileSync(at("opencode.db-wal"), "123");
    expect((await findTranscripts([at("opencode.db")])).files).toMatchObject([{ size: 7 }]);
  });

  it("names files of unknown clients, and transcripts with nothing readable", async () => {
    writeFileSync(at("one.jsonl"), '{"display":"hi","timestamp":1}\n');
    writeFileSync(at("two.jsonl"), '{"type":"user","sessionId":"s","message":{"parts":[]}}\n');
    expect((await importAll()).problems).toEqual([
      { path: at("one.jsonl"), reason: "not a transcript of a known client" },
      { path: at("two.jsonl"), reason: "looks like a transcript of claude-code, but contains nothing readable" },
    ]);
  });

  it("reads no line of a touched file again", async () => {
    writeFileSync(at("one.jsonl"), session().text());
    await importAll();
    utimesSync(at("one.jsonl"), new Date(NOON), new Date(NOON));
    expect(await importAll()).toMatchObject({ read: 1, lines: 0 });
  });
});

it("imported events follow the capture mode of the importing store", async () => {
  const event = {
    ...{ type: "tool_call_recorded", v: 1, event_id: "e", project: "default", session_id: "s", tool_call_id: "t" },
    ...{
      timestamp: "2026-03-10T12:00:00Z",
      tool_name: "sk-live-hunter22hunter22",
      status: "failed",
      category: "error",
    },
    status_message: "[ERROR] Bash - password=hunter22 was refused",
  };
  writeFileSync(at("events.jsonl"), `${JSON.stringify(event)}\n`);
  await importAll();
  expect(sent).toMatchObject([
    { name: "[key]", result: { outcome: { status_message: "[ERROR] Bash - password=[secret] was refused" } } },
  ]);
});
