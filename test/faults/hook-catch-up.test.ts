import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allowedTranscript } from "../../src/hook/catch-up/allowed-transcript.ts";
import { KnownTranscripts } from "../../src/hook/catch-up/known-transcripts.ts";
import { basePayload, CALLS, SESSION, transcriptText } from "../support/hook-session.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { storedCalls } from "../support/stored-calls.ts";

let home: string;
let data: string;
let running: Running | undefined;
beforeEach(() => {
  home = temporaryFolder();
  data = join(home, "data");
  mkdirSync(join(home, "projects", "-srv-app"), { recursive: true });
});
afterEach(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

const transcript = (session = SESSION) => join(home, "projects", "-srv-app", `${session}.jsonl`);

async function start(): Promise<Running> {
  running = await startInFrontOf("http://127.0.0.1:9", { data, transcripts: [home] });
  return { ...running, data };
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

async function hook(url: string, payload: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/hooks/claude-code`, { method: "POST", headers, body: JSON.stringify(payload) });
}

const ends = (calls: Awaited<ReturnType<typeof storedCalls>>): readonly string[] =>
  calls.map(({ tool_call_id, status, phase }) => `${tool_call_id} ${status} ${phase}`);
const EXPECTED = CALLS.map(({ id, ends: end }) => (end === "ok" ? `${id} ok null` : `${id} failed ${end}`)).sort();
const stopped = (path = transcript(), session = SESSION) => basePayload("Stop", { transcript: path, session });

describe("calls without a hook event", () => {
  it("the end of a turn reads them from the transcript, once, with the model (K3)", async () => {
    writeFileSync(transcript(), transcriptText());
    const server = await start();
    for (const _ of [1, 2]) await hook(server.url, stopped());
    const calls = await storedCalls(server);
    expect(ends(calls)).toEqual(EXPECTED);
    expect(new Set(calls.map(({ model_name }) => model_name))).toEqual(new Set(["claude-test-5"]));
  });

  it("reading continues at the last position when the transcript has grown", async () => {
    const lines = transcriptText().split("\n");
    writeFileSync(transcript(), `${lines.slice(0, 5).join("\n")}\n`);
    const server = await start();
    await hook(server.url, stopped());
    const first = (await storedCalls(server)).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(CALLS.length);
    appendFileSync(transcript(), lines.slice(5).join("\n"));
    await hook(server.url, stopped());
    expect(ends(await storedCalls(server))).toEqual(EXPECTED);
  });

  it("a start reads those made while the server was off, also of sessions it has not seen", async () => {
    let server = await start();
    await hook(server.url, stopped());
    await server.server.drain();
    await stop();
    const other = "5e551011-0000-4000-8000-00000000bbbb";
    writeFileSync(transcript(), transcriptText());
    // Needs its own calls: the same ids and results would be a fork of the first session.
    writeFileSync(transcript(other), transcriptText(other).replaceAll("toolu_", "toolu_other"));
    server = await start();
    const calls = await storedCalls(server);
    expect(calls.filter(({ session_id }) => session_id === SESSION)).toHaveLength(CALLS.length);
    expect(calls.filter(({ session_id }) => session_id === other)).toHaveLength(CALLS.length);
  });

  it("the server does not look for them before the first hook event", async () => {
    writeFileSync(transcript(), transcriptText());
    const server = await start();
    expect(await storedCalls(server)).toEqual([]);
  });

  it("a subagent's own transcript is found next to its session's", async () => {
    writeFileSync(transcript(), "");
    const folder = join(home, "projects", "-srv-app", SESSION, "subagents");
    mkdirSync(folder, { recursive: true });
    const text = transcriptText().replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"sub1"');
    writeFileSync(join(folder, "agent-sub1.jsonl"), text);
    const server = await start();
    await hook(server.url, stopped());
    const calls = await storedCalls(server);
    expect(calls).toHaveLength(CALLS.length);
    expect(new Set(calls.map(({ agent_id }) => agent_id))).toEqual(new Set(["sub1"]));
  });
});

describe("a transcript path in a hook event", () => {
  it("a file outside the transcript folders is never read", async () => {
    const elsewhere = temporaryFolder();
    const secret = join(elsewhere, "notes.jsonl");
    writeFileSync(secret, transcriptText());
    const server = await start();
    for (const path of [secret, `${home}/../${secret}`, "/etc/passwd", "/dev/zero", "relative.jsonl", home]) {
      await hook(server.url, stopped(path));
    }
    symlinkSync(secret, transcript("link"));
    await hook(server.url, stopped(transcript("link")));
    expect(await storedCalls(server)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
  });

  it("a linked folder next to a transcript is not followed", async () => {
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, "subagents"));
    writeFileSync(join(elsewhere, "subagents", "notes.jsonl"), transcriptText());
    writeFileSync(transcript(), "");
    symlinkSync(elsewhere, join(home, "projects", "-srv-app", SESSION));
    const server = await start();
    await hook(server.url, stopped());
    expect(await storedCalls(server)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
  });

  it("the server stores it only if it could be a transcript", async () => {
    const server = await start();
    const later = transcript("later");
    for (const path of ["sk-live-hunter22hunter22", "/srv/password=hunter22.jsonl", `${home}/../hunter22.jsonl`, later])
      await hook(server.url, stopped(path));
    await server.server.drain();
    await stop();
    expect(Object.keys(JSON.parse(readFileSync(join(data, "transcripts.json"), "utf8")).files)).toEqual([later]);
  });

  it("pipes, devices and links to them are rejected, because reading them would block", async () => {
    spawnSync("mkfifo", [transcript("pipe")]);
    symlinkSync("/dev/zero", transcript("zero"));
    symlinkSync(transcript("loop"), transcript("loop"));
    for (const name of ["pipe", "zero", "loop"]) expect(allowedTranscript(transcript(name), [home])).toBeUndefined();
    expect(allowedTranscript("/proc/self/environ.jsonl", ["/"])).toBeUndefined();
  });

  it.each(["/dev/null", "/etc/hosts", "a.jsonl", `/${"x".repeat(5000)}.jsonl`, "/a\0b.jsonl"])(
    "the transcript path %j is rejected",
    async (path) => {
      expect(allowedTranscript(path, ["/"])).toBeUndefined();
    },
  );

  it("a real transcript inside the folder is allowed", async () => {
    writeFileSync(transcript(), "");
    expect(allowedTranscript(transcript(), [home])).toBe(transcript());
    expect(allowedTranscript(transcript(), [join(home, "projects", "-srv")])).toBeUndefined();
  });

  it("known paths fit into a small file without transcript text", async () => {
    const file = join(home, "known.json");
    const known = new KnownTranscripts(file);
    for (let n = 0; n < 5000; n += 1) known.set(`/t/${n}.jsonl`, { project: "default", at: n });
    known.noteEvent(7);
    known.save();
    const reloaded = new KnownTranscripts(file);
    expect(reloaded.paths().length).toBe(600);
    expect(reloaded.lastEventAt).toBe(7);
    expect(readFileSync(file, "utf8").length).toBeLessThan(100_000);
  });

  it("a malformed file of known paths counts as empty", () => {
    const file = join(home, "known.json");
    writeFileSync(file, '{"files":{"/a":{"project":1},"/b":7}');
    expect(new KnownTranscripts(file).paths()).toEqual([]);
    writeFileSync(file, '{"files":{"/a":{"project":1},"/b":7,"/c":{"project":"p","at":1}}}');
    expect(new KnownTranscripts(file).paths()).toEqual(["/c"]);
  });
});
