import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dataFolder, prepareDataFolder } from "../../src/ingest/data-folder.ts";
import { dropLines } from "../../src/ingest/deletion/drop-lines.ts";
import { Journal, segmentFile } from "../../src/ingest/journal/journal.ts";
import { send } from "../support/raw-http.ts";
import { startBoth, temporaryFolder } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();

/** A data folder, and a file outside of it that must not change. */
async function withVictim(): Promise<{ readonly data: string; readonly victim: string }> {
  const data = temporaryFolder();
  const outside = temporaryFolder();
  for (const path of [data, outside])
    await resources.open({ close: async () => rmSync(path, { recursive: true, force: true }) });
  prepareDataFolder(dataFolder(data));
  const victim = join(outside, "victim");
  writeFileSync(victim, "precious\n");
  return { data, victim };
}

// A data folder in a place where others may create files: a link there must not redirect a write.
describe("a symbolic link planted in the data folder", () => {
  it.each(["server.json", `server.json.${process.pid}.new`, `settings.json.${process.pid}.new`])(
    "a planted link is not followed when the server runs: %s",
    async (name) => {
      const { data, victim } = await withVictim();
      symlinkSync(victim, join(data, name));
      const both = await resources.open(startBoth(() => respond(call("Bash", { command: "ls" })), { data }));
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
      expect((await send(`${both.url}/v1/messages`, { headers }, body)).status).toBe(200);
      const mode = await send(`${both.url}/api/settings/repair`, { headers }, JSON.stringify({ mode: "off" }));
      expect(mode.status).toBe(200);
      await both.server.drain();
      expect(readFileSync(victim, "utf8")).toBe("precious\n");
    },
  );

  it.each(["salt", "journal/id"])("a planted link to a missing file is replaced by a file: %s", async (name) => {
    const { data, victim } = await withVictim();
    rmSync(victim);
    symlinkSync(victim, join(data, name));
    await resources.open(startBoth(() => respond(call("Bash", { command: "ls" })), { data }));
    expect(existsSync(victim)).toBe(false);
    expect(readFileSync(join(data, name), "utf8").trim().length).toBeGreaterThan(30);
  });

  it("a planted link instead of the writer's lock is replaced", async () => {
    const { data, victim } = await withVictim();
    symlinkSync(victim, dataFolder(data).lock);
    await resources.open(startBoth(() => respond(call("Bash", { command: "ls" })), { data }));
    expect(lstatSync(dataFolder(data).lock).isFile()).toBe(true);
    expect(readFileSync(victim, "utf8")).toBe("precious\n");
  });

  it("a planted link is not followed by the journal", async () => {
    const { data, victim } = await withVictim();
    const { journal: folder } = dataFolder(data);
    const journal = new Journal({ folder });
    symlinkSync(victim, join(folder, "probe"));
    await journal.probe();
    symlinkSync(victim, join(folder, segmentFile(journal.start.segment)));
    await expect(journal.append("line\n")).rejects.toThrow("is a symbolic link and is not followed");
    await journal.append("next\n");
    expect(readFileSync(victim, "utf8")).toBe("precious\n");
  });

  it("a planted link is not followed by a deletion", async () => {
    const { data, victim } = await withVictim();
    const events = join(dataFolder(data).events, "2026-03-10.jsonl");
    writeFileSync(events, "a\nb\n");
    symlinkSync(victim, `${events}.rewrite`);
    expect(await dropLines(events, (line) => line === "a")).toBe(1);
    expect([readFileSync(events, "utf8"), readFileSync(victim, "utf8")]).toEqual(["b\n", "precious\n"]);
  });
});
