import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallLocation, CallObservation, Observation } from "../../src/core/model/observation.ts";
import { sessionHash } from "../../src/store/deletions.ts";
import { BREAKDOWNS, type Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { openThreadedStore } from "../../src/store/thread/threaded-store.ts";
import { findWords } from "../support/canary-session.ts";
import {
  args,
  callObservation,
  FAILED,
  leakObservation,
  lines,
  NOON,
  OK,
  requestObservation,
  responseObservation,
  result,
  suspensionObservation,
} from "../support/observations.ts";
import { readTables, writeOldDatabase, writeOldPostgres } from "../support/old-schema.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { empty } from "../support/postgres-stores.ts";

let folder: string;
const open: { close(): unknown }[] = [];
/** One server with two databases, shared by all tests. */
let server: Promise<{ readonly postgres: TestPostgres; readonly urls: readonly [string, string] }> | undefined;

async function databases(): Promise<readonly [string, string]> {
  server ??= startPostgres().then(async (one) => ({
    postgres: one,
    urls: [await one.newDatabase(), await one.newDatabase()],
  }));
  return (await server).urls;
}

afterAll(async () => (await server)?.postgres.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-deletions-"));
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened<T extends { close(): unknown }>(one: T): T {
  open.push(one);
  return one;
}

/** A store, another of the same kind, and SQL to the first. */
interface Pair {
  readonly store: Store;
  readonly other: Store;
  readonly sql: (text: string) => Promise<readonly Record<string, unknown>[]>;
}

const KINDS: readonly (readonly [string, () => Promise<Pair>])[] = [
  ["sqlite", async () => sqlitePair((path) => Promise.resolve(openSqliteStore(path)))],
  ["sqlite in a worker thread", async () => sqlitePair(openThreadedStore)],
  [
    "postgres",
    async () => {
      const [url, second] = await databases();
      const store = opened(await openPostgresStore(url, { connections: 2 }));
      const other = opened(await openPostgresStore(second, { connections: 2 }));
      await Promise.all([empty(url), empty(second)]);
      const client = postgres(url, { max: 1, onnotice: () => undefined });
      opened({ close: () => client.end() });
      return { store, other, sql: async (text) => await client.unsafe(text) };
    },
  ],
];

async function sqlitePair(openStore: (path: string) => Promise<Store>): Promise<Pair> {
  const path = join(folder, "store.db");
  const [store, other] = [opened(await openStore(path)), opened(await openStore(join(folder, "other.db")))];
  const db = opened(new Database(path));
  return { store, other, sql: async (text) => db.all(text) };
}

async function apply(store: Store, ...observations: readonly Observation[]) {
  return await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
}

const responseCall = (n: number, id: string): CallLocation => ({
  kind: "response",
  conversation: "c1",
  n,
  response_id: `m-${id}`,
});

/**
 * A session with a row of every kind: calls with retries, follow-ons and errors, requests, leaks, a suspension,
 * prompts.
 */
function session(name: string, calls: number, fields: Partial<CallObservation> = {}): readonly Observation[] {
  const about = { session_id: name, model: `${name}model`, provider: "p" };
  return [
    requestObservation({ ...about, request_id: `${name}r1` }),
    responseObservation({ ...about, request_id: `${name}r1` }),
    leakObservation({ ...about, request_id: `${name}r1`, before: `${name}leak`, tool_names: [`${name}tool`] }),
    suspensionObservation({ ...about, request_id: `${name}r1`, message: `${name}message` }),
    { ...requestObservation(about), kind: "prompt", prompt: `${name}prompt`, workflow: "docs" } as Observation,
    ...Array.from({ length: calls }, (_, n): CallObservation[] => {
      const id = `toolu_${name}${String(n).padStart(12, "x")}q`;
      const failure = {
        ...FAILED,
        fingerprint: n % 5 === 0 ? "shared" : `${name}fingerprint`,
        excerpt: `${name}excerpt ${n}`,
        status_message: `${name}status`,
      };
      const call = callObservation({
        ...about,
        tool_call_id: id,
        name: n % 2 === 0 ? "Bash" : `${name}tool`,
        occurred_at: NOON + n * 60_000,
        seen_at: NOON + n * 60_000,
        turn: id,
        prompt: `${name}prompt`,
        execution_time_ms: 10 * n,
        arguments: { ...args(`file ${n % 4}`), resources: [`path:${n % 4}`], preview: `${name}argument ${n}` },
        ...fields,
      });
      // As the proxy sees it: made by a response, with its result in the next request's history.
      return [
        { ...call, place: responseCall(0, id) },
        { ...call, result: result(id, n % 3 === 0 ? failure : OK) },
      ];
    }).flat(),
  ];
}

async function everything(store: Store): Promise<Readonly<Record<string, unknown>>> {
  return {
    summary: await store.summary({}),
    breakdowns: await Promise.all(BREAKDOWNS.map((by) => store.breakdown(by, {}))),
    series: await store.series({ step: "hour" }),
    days: await store.series({ step: "day" }),
    toolModel: await store.toolModel({}),
    fingerprints: await store.fingerprints({}),
    sessions: await store.sessions({}),
    unhealthy: await store.unhealthySessions({}),
    origins: await store.originOutcomes({}),
    leaks: await store.leaks({}),
    suspensions: await store.suspensions({}),
    detail: await store.sessionDetail("default", "steady", { limit: 5000 }),
    fork: await store.sessionDetail("default", "fork", { limit: 5000 }),
  };
}

const LATER = NOON + 3_600_000_000;

describe.each(KINDS)("a deleted session: %s", (_name, openPair) => {
  it("reports everything it removed, even if new observations of the session completed it", async () => {
    const { store } = await openPair();
    await apply(store, ...session("big", 1200));
    const [removed] = await Promise.all([
      store.deleteSession("default", "big", NOON + 9e8),
      apply(
        store,
        callObservation({ session_id: "big", tool_call_id: "toolu_new", seen_at: NOON + 1e9, occurred_at: NOON + 1e9 }),
      ),
    ]);
    expect(removed).toMatchObject({ sessions: 1, calls: 1200 });
  });

  it("leaves a store that looks as if it had never had the session", async () => {
    const { store, other } = await openPair();
    const steady = session("steady", 40);
    // 1,200 calls are removed in several parts.
    for (const part of [steady.slice(0, 20), session("canary", 1200), steady.slice(20)]) await apply(store, ...part);
    for (const part of [steady.slice(0, 20), steady.slice(20)]) await apply(other, ...part);
    expect(await store.deleteSession("default", "canary", LATER)).toMatchObject({ sessions: 1, calls: 1200 });
    expect(await everything(store)).toEqual(await everything(other));
  });

  it("leaves no row with a text of it in any table, also when it was forked", async () => {
    const { store, sql } = await openPair();
    await apply(store, ...session("steady", 20));
    await apply(store, ...session("canary", 20));
    await apply(store, ...forkOf("canary", "fork", 20));
    // The fork has its own text: only the link to its original must go.
    await store.deleteSession("default", "canary", LATER);
    const fork = await store.sessionDetail("default", "fork", { limit: 100 });
    expect(fork?.calls).toHaveLength(20);
    await store.deleteSession("default", "fork", LATER);
    for (const table of await tablesOf(sql)) {
      const rows = JSON.stringify(await sql(`SELECT * FROM ${table}`));
      expect([table, rows.includes("canary")]).toEqual([table, false]);
    }
    expect(await store.fingerprints({})).toMatchObject([
      { fingerprint: "steadyfingerprint" },
      { fingerprint: "shared", count: 2, sample: "steadyexcerpt 0" },
    ]);
  });

  it("leaves its calls to a fork, which then counts them as its own", async () => {
    const { store, other } = await openPair();
    const [original, fork] = [session("canary", 20), forkOf("canary", "fork", 20)];
    await apply(store, ...original);
    await apply(store, ...fork);
    expect(await store.summary({})).toMatchObject({ calls: 20 });
    await apply(other, ...fork);
    await store.deleteSession("default", "canary", LATER);
    // All calls of the fork have the same time, so any of them may be the sample.
    const errors = (await other.fingerprints({})).map((row) => ({ ...row, sample: expect.stringMatching("excerpt") }));
    expect(await everything(store)).toEqual({ ...(await everything(other)), fingerprints: errors });
  });

  it("removes an error's sample, and the error gets a sample of a remaining call", async () => {
    const { store } = await openPair();
    await apply(store, ...session("canary", 1));
    await apply(store, ...session("steady", 1, { occurred_at: NOON + 5000 }));
    expect(await store.fingerprints({})).toMatchObject([{ count: 2, sample: "canaryexcerpt 0" }]);
    await store.deleteSession("default", "canary", LATER);
    expect(await store.fingerprints({})).toMatchObject([
      { count: 1, sample: "steadyexcerpt 0", first_at: new Date(NOON + 5000).toISOString() },
    ]);
  });

  it("leaves no sample of a failure that was later reclassified as ok", async () => {
    const { store, sql } = await openPair();
    const place = { kind: "exact", n: 0 } as const;
    const failure = { ...FAILED, fingerprint: "f1", excerpt: "canaryexcerpt" };
    await apply(store, callObservation({ place, source: "hook", result: result("x", failure) }));
    await apply(store, callObservation({ place, source: "library", result: result("x", OK) }));
    expect(await sql("SELECT * FROM fingerprints")).toEqual([]);
  });

  it("removes unread events of the session, and readers continue with the others", async () => {
    const { store } = await openPair();
    await apply(store, ...session("canary", 3), ...session("steady", 3));
    await apply(store, ...session("canary", 5).slice(11));
    const before = await store.events(0, 1000);
    const removed = await store.deleteSession("default", "canary", LATER);
    const after = await store.events(0, 1000);
    expect(removed.events).toBeGreaterThan(5);
    expect(after).toEqual(before.filter(({ line }) => !line.includes("canary")));
    expect(await store.events(after.at(-1)?.id ?? 0, 1000)).toEqual([]);
    expect((await store.eventText(0))?.text).toBe(after.map(({ line }) => `${line}\n`).join(""));
    await apply(store, ...session("later", 1));
    expect((await store.events(after.at(-1)?.id ?? 0, 1000)).length).toBeGreaterThan(2);
  });

  it("refuses observations from before the deletion, and calls that only a history contains", async () => {
    const { store } = await openPair();
    await apply(store, ...session("s1", 3));
    await store.deleteSession("default", "s1", LATER);
    const late = { seen_at: LATER + 1, occurred_at: LATER + 1 };
    const fresh = { ...late, name: "Edit", tool_call_id: "toolu_freshfresh01", place: responseCall(0, "2") };
    expect(await apply(store, ...session("s1", 3))).toMatchObject({ observations: 11, refused: 11 });
    expect(await apply(store, ...session("s1", 3, { seen_at: LATER + 1 }))).toMatchObject({ refused: 11 });
    expect(await apply(store, callObservation({ ...late, result: result("old", FAILED) }))).toMatchObject({
      refused: 1,
    });
    expect(await store.sessions({})).toEqual([]);
    // A call that is made now starts the session again, and its result comes with the history.
    await apply(store, callObservation(fresh), callObservation({ ...late, tool_call_id: "toolu_old000000000" }));
    const inHistory = { kind: "history", conversation: "c1", n: 0 } as const;
    const done = callObservation({ ...fresh, place: inHistory, seen_at: LATER + 9, result: result("new", FAILED) });
    expect(await apply(store, done, { ...done, tool_call_id: "toolu_old000000000" })).toMatchObject({ refused: 1 });
    expect((await store.sessionDetail("default", "s1"))?.calls).toMatchObject([
      { tool_call_id: "toolu_freshfresh01", status: "failed" },
    ]);
  });

  it("leaves no text when retention deletes it, while totals by tool stay", async () => {
    const { store, sql } = await openPair();
    await apply(store, ...session("canary", 20));
    await apply(store, ...forkOf("canary", "fork", 20));
    await apply(store, ...session("steady", 20).map((one) => ({ ...one, occurred_at: LATER - 1000 })));
    expect(await store.deleteBefore(LATER - 2_000_000, 20, LATER)).toMatchObject({ sessions: 1, calls: 20 });
    // Not counted twice: the totals keep the original.
    expect(await store.summary({})).toMatchObject({ calls: 40 });
    expect(await store.breakdown("tool", {})).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: "canarytool", calls: 10 })]),
    );
    const SUMS = new Set(["rollups", "durations"]);
    for (const table of await tablesOf(sql)) {
      if (SUMS.has(table)) continue;
      const own = await sql(`SELECT * FROM ${table}`);
      const rows = own.filter(({ session_id }) => session_id !== "fork").map((row) => JSON.stringify(row));
      expect([table, rows.filter((row) => row.includes("canary"))]).toEqual([table, []]);
    }
    expect(JSON.stringify(await sql("SELECT inherited_from, record FROM calls"))).not.toContain("canary ");
    expect(JSON.stringify(await sql("SELECT inherited_from, record FROM calls"))).not.toContain("\\u0000canary");
  });

  it("the next start completes an interrupted deletion, and the intent then contains no id", async () => {
    const { store, other, sql } = await openPair();
    await apply(store, ...session("canary", 30), ...session("steady", 10));
    await apply(other, ...session("steady", 10));
    const hash = sessionHash({ project: "default", session_id: "canary" });
    await sql(`INSERT INTO deletions (id, session, deleted_at, keeps_sums, project, session_id)
      VALUES (1, '${hash}', ${LATER}, 0, 'default', 'canary')`);
    expect(await store.finishDeletions(LATER)).toMatchObject({ sessions: 1, calls: 30 });
    expect(await everything(store)).toEqual(await everything(other));
    expect(await sql("SELECT session, project, session_id FROM deletions")).toEqual([
      { session: hash, project: null, session_id: null },
    ]);
    expect(await store.finishDeletions(LATER)).toMatchObject({ sessions: 0 });
  });

  it("starts again with new observations that arrive during the deletion", async () => {
    const { store, sql } = await openPair();
    await apply(store, ...session("canary", 30));
    const hash = sessionHash({ project: "default", session_id: "canary" });
    await sql(`INSERT INTO deletions (id, session, deleted_at, keeps_sums, project, session_id)
      VALUES (1, '${hash}', ${LATER}, 0, 'default', 'canary')`);
    const late = { seen_at: LATER + 1, occurred_at: LATER + 1, session_id: "canary", place: responseCall(0, "9") };
    await apply(store, callObservation({ ...late, tool_call_id: "toolu_freshfresh01", result: result("x", FAILED) }));
    expect((await store.sessionDetail("default", "canary"))?.calls).toMatchObject([
      { tool_call_id: "toolu_freshfresh01" },
    ]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, sessions: 1 });
    expect(await store.finishDeletions(LATER)).toMatchObject({ sessions: expect.any(Number) });
    expect(await store.summary({})).toMatchObject({ calls: 1, sessions: 1 });
  });

  it("the store lists its hash until a data folder's files are clean", async () => {
    const { store } = await openPair();
    await apply(store, ...session("a", 1), ...session("b", 1));
    await store.deleteSession("default", "a", LATER);
    await store.deleteSession("default", "b", LATER);
    const [first, second] = await store.deletions("folder", 10);
    expect([first?.session, second?.session]).toEqual([
      sessionHash({ project: "default", session_id: "a" }),
      sessionHash({ project: "default", session_id: "b" }),
    ]);
    await store.filesCleaned("folder", first?.id ?? 0);
    expect(await store.deletions("folder", 10)).toEqual([second]);
    expect(await store.deletions("another", 1)).toEqual([first]);
  });
});

describe("a database of an earlier version with texts of deleted sessions", () => {
  /** As that version deleted: only rows by session. */
  const DELETE_ROWS = ["calls", "requests", "leaks", "suspensions", "prompts", "threads", "session_facets", "sessions"]
    .map((table) => `DELETE FROM ${table} WHERE session_id = 'canary';`)
    .join("");

  it("SQLite keeps no sample of them after migration, and no byte of them after the next deletion", async () => {
    const path = join(folder, "store.db");
    const before = openSqliteStore(join(folder, "new.db"));
    await apply(before, ...session("canary", 30));
    await apply(before, ...session("steady", 30), ...session("last", 3));
    await before.close();
    writeOldDatabase(join(folder, "new.db"), path, 8);
    rmSync(join(folder, "new.db"));
    const old = new Database(path);
    old.exec(`PRAGMA secure_delete = OFF; ${DELETE_ROWS}`);
    // Its events were exported long ago.
    old.exec("DELETE FROM changes");
    old.close();
    expect(findWords(folder, ["canaryexcerpt"])).toEqual(["canaryexcerpt in store.db"]);
    const store = opened(openSqliteStore(path));
    expect(await store.fingerprints({})).toMatchObject([
      { fingerprint: "steadyfingerprint", sample: "steadyexcerpt 3" },
      { fingerprint: "shared", sample: "steadyexcerpt 0" },
    ]);
    await store.deleteSession("default", "last", LATER);
    await store.scrub();
    expect(findWords(folder, ["canaryexcerpt", "canaryargument", "canaryleak", "canarymessage"])).toEqual([]);
  });

  it("PostgreSQL keeps no sample of them after migration", async () => {
    const [source] = await databases();
    const before = await openPostgresStore(source, { connections: 2 });
    await empty(source);
    await apply(before, ...session("canary", 30));
    await apply(before, ...session("steady", 30));
    await before.close();
    const url = (await (await server)?.postgres.newDatabase()) as string;
    await writeOldPostgres(url, 5, await readTables(source));
    const client = postgres(url, { max: 1, onnotice: () => undefined });
    opened({ close: () => client.end() });
    await client.unsafe(DELETE_ROWS).simple();
    const store = opened(await openPostgresStore(url, { connections: 2 }));
    expect(await store.fingerprints({})).toMatchObject([
      { fingerprint: "steadyfingerprint", sample: "steadyexcerpt 3" },
      { fingerprint: "shared", sample: "steadyexcerpt 0" },
    ]);
    expect(JSON.stringify(await client.unsafe("SELECT * FROM fingerprints"))).not.toContain("canary");
  });
});

it("SQLite's file contains no byte of a deleted session, also where rows were moved between pages", async () => {
  const store = opened(openSqliteStore(join(folder, "store.db")));
  const names = Array.from({ length: 12 }, (_, n) => `word${String.fromCharCode(97 + n)}x`);
  // Interleaved sessions, and calls that grow when their result arrives: SQLite then moves rows and leaves copies
  // behind.
  const sessions = names.map((name) => session(name, 60));
  for (let at = 0; at < (sessions[0]?.length ?? 0); at += 1)
    await apply(store, ...sessions.map((one) => one[at] as Observation));
  for (const name of names) {
    await store.deleteSession("default", name, LATER);
    await store.scrub();
    expect(findWords(folder, [name])).toEqual([]);
  }
});

it("PostgreSQL leaves a deletion that another server has just begun to that server", async () => {
  const [url] = await databases();
  const store = opened(await openPostgresStore(url, { connections: 2 }));
  await empty(url);
  await apply(store, ...session("canary", 3));
  const client = postgres(url, { max: 1 });
  opened({ close: () => client.end() });
  await client.unsafe(`INSERT INTO deletions (id, session, deleted_at, keeps_sums, project, session_id)
    VALUES (1, 'hash', ${LATER}, 0, 'default', 'canary')`);
  expect(await store.finishDeletions(LATER - 1)).toMatchObject({ sessions: 0, calls: 0 });
  expect(await store.finishDeletions(LATER)).toMatchObject({ sessions: 1, calls: 3 });
});

it("PostgreSQL vacuums every table with rows of sessions on scrub", async () => {
  const [url] = await databases();
  const store = opened(await openPostgresStore(url, { connections: 2 }));
  await empty(url);
  await apply(store, ...session("canary", 3));
  await store.deleteSession("default", "canary", LATER);
  await store.scrub();
  const client = postgres(url, { max: 1 });
  opened({ close: () => client.end() });
  const rows = await client.unsafe(
    `SELECT relname, vacuum_count > 0 AS vacuumed FROM pg_stat_user_tables
     WHERE relname SIMILAR TO '(calls|requests|leaks|suspensions|prompts|threads|outbox|session_facets|sessions)_[0-7]|changes|fingerprints'`,
  );
  expect(rows.length).toBe(74);
  expect(rows.filter(({ vacuumed }) => vacuumed !== true)).toEqual([]);
});

/** The calls of a session as its fork repeats them in its first request. */
function forkOf(name: string, fork: string, calls: number): readonly Observation[] {
  const at = { occurred_at: LATER - 1_000_000, seen_at: LATER - 1_000_000 };
  const carried = session(name, calls)
    .filter((one): one is CallObservation => one.kind === "call" && one.place.kind === "history")
    .map(({ execution_time_ms: _measured, prompt: _asked, ...rest }) => ({ ...rest, ...at, session_id: fork }));
  return [requestObservation({ session_id: fork, request_id: `${fork}r1`, ...at }), ...carried];
}

async function tablesOf(sql: Pair["sql"]): Promise<readonly string[]> {
  const rows = await sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").catch(() =>
    sql("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"),
  );
  expect(rows.length).toBeGreaterThan(15);
  return rows.map(({ name }) => String(name));
}
