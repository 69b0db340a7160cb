import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { consumeSpool } from "../../src/hook/spool.ts";
import { spoolLine } from "../../src/hook/spool-line.ts";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { CAPTURES, CallObserver } from "../../src/ingest/observe/observe-call.ts";
import { basePayload, CALLS, eventsAfterCall, hookEvents, type ScriptedCall } from "../support/hook-session.ts";
import { until } from "../support/raw-http.ts";
import { startInFrontOf, temporaryFolder } from "../support/running.ts";
import { storedCalls } from "../support/stored-calls.ts";

let data: string;
let spool: string;
beforeEach(() => {
  data = join(temporaryFolder(), "it's a folder");
  spool = dataFolder(data).spool;
  mkdirSync(join(spool, "claude-code"), { recursive: true });
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const line = () => spoolLine(spool, "claude-code");
const files = () => readdirSync(join(spool, "claude-code"));

function runLine(input: string, text = line()): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", text], { input });
  return { status, output: stdout.toString() + stderr.toString() };
}

const SILENT = { status: 0, output: "" };

describe("the shell line that spools an event", () => {
  it("writes the whole event with its line breaks and prints nothing (K10, K15, K16)", () => {
    const body = JSON.stringify(basePayload("Stop"), null, 2);
    expect(runLine(body)).toEqual(SILENT);
    expect(files()).toHaveLength(1);
    const written = join(spool, "claude-code", files()[0] as string);
    expect(readFileSync(written, "utf8")).toBe(body);
    expect(statSync(written).mode & 0o777).toBe(0o600);
  });

  it("prints nothing and exits with 0 without a folder, without write access and without programs (K10, K15)", () => {
    rmSync(spool, { recursive: true });
    expect(runLine("{}")).toEqual(SILENT);
    mkdirSync(join(spool, "claude-code"), { recursive: true });
    chmodSync(join(spool, "claude-code"), 0o500);
    expect(runLine("{}")).toEqual(SILENT);
    chmodSync(join(spool, "claude-code"), 0o700);
    expect(runLine("{}", `PATH=/nonexistent; ${line()}`)).toEqual(SILENT);
  });

  it("reads the event to its end even when it cannot store it, so that the agent never gets a closed pipe", () => {
    rmSync(spool, { recursive: true });
    const { status, error } = spawnSync("/bin/sh", ["-c", line()], { input: "x".repeat(1 << 20) });
    expect([status, error]).toEqual([0, undefined]);
  });

  it("stores eight large concurrent events as eight whole events", async () => {
    const bodies = Array.from({ length: 8 }, (_, n) => JSON.stringify({ n, filler: String(n).repeat(300_000) }));
    await Promise.all(
      bodies.map(async (body) => {
        const child = spawn("/bin/sh", ["-c", line()]);
        child.stdin.end(body);
        await once(child, "close");
      }),
    );
    const written = files().map((name) => readFileSync(join(spool, "claude-code", name), "utf8"));
    expect(written.sort()).toEqual(bodies.sort());
  });
});

function write(payload: unknown, name: string): void {
  writeFileSync(join(spool, "claude-code", name), typeof payload === "string" ? payload : JSON.stringify(payload));
}

describe("the spool", () => {
  it("delivers the events that separate processes wrote without a server to the next server (K1, K7)", async () => {
    for (const event of hookEvents()) expect(runLine(JSON.stringify(event))).toEqual(SILENT);
    const running = await startInFrontOf("http://127.0.0.1:9", { data });
    try {
      const calls = await storedCalls({ ...running, data });
      expect(calls.map(({ tool_call_id, status }) => `${tool_call_id} ${status}`)).toEqual(
        CALLS.map(({ id, ends }) => `${id} ${ends === "ok" ? "ok" : "failed"}`).sort(),
      );
      expect(files()).toEqual([]);
    } finally {
      await running.close();
    }
  });

  it("delivers new events while a server runs", async () => {
    const running = await startInFrontOf("http://127.0.0.1:9", { data });
    try {
      await running.server.drain();
      for (const event of eventsAfterCall(CALLS[0] as ScriptedCall)) runLine(JSON.stringify(event));
      await until("the file is gone", () => files().length === 0, 10_000);
      expect(await storedCalls({ ...running, data })).toHaveLength(1);
    } finally {
      await running.close();
    }
  });

  const observer = new CallObserver({ capture: "errors", salt: "s" });

  it("keeps a file until the journal has stored its events", async () => {
    for (const [at, event] of eventsAfterCall(CALLS[0] as ScriptedCall).entries()) write(event, `${at}.json`);
    const now = Date.now;
    const refused = await consumeSpool({ folder: spool, observer, now, record: async () => 0 });
    expect([refused.read, files().length]).toEqual([0, 1]);
    const accepted = await consumeSpool({ folder: spool, observer, now, record: async (all) => all.length });
    expect([accepted.read, files().length]).toEqual([1, 0]);
  });

  it("sets unreadable files aside, counts them, and reads the rest", async () => {
    write("{ not json", "a.json");
    write("[]", "b.json");
    for (const event of eventsAfterCall(CALLS[0] as ScriptedCall)) write(event, "c.json");
    const reasons: string[] = [];
    const totals = await consumeSpool({
      ...{ folder: spool, observer, now: Date.now, record: async (all) => all.length },
      onEvent: (_agent, _result, reason) => void reasons.push(reason),
    });
    expect(totals).toEqual({ read: 1, broken: 2 });
    expect(reasons).toEqual(["the payload is not JSON", "the payload is not an object"]);
    expect(readdirSync(join(spool, "broken")).sort()).toEqual(["claude-codea.json", "claude-codeb.json"]);
    expect(files()).toEqual([]);
  });

  it.each(CAPTURES)("capture %s: a note explains why an event could not be read, without secrets", async (capture) => {
    write('{ "api_key": "hunter22hunter22", not json', "a.json");
    write("password=hunter22hunter22", ".Abandoned");
    const keeper = new CallObserver({ capture, salt: "s" });
    const record = async (all: readonly unknown[]): Promise<number> => all.length;
    await consumeSpool({ folder: spool, observer: keeper, now: () => Date.now() + 7_200_000, record });
    const notes = readdirSync(join(spool, "broken")).sort();
    expect(notes).toEqual(["claude-code.Abandoned", "claude-codea.json"]);
    const [abandoned = "", malformed = ""] = notes.map((name) => readFileSync(join(spool, "broken", name), "utf8"));
    expect(abandoned.split("\n")[0]).toBe("the writer did not finish this file");
    expect(malformed.split("\n")[0]).toBe("the payload is not JSON");
    expect(malformed.includes("not json")).toBe(capture !== "none");
    expect(abandoned + malformed).not.toContain("hunter22");
    expect(statSync(join(spool, "broken", "claude-codea.json")).mode & 0o777).toBe(0o600);
    expect(files()).toEqual([]);
  });

  it("does not follow links out of its folder and does not block on pipes", async () => {
    const elsewhere = join(data, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify(basePayload("Stop")));
    symlinkSync(elsewhere, join(spool, "claude-code", "a.json"));
    spawnSync("mkfifo", [join(spool, "claude-code", "b.json")]);
    symlinkSync("/dev/zero", join(spool, "claude-code", "c.json"));
    const totals = await consumeSpool({ folder: spool, observer, now: Date.now, record: async (all) => all.length });
    expect(totals).toEqual({ read: 0, broken: 0 });
    expect(existsSync(elsewhere)).toBe(true);
  });

  it("delivers events in batches that fit into memory", async () => {
    const large = { ...basePayload("PostToolUse"), tool_use_id: "t", tool_response: "x".repeat(6 << 20) };
    for (const name of ["a.json", "b.json", "c.json", "d.json", "e.json"]) write(large, name);
    const lots: number[] = [];
    const record = async (all: readonly unknown[]): Promise<number> => {
      lots.push(all.length);
      return all.length;
    };
    expect(await consumeSpool({ folder: spool, observer, now: Date.now, record })).toEqual({ read: 5, broken: 0 });
    expect(lots).toEqual([2, 2, 1]);
  });

  it("skips files that are still being written and entries that are not files", async () => {
    write("{", ".XyZ");
    mkdirSync(join(spool, "claude-code", "folder.json"));
    const totals = await consumeSpool({ folder: spool, observer, now: Date.now, record: async (all) => all.length });
    expect(totals).toEqual({ read: 0, broken: 0 });
    expect(existsSync(join(spool, "claude-code", ".XyZ"))).toBe(true);
  });
});
