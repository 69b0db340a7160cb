import { rmSync, writeFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { CanarySession, canaryScript, findWords, untilWordsAreGone } from "../support/canary-session.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { until } from "../support/raw-http.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";

let server: TestPostgres;
let storeUrl: string;
const running: Running[] = [];
const folders: string[] = [];

beforeAll(async () => {
  server = await startPostgres();
}, patient(60_000));
afterAll(() => server.close());
beforeEach(async () => {
  storeUrl = await server.newDatabase();
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = temporaryFolder();
  folders.push(path);
  return path;
}

async function start(sweepMs = 100): Promise<Running> {
  const both = await startBoth(canaryScript, { data: folder(), storeUrl, sweepMs });
  running.push(both);
  return both;
}

/** Rows of any table with a text or JSON column that contains the text. */
async function rowsWith(word: string): Promise<readonly string[]> {
  const sql = postgres(storeUrl, { max: 1 });
  const columns = await sql`SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb')`;
  expect(columns.length).toBeGreaterThan(100);
  const found: string[] = [];
  for (const { table_name, column_name } of columns) {
    const [row] = await sql.unsafe(
      `SELECT count(*)::int AS n FROM ${table_name} WHERE ${column_name}::text LIKE '%${word}%'`,
    );
    if (row?.n > 0) found.push(`${table_name}.${column_name}`);
  }
  await sql.end();
  return found;
}

it("a delete on one server leaves no row, and no line in the files of any server", async () => {
  const [one, two] = [await start(), await start()];
  await new CanarySession("canary").run(one.url);
  await new CanarySession("steady").run(two.url);
  for (const { server: each } of [one, two]) await each.drain();
  await until("both have written all events", () =>
    [one, two].every(({ data }) => findWords(data, ["canaryresult", "steadyresult"]).length >= 2),
  );
  expect((await rowsWith("canary")).length).toBeGreaterThan(10);
  const response = await fetch(`${two.url}/api/sessions/canarysession`, { method: "DELETE" });
  expect(await response.json()).toMatchObject({ deleted: 1, calls: 30 });
  expect(await rowsWith("canary")).toEqual([]);
  expect(findWords(two.data, ["canary"])).toEqual([]);
  await untilWordsAreGone(one.data, ["canary"]);
  expect(await getJson(`${one.url}/api/summary`)).toMatchObject({ calls: 30, failed: 30, sessions: 1 });
  expect((await rowsWith("steadyresult")).length).toBeGreaterThan(1);
});

it("a delete names the SQLite file that a migration left in the data folder", async () => {
  const one = await start();
  await new CanarySession("canary").run(one.url);
  await one.server.drain();
  writeFileSync(`${one.data}/toolmend.db`, "");
  const args = ["delete", "canarysession", "--data", one.data, "--store", storeUrl];
  const { code, err } = await runCommand(args, { now: Date.now });
  expect([code, err]).toEqual([
    0,
    `${one.data}/toolmend.db was not changed: \`npm run -s toolmend -- migrate\` copied from it. Remove the file if you no longer need it.\n`,
  ]);
});

it("a delete from a machine without a data folder creates none, and servers clean their files", async () => {
  const one = await start();
  await new CanarySession("canary").run(one.url);
  await one.server.drain();
  const elsewhere = `${folder()}/none`;
  const args = ["delete", "canarysession", "--json", "--data", elsewhere, "--store", storeUrl];
  const { code, out, err } = await runCommand(args, { now: Date.now });
  expect(err).toBe("");
  expect([code, JSON.parse(out)]).toMatchObject([0, { deleted: 1, calls: 30, event_lines: 0 }]);
  expect(findWords(folders.at(-1) as string, ["none"])).toEqual([]);
  expect(await rowsWith("canary")).toEqual([]);
  await untilWordsAreGone(one.data, ["canary"]);
});

it("retention removes text on every server; tool names stay only in totals", async () => {
  const DAY_MS = 86_400_000;
  let now = Date.UTC(2026, 0, 10);
  for (const _ of [1, 2])
    running.push(
      await startBoth(canaryScript, { data: folder(), storeUrl, sweepMs: 100, keepMs: 90 * DAY_MS, now: () => now }),
    );
  const [one, two] = running as [Running, Running];
  await new CanarySession("canary").run(one.url);
  await one.server.drain();
  await until("both have written all events", () =>
    [one, two].every(({ data }) => findWords(data, ["canaryresult"]).length >= 1),
  );
  now += 92 * DAY_MS;
  const texts = ["canaryargument", "canaryresult", "canaryleak", "canarysession"];
  for (const { data } of [one, two]) await untilWordsAreGone(data, texts);
  expect(await rowsWith("canary")).toEqual(["rollups.tool_name"]);
  expect(await getJson(`${one.url}/api/summary`)).toMatchObject({ calls: 30, failed: 30 });
});
