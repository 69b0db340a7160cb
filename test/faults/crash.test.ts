import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { until } from "../support/raw-http.ts";
import { getJson, startInFrontOf, temporaryFolder } from "../support/running.ts";

const CHILD = fileURLToPath(new URL("../support/crash-child.ts", import.meta.url));

let folder = "";
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the child until it is killed; returns the ids it acknowledged. */
async function runToDeath(moment: string, first: number, killAfterMs?: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [CHILD, folder, moment, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    // biome-ignore lint/style/noRestrictedGlobals: a random moment is what the test needs, and any moment passes.
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  return out.split("\n").slice(0, -1);
}

/** Starts the server on the remaining files, lets it catch up, and stops it. */
async function restart(): Promise<{ failed: number; metrics: string }> {
  const { server, close } = await startInFrontOf("http://127.0.0.1:1", { data: folder });
  await server.drain();
  const { failed } = await getJson<{ failed: number }>(`${server.url}/api/summary`);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  await close();
  return { failed, metrics };
}

function storedIds(): readonly string[] {
  const db = new Database(join(folder, "toolmend.db"), { readOnly: true });
  const ids = db.all("SELECT tool_call_id FROM calls ORDER BY 1").map((row) => String(row.tool_call_id));
  db.close();
  return ids;
}

/** Every recorded call of the JSONL files, with the number of its lines. */
function eventCounts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of readdirSync(join(folder, "events"))) {
    for (const line of readFileSync(join(folder, "events", file), "utf8")
      .split("\n")
      .filter(Boolean)) {
      const event = JSON.parse(line) as { type: string; tool_call_id: string };
      if (event.type === "tool_call_recorded")
        counts.set(event.tool_call_id, (counts.get(event.tool_call_id) ?? 0) + 1);
    }
  }
  return counts;
}

describe("after SIGKILL", () => {
  it.each(["between-journal-and-store", "between-store-and-events", "between-events-and-cursor"])(
    "after SIGKILL %s, nothing acknowledged is missing and nothing is counted twice",
    async (moment) => {
      folder = temporaryFolder();
      const acknowledged = await runToDeath(moment, 0);
      expect(acknowledged.length).toBeGreaterThan(2);
      const { failed, metrics } = await restart();
      const stored = storedIds();
      expect(stored).toEqual(expect.arrayContaining([...acknowledged]));
      expect(new Set(stored).size).toBe(stored.length);
      expect(failed).toBe(stored.length);
      expect([...eventCounts().keys()].sort()).toEqual(stored);
      // Calls acknowledged by an earlier process update rollups, not this process's counters.
      expect(metrics).not.toMatch(/^toolmend_tool_calls_total\{/m);
    },
  );

  it("repeated kills at random times: the totals grow by exactly the new calls", async () => {
    folder = temporaryFolder();
    const acknowledged: string[] = [];
    for (const killAfterMs of [5, 30, 60, 15])
      acknowledged.push(...(await runToDeath("never", acknowledged.length * 10, killAfterMs)));
    const { failed } = await restart();
    const stored = storedIds();
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(failed).toBe(stored.length);
    expect([...eventCounts().keys()].sort()).toEqual(stored);
  });

  it("a half-written last line was never acknowledged and is dropped, the rest is stored", async () => {
    folder = temporaryFolder();
    const acknowledged = await runToDeath("never", 0, 30);
    const journal = join(folder, "journal");
    const last = readdirSync(journal)
      .filter((name) => /^\d+\.jsonl$/.test(name))
      .sort()
      .at(-1) as string;
    appendFileSync(join(journal, last), '{"v":1,"kind":"call","project":"default","session_id":"s1","ag');
    const first = await restart();
    const second = await restart();
    expect(storedIds()).toEqual(expect.arrayContaining([...acknowledged]));
    expect(second.failed).toBe(first.failed);
  });

  it("a half-written event line is replaced by the complete line", async () => {
    folder = temporaryFolder();
    await runToDeath("between-events-and-cursor", 0);
    const events = join(folder, "events");
    const file = join(events, readdirSync(events)[0] as string);
    appendFileSync(file, '{"type":"tool_call_recor');
    await restart();
    for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean))
      expect(() => JSON.parse(line)).not.toThrow();
    expect([...eventCounts().keys()].sort()).toEqual(storedIds());
  });

  it("the lock of the data folder is released", async () => {
    folder = temporaryFolder();
    const { server, close } = await startInFrontOf("http://127.0.0.1:1", { data: folder });
    await expect(startInFrontOf("http://127.0.0.1:1", { data: folder })).rejects.toThrow(`It runs at ${server.url}`);
    await close();
    await until("the lock can be acquired again", async () => {
      const restarted = await startInFrontOf("http://127.0.0.1:1", { data: folder });
      await restarted.close();
      return true;
    });
  });
});
