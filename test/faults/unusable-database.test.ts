import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { createLogger, type Logger } from "../../src/cli/logger.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { send, until } from "../support/raw-http.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { lockStore } from "../support/store-lock.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();

async function newFolder(): Promise<string> {
  const data = temporaryFolder();
  await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
  return data;
}

interface Logged extends Running {
  /** Messages of warnings and errors. */
  readonly messages: readonly string[];
}

async function start(data: string): Promise<Logged> {
  const messages: string[] = [];
  const log = (_fields: unknown, message: string): number => messages.push(message);
  const logger = Object.assign(createLogger("silent"), { warn: log, error: log }) as unknown as Logger;
  const running = await startBoth(() => respond(call("Bash", { command: "ls" })), { data, logger });
  return { ...running, messages };
}

async function sendRequest({ url }: Running, session: string): Promise<void> {
  const { status } = await send(
    `${url}/v1/messages`,
    { headers: { "content-type": "application/json", "x-toolmend-session": session } },
    JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
  );
  expect(status).toBe(200);
}

const statusOf = ({ url }: Running): Promise<ServerStatus> => getJson<ServerStatus>(`${url}/api/status`);
const readiness = async ({ url }: Running): Promise<number> => (await fetch(`${url}/readyz`)).status;
const setAsideIn = (data: string): readonly string[] => readdirSync(data).filter((name) => name.includes(".broken-"));

async function storeFinding(data: string): Promise<{ status: string; detail: string; advice?: string }> {
  const upstreams = ["--anthropic", "http://127.0.0.1:1", "--openai", "http://127.0.0.1:1", "--port", "1"];
  const { out } = await runCommand(["doctor", "--json", "--data", data, ...upstreams]);
  const { findings } = JSON.parse(out) as { findings: { check: string; status: string; detail: string }[] };
  return findings.find(({ check }) => check === "store") ?? { status: "missing", detail: "" };
}

describe("a broken database", () => {
  it("a broken database is set aside with its side files, and a new one records; log, status and doctor say so", async () => {
    const data = await newFolder();
    const text = "this is not a database, and it is long enough to be looked at".repeat(100);
    writeFileSync(join(data, "toolmend.db"), text);
    writeFileSync(join(data, "toolmend.db-wal"), "side file");
    const running = await resources.open(start(data));
    const [file = ""] = setAsideIn(data).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(readFileSync(join(data, file), "utf8")).toBe(text);
    expect(readFileSync(join(data, `${file}-wal`), "utf8")).toBe("side file");
    await sendRequest(running, "one");
    await running.server.drain();
    expect(await readiness(running)).toBe(200);
    expect(await statusOf(running)).toMatchObject({ set_aside: join(data, file), store_problem: null, dropped: 0 });
    expect((await running.server.store.summary({})).requests).toBe(1);
    const merge = `toolmend -- import ${join(data, "events")}`;
    expect(running.messages).toEqual([expect.stringContaining(merge)]);
    expect(await storeFinding(data)).toMatchObject({
      status: "warning",
      detail: expect.stringContaining(`kept as ${join(data, file)}`),
      advice: expect.stringMatching(new RegExp(`${merge}.*sqlite3 ${join(data, file)} \\.dump`)),
    });
  });

  it("a damaged page is reported while the server runs, and the database is set aside by the next start", async () => {
    const data = await newFolder();
    const first = await start(data);
    await sendRequest(first, "before");
    await first.server.drain();
    await first.close();
    damage(join(data, "toolmend.db"), "calls");

    const second = await start(data);
    await sendRequest(second, "during");
    await second.server.drain();
    expect(await readiness(second)).toBe(503);
    expect((await statusOf(second)).store_problem).toMatch(/is damaged .*\. Restart the server: it checks the file/);
    expect(setAsideIn(data)).toEqual([]);
    expect((await storeFinding(data)).status).toBe("failed");
    await second.close();

    const third = await resources.open(start(data));
    await until("everything is stored", async () => (await statusOf(third)).unapplied_bytes === 0);
    expect(await statusOf(third)).toMatchObject({ store_problem: null, dropped: 0, rejected: 0 });
    expect((await statusOf(third)).set_aside).toContain("toolmend.db.broken-");
    expect((await third.server.store.summary({})).requests).toBe(2);
    expect(third.messages).toEqual([expect.stringContaining("set aside")]);
  });

  it("a database with garbage for a version is set aside by the next start", async () => {
    const data = await newFolder();
    const file = join(data, "toolmend.db");
    const first = await start(data);
    await first.close();
    const bytes = readFileSync(file);
    // The table with the version is the second page; new rows are added in front.
    bytes.write("bad bytes ".repeat(60), 8192 + bytes.readUInt16BE(8192 + 5) - 8);
    writeFileSync(file, bytes);

    const second = await resources.open(start(data));
    expect(await statusOf(second)).toMatchObject({ store_problem: null });
    expect((await statusOf(second)).set_aside).toContain("toolmend.db.broken-");
  });

  it("a database that was repaired before the next start is used again", async () => {
    const data = await newFolder();
    const file = join(data, "toolmend.db");
    const first = await start(data);
    await sendRequest(first, "before");
    await first.server.drain();
    await first.close();
    const intact = readFileSync(file);
    damage(file, "calls");
    const second = await start(data);
    await sendRequest(second, "during");
    await second.server.drain();
    expect(await readiness(second)).toBe(503);
    await second.close();
    for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
    writeFileSync(file, intact);

    const third = await resources.open(start(data));
    await until("everything is stored", async () => (await third.server.store.summary({})).requests === 2);
    expect([await statusOf(third), setAsideIn(data)]).toMatchObject([{ set_aside: null, store_problem: null }, []]);
  });
});

describe("a database that cannot be opened, but may be intact", () => {
  it("a database of a newer version is left alone: requests pass, the server is not ready, and records wait", async () => {
    const data = await newFolder();
    const newer = new Database(join(data, "toolmend.db"));
    newer.exec("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)");
    newer.exec("INSERT INTO schema_version VALUES (9999, '2030-01-01')");
    newer.close();
    const before = readFileSync(join(data, "toolmend.db"));
    const running = await resources.open(start(data));
    await expectWaiting(running, "schema version 9999");
    expect(readFileSync(join(data, "toolmend.db")).equals(before)).toBe(true);
  });

  it("a database that another process has locked is left alone, and used as soon as the lock is gone", async () => {
    const data = await newFolder();
    const first = await start(data);
    await sendRequest(first, "before");
    await first.server.drain();
    await first.close();
    const lock = await resources.open(lockStore(join(data, "toolmend.db")));
    const running = await resources.open(start(data));
    await expectWaiting(running, "database is locked");
    await lock.release();
    await until("the server is ready", async () => (await readiness(running)) === 200, 15_000);
    expect((await running.server.store.summary({})).requests).toBe(2);
  });

  it("a database that cannot be read is left alone, and created as soon as it can be", async () => {
    const data = await newFolder();
    mkdirSync(join(data, "toolmend.db"));
    const running = await resources.open(start(data));
    await expectWaiting(running, "toolmend.db");
    rmSync(join(data, "toolmend.db"), { recursive: true });
    await until("the server is ready", async () => (await readiness(running)) === 200, 15_000);
    expect((await running.server.store.summary({})).requests).toBe(1);
  });
});

async function expectWaiting(running: Running, problem: string): Promise<void> {
  await sendRequest(running, "during");
  await until("the journal has the records", async () => (await statusOf(running)).unapplied_bytes > 0);
  expect(await readiness(running)).toBe(503);
  expect(await statusOf(running)).toMatchObject({
    store_problem: expect.stringContaining(problem),
    ...{ set_aside: null, dropped: 0 },
  });
  expect(setAsideIn(running.data)).toEqual([]);
}

/** Overwrites the first page of a table. */
function damage(file: string, table: string): void {
  const db = new Database(file);
  const page = Number(db.get("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)?.rootpage);
  const size = Number(db.get("PRAGMA page_size")?.page_size);
  db.close();
  writeFileSync(file, readFileSync(file).fill(0xff, (page - 1) * size, page * size));
}
