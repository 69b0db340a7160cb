import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CanarySession, canaryScript, findWords, untilWordsAreGone } from "../support/canary-session.ts";
import { CodexRollout, exited } from "../support/codex-rollout.ts";
import { basePayload, hookEvents, transcriptText } from "../support/hook-session.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, type Running, startBoth, startInFrontOf, temporaryFolder } from "../support/running.ts";

let data = "";
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const CANARY = ["canary"];
const NOW = { now: Date.now };

/** A server with one session to delete and one to keep, everything flushed to disk. */
async function recorded(options: Parameters<typeof startInFrontOf>[1] = {}, calls = 30): Promise<Running> {
  const both = await startBoth(canaryScript, { data, ...options });
  await new CanarySession("canary", calls).run(both.url);
  await new CanarySession("steady").run(both.url);
  await both.server.drain();
  // Checks the search itself on text that exists.
  expect(findWords(data, CANARY).length).toBeGreaterThan(2);
  return both;
}

async function restart(options: Parameters<typeof startInFrontOf>[1] = {}): Promise<void> {
  const restarted = await startInFrontOf("http://127.0.0.1:9", { data, ...options });
  await restarted.server.drain();
  await restarted.close();
}

const remove = async (...args: readonly string[]): Promise<number> =>
  (await runCommand(["delete", ...args, "--data", data], NOW)).code;

/** Other sessions keep everything they had. */
async function expectSteady(): Promise<void> {
  const restarted = await startInFrontOf("http://127.0.0.1:9", { data });
  expect(await getJson(`${restarted.url}/api/summary`)).toMatchObject({
    calls: 30,
    failed: 30,
    sessions: 1,
    requests: 2,
  });
  const { rows } = await getJson<{ rows: readonly { sample: string }[] }>(`${restarted.url}/api/fingerprints`);
  expect(rows).toMatchObject([{ count: 30, sample: "Error: cannot open /srv/steadyresult/0: no such file" }]);
  await restarted.close();
  expect(findWords(data, ["steadyresult"]).map((hit) => hit.replace(/\d{4}-\d{2}-\d{2}/, "DAY"))).toEqual(
    expect.arrayContaining(["steadyresult in toolmend.db", "steadyresult in events/DAY.jsonl"]),
  );
}

describe("the data folder after a deletion", () => {
  it("no byte is left after a delete while the server runs, after its stop, and after another start", async () => {
    const both = await recorded();
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await both.close();
    expect(findWords(data, CANARY)).toEqual([]);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
    await expectSteady();
  });

  it("no byte is left after a delete without a server, and after a start", async () => {
    await (await recorded()).close();
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
    await expectSteady();
  });

  it("no byte is left after a delete through the API, which reports what it removed", async () => {
    const both = await recorded();
    const response = await fetch(`${both.url}/api/sessions/canarysession`, { method: "DELETE" });
    expect(await response.json()).toMatchObject({ deleted: 1, calls: 30, event_lines: 66, journal_segments: 1 });
    expect(findWords(data, CANARY)).toEqual([]);
    expect(await getJson(`${both.url}/api/status`)).toMatchObject({ deleting: null });
    await both.close();
  });

  it("no byte is left after a delete with full texts, of a session of 700 calls", async () => {
    const both = await recorded({ capture: "full" }, 700);
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await both.close();
    await expectSteady();
  });

  it("no byte is left after a delete during other traffic, whose requests all complete and are recorded", async () => {
    const both = await recorded({}, 800);
    const sessions = Array.from({ length: 5 }, (_, n) => new CanarySession(`other${n}`));
    const traffic = Promise.all(sessions.map((session) => session.run(both.url)));
    const deleting = remove("canarysession");
    await traffic;
    expect(await deleting).toBe(0);
    await both.server.drain();
    expect(await getJson(`${both.url}/api/summary`)).toMatchObject({ calls: 180, sessions: 6, requests: 12 });
    await both.close();
    expect(findWords(data, CANARY)).toEqual([]);
  });
});

describe("a session that continues after its deletion", () => {
  const OLD = ["canaryargument", "canaryresult", "canaryleak", "canaryprompt", "canarytool"];

  it("a session that continues after its deletion starts with new calls, and its history is not recorded again, also after a restart", async () => {
    const both = await startBoth(canaryScript, { data });
    const session = new CanarySession("canary");
    await session.run(both.url);
    await both.server.drain();
    expect(await remove(session.id)).toBe(0);
    await session.run(both.url, "fresh");
    await both.server.drain();
    expect(findWords(data, OLD)).toEqual([]);
    await both.close();
    // A server that has just started has an empty cache of recorded calls.
    const restarted = await startBoth(canaryScript, { data });
    await session.run(restarted.url, "newer");
    await restarted.server.drain();
    expect(findWords(data, OLD)).toEqual([]);
    const { calls } = await getJson<{ calls: readonly { tool_name: string }[] }>(
      `${restarted.url}/api/sessions/canarysession`,
    );
    expect(calls.filter(({ tool_name }) => tool_name === "freshtool")).toHaveLength(30);
    expect(calls.filter(({ tool_name }) => tool_name === "newertool")).toHaveLength(30);
    expect(calls).toHaveLength(60);
    await restarted.close();
  });
});

describe("retention", () => {
  const DAY_MS = 86_400_000;
  // Tool names stay in the totals, which are grouped by them.
  const TEXTS = ["canaryargument", "canaryresult", "canaryleak", "canaryprompt", "canarysession"];

  it("retention leaves no text of an old session, in the store, in events/ and in the journal", async () => {
    let now = Date.UTC(2026, 0, 10);
    const options = { data, keepMs: 90 * DAY_MS, sweepMs: 50, now: () => now };
    const both = await startBoth(canaryScript, options);
    await new CanarySession("canary").run(both.url);
    await both.server.drain();
    expect(findWords(data, TEXTS).length).toBeGreaterThan(2);
    now += 80 * DAY_MS;
    await new CanarySession("steady").run(both.url);
    await both.server.drain();
    expect(readdirSync(join(data, "events"))).toEqual(["2026-01-10.jsonl", "2026-03-31.jsonl"]);
    now += 11 * DAY_MS;
    await untilWordsAreGone(data, TEXTS);
    await both.server.drain();
    const days = readdirSync(join(data, "events"));
    expect([days.includes("2026-01-10.jsonl"), days.includes("2026-03-31.jsonl")]).toEqual([false, true]);
    expect(await getJson(`${both.url}/api/summary`)).toMatchObject({ calls: 60 });
    await both.close();
    expect(findWords(data, TEXTS)).toEqual([]);
    expect(findWords(data, ["steadyresult"]).length).toBeGreaterThan(0);
  });

  it("retention removes lines of old sessions from a recent day, where an import writes them", async () => {
    let now = Date.UTC(2026, 0, 10, 12);
    const options = { data, keepMs: 90 * DAY_MS, sweepMs: 50, now: () => now };
    const both = await startBoth(canaryScript, options);
    const ingest = (session_id: string, at: number, content: string): Promise<Response> =>
      fetch(`${both.url}/api/ingest`, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: JSON.stringify({
          ...{ session_id, tool_call_id: `${session_id}call00000`, tool_name: "Bash", is_error: true },
          ...{ content, occurred_at: at, live: false },
        }),
      });
    await ingest("canarysession", now - 89 * DAY_MS, "Error: canaryresult");
    await ingest("steadysession", now - 1000, "Error: steadyresult");
    await both.server.drain();
    expect(findWords(data, TEXTS).length).toBeGreaterThan(2);
    now += 2 * DAY_MS;
    await untilWordsAreGone(data, TEXTS);
    await both.server.drain();
    expect(findWords(data, ["steadysession"])).toContain("steadysession in events/2026-01-10.jsonl");
    await both.close();
  });

  it("toolmend delete --older leaves no text either", async () => {
    const now = Date.UTC(2026, 0, 10);
    const both = await startBoth(canaryScript, { data, now: () => now });
    await new CanarySession("canary").run(both.url);
    await both.close();
    await (await recordedSteady()).close();
    const { code, out } = await runCommand(["delete", "--older", "30d", "--data", data, "--json"], NOW);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ deleted: 1, calls: 30, event_files: 1 });
    expect(findWords(data, TEXTS)).toEqual([]);
    expect(findWords(data, ["steadyresult"]).length).toBeGreaterThan(0);
  });

  async function recordedSteady(): Promise<Running> {
    const both = await startBoth(canaryScript, { data });
    await new CanarySession("steady").run(both.url);
    await both.server.drain();
    return both;
  }
});

describe("after SIGKILL in the middle of a deletion, and a start", () => {
  const CHILD = fileURLToPath(new URL("../support/delete-crash-child.ts", import.meta.url));

  it.each([
    ["between two batches of the session", true],
    ["after the rows, before the files", true],
    ["while event files are rewritten", true],
    ["after the files, before the free pages", true],
    ["after the free pages, before the journal", true],
    ["after everything, before completion is recorded", false],
  ])("%s: nothing of the session is left", async (moment, isLeft) => {
    await (await recorded({}, 600)).close();
    const child = spawn(process.execPath, [CHILD, data, "canarysession", moment], { stdio: "inherit" });
    const [, signal] = (await once(child, "close")) as [number | null, string | null];
    expect(signal).toBe("SIGKILL");
    expect(findWords(data, CANARY).length > 0).toBe(isLeft);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
    await expectSteady();
  });
});

describe("texts outside the store", () => {
  it("events that hooks wrote while no server was running are deleted with their session", async () => {
    await (await recorded()).close();
    const spool = join(data, "spool", "claude-code");
    mkdirSync(spool, { recursive: true });
    const events = hookEvents({ session: "canaryhooks" }).map((event) => ({ ...event, canary: "x" }));
    for (const [n, event] of events.entries()) writeFileSync(join(spool, `.${n}.json`), JSON.stringify(event));
    writeFileSync(join(spool, ".9999.json"), '{"session_id":"canaryhooks","tool_input":"canaryhalf');
    expect(await remove("canaryhooks")).toBe(0);
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await restart();
    expect(findWords(data, CANARY)).toEqual([]);
  });

  it("rejected lines are deleted with their session, or if they name no session", async () => {
    await (await recorded()).close();
    const line = (text: string): string => `${JSON.stringify({ line: text, reason: "r" })}\n`;
    const observation = (session_id: string): string =>
      JSON.stringify({ v: 1, kind: "call", project: "default", session_id });
    const rejected = join(data, "journal", "rejected.jsonl");
    appendFileSync(
      rejected,
      line(observation("canarysession")) + line('{"canary') + line(observation("steadysession")),
    );
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    expect(readFileSync(rejected, "utf8")).toBe(line(observation("steadysession")));
  });

  it("an imported transcript is not imported again, and the import checkpoints do not contain its name", async () => {
    const home = temporaryFolder();
    const id = "canary00-0000-4000-8000-000000000001";
    const rollout = new CodexRollout({ id }).turn("t1", "canaryprompt");
    rollout.call("call_canary1", "canaryargument").output("call_canary1", exited(1, "canaryresult"));
    const [codex, claude] = [join(home, `rollout-2026-03-10T12-00-00-${id}.jsonl`), join(home, "canaryclaude.jsonl")];
    writeFileSync(codex, rollout.text());
    writeFileSync(claude, transcriptText("canaryclaude"));
    const imported = async (...more: readonly string[]): Promise<{ calls: number }> =>
      JSON.parse((await runCommand(["import", home, "--json", "--data", data, ...more], NOW)).out) as { calls: number };
    expect((await imported()).calls).toBeGreaterThan(5);
    for (const session of [id, "canaryclaude"]) expect(await remove(session)).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    // Unchanged, and then from its start.
    await imported();
    await imported("--again");
    expect(JSON.parse((await runCommand(["sessions", "--json", "--data", data], NOW)).out)).toEqual([]);
    expect(findWords(data, CANARY).filter((hit) => !hit.endsWith("imports.json"))).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });

  it("the path of a transcript that hooks mentioned is removed", async () => {
    const home = temporaryFolder();
    const transcript = join(home, "projects", "-srv-app", "canarysession.jsonl");
    mkdirSync(join(home, "projects", "-srv-app"), { recursive: true });
    writeFileSync(transcript, transcriptText("canarysession"));
    const both = await recorded({ transcripts: [home] });
    await fetch(`${both.url}/hooks/claude-code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(basePayload("Stop", { transcript, session: "canarysession" })),
    });
    await both.server.drain();
    expect(findWords(data, CANARY)).toContain("canary in transcripts.json");
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    await both.close();
    expect(findWords(data, CANARY)).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });

  it("event lines of a session that an earlier version deleted can be removed by its id", async () => {
    const both = await recorded();
    await both.server.store.deleteSession("default", "canarysession", Date.now());
    await both.server.store.scrub();
    await both.close();
    expect(findWords(data, CANARY).map((hit) => hit.replace(/\d{4}-\d{2}-\d{2}/, "DAY"))).toContain(
      "canary in events/DAY.jsonl",
    );
    expect(await remove("canarysession")).toBe(0);
    expect(findWords(data, CANARY)).toEqual([]);
    expect(await remove("canarysession")).toBe(1);
  });
});

describe("a data folder without records", () => {
  it("a data folder without records stays unchanged, none is created, and delete reports that", async () => {
    const [missing, empty] = [join(data, "missing"), join(data, "empty")];
    mkdirSync(empty);
    for (const path of [missing, empty]) {
      const one = await runCommand(["delete", "s1", "--data", path]);
      expect([one.code, one.out, one.err]).toEqual([
        1,
        "",
        `Nothing is recorded in ${path}, so there is nothing to delete.\n`,
      ]);
      const older = await runCommand(["delete", "--older", "30d", "--data", path]);
      expect([older.code, older.out, older.err]).toEqual([
        0,
        `Nothing is recorded in ${path}, so there is nothing to delete.\n`,
        "",
      ]);
      expect((await runCommand(["delete", "--older", "30d", "--json", "--data", path])).out).toBe('{"deleted":0}\n');
    }
    expect([existsSync(missing), readdirSync(empty)]).toEqual([false, []]);
  });
});
