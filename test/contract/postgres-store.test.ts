import fc from "fast-check";
import postgres from "postgres";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { isStoreUnavailable, type Store } from "../../src/store/port.ts";
import { PostgresDatabase } from "../../src/store/postgres/database.ts";
import { lockAll } from "../../src/store/postgres/locks.ts";
import { perform } from "../../src/store/postgres/perform.ts";
import { openPostgresReader, openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { openThreadedPostgres } from "../../src/store/thread/threaded-store.ts";
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
} from "../support/observations.ts";
import { readTables, writeOldPostgres } from "../support/old-schema.ts";
import { describeWithPostgres, empty, sharedDatabase } from "../support/postgres-stores.ts";
import { until } from "../support/raw-http.ts";
import { reusedIds } from "../support/reused-ids.ts";
import { createTestStore } from "../support/test-store.ts";

let url: string;
let stores: Store[] = [];

beforeAll(async () => {
  url = await sharedDatabase();
  await (await openPostgresStore(url)).close();
}, 60_000);
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  stores = [];
});

async function open(count: number, database = url): Promise<readonly Store[]> {
  const opened = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore(database, { connections: 2 })),
  );
  stores.push(...opened);
  return opened;
}

const batch = (text: string, journal = "j"): Parameters<Store["apply"]>[0] => ({
  ...{ journal, position: "1", live: true, lines: text },
});

describeWithPostgres("several servers on one database", () => {
  it("unhealthy sessions are counted again at a start, after a server of an older version has counted by other rules", async () => {
    const database = await sharedDatabase();
    const [store] = await open(1, database);
    const now = Date.now();
    const calls = [1, 2, 3, 4, 5].map((n) =>
      callObservation({
        session_id: "ill",
        tool_call_id: `c${n}`,
        occurred_at: now - n,
        result: result(`${n}`, FAILED),
      }),
    );
    await store?.apply(batch(lines(...calls)));
    expect(await store?.unhealthySessions({})).toBe(1);
    const sql = postgres(database, { max: 1 });
    await sql`UPDATE session_rollups SET unhealthy = unhealthy + 7`;
    await sql.end();
    expect(await store?.unhealthySessions({})).toBe(8);
    const [next] = await open(1, database);
    expect(await next?.unhealthySessions({})).toBe(1);
  });

  it("one of several servers creates the tables of an empty database, and all can use them", async () => {
    const all = await open(6, await sharedDatabase());
    await Promise.all(
      all.map((store, at) =>
        store.apply(
          batch(
            lines(
              callObservation({ session_id: `s${at}`, tool_call_id: `toolu_own${at}xxxxxxxx`, result: result("fine") }),
            ),
            `j${at}`,
          ),
        ),
      ),
    );
    expect(await all[0]?.summary({})).toMatchObject({ sessions: 6, calls: 6 });
  });

  it("events are numbered in the order of their commit: a reader that continues from the last number misses none", async () => {
    await empty(url);
    const writers = await open(4);
    const reader = (await open(1))[0] as Store;
    const seen: string[] = [];
    let done = false;
    const reading = (async () => {
      for (let after = 0; ; ) {
        const last = done;
        const events = await reader.events(after, 50);
        for (const { id, line } of events) {
          expect(id).toBe(after + 1);
          after = id;
          seen.push((JSON.parse(line) as { event_id: string }).event_id);
        }
        if (last && events.length === 0) return;
      }
    })();
    await Promise.all(
      writers.map(async (store, writer) => {
        for (let at = 0; at < 15; at += 1) {
          const call = callObservation({
            session_id: `s${(at + writer) % 5}`,
            tool_call_id: `toolu_${writer}x${String(at).padStart(8, "0")}`,
            result: result(`${writer}-${at}`),
          });
          await store.apply(batch(lines(call), `j${writer}`));
        }
      }),
    );
    done = true;
    await reading;
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(await reader.lastEvent());
    expect(await reader.summary({})).toMatchObject({ calls: 60, sessions: 5 });
  });

  it("a write, or a notification from another server, wakes waiting servers", async () => {
    const [one, two] = await open(2);
    const started = Date.now();
    const first = one?.shared?.waitForChanges();
    await first;
    const news = one?.shared?.waitForChanges();
    await two?.apply(batch(lines(requestObservation({ request_id: "fresh" }))));
    await news;
    expect(Date.now() - started).toBeLessThan(8000);
  });

  it("the first value of a setting wins, and a lease belongs to one server at a time", async () => {
    const [one, two] = await open(2);
    expect(await one?.shared?.setSettingIfAbsent("salt", "a")).toBe("a");
    expect(await two?.shared?.setSettingIfAbsent("salt", "b")).toBe("a");
    await two?.shared?.saveSetting("repair", "x");
    expect(await one?.shared?.setting("repair")).toBe("x");
    expect(await one?.shared?.tryAcquireLease("sweep", 600_000)).toBe(true);
    expect(await two?.shared?.tryAcquireLease("sweep", 600_000)).toBe(false);
    expect(await one?.shared?.tryAcquireLease("sweep", 600_000)).toBe(true);
    expect(await one?.shared?.tryAcquireLease("count", 50)).toBe(true);
    await until(
      "the other server gets the lease",
      async () => (await two?.shared?.tryAcquireLease("count", 50)) === true,
      20_000,
    );
  });
});

describeWithPostgres("observations of the same sessions on several servers", () => {
  const traffic = reusedIds({ minLength: 4, maxLength: 20 });

  beforeEach(() => empty(url));

  it("concurrent writes give the same records, aggregates and counters as sequential ones", {
    timeout: 60_000,
  }, async () => {
    const instances = await open(3);
    await fc.assert(
      fc.asyncProperty(traffic, async (observations) => {
        await empty(url);
        const plain = createTestStore();
        let expected = 0;
        for (const one of observations) expected += (await plain.apply(batch(lines(one)))).counted.length;
        const counted = await Promise.all(
          // Every instance applies everything concurrently, each in its own order.
          instances.map(async (store, at) => {
            let own = 0;
            const order = observations.map((_, n) => observations[(n * 7 + at * 3) % observations.length]);
            const all = at === 0 ? observations : [...order, ...observations];
            for (let from = 0; from < all.length; from += at + 1) {
              const some = all.slice(from, from + at + 1).filter((one) => one !== undefined);
              own += (await store.apply(batch(lines(...some), `j${at}`))).counted.length;
            }
            return own;
          }),
        );
        expect(counted.reduce((sum, own) => sum + own, 0)).toBe(expected);
        const [store] = instances as readonly [Store, ...Store[]];
        expect(await store.breakdown("tool", {})).toEqual(await plain.breakdown("tool", {}));
        expect(await store.sessions({})).toEqual(await plain.sessions({}));
        expect(await store.summary({})).toEqual(await plain.summary({}));
      }),
      { numRuns: 12 },
    );
  });

  it("a call that a fork carries is counted once, in either order of the sessions", async () => {
    const instances = await open(2);
    for (let round = 0; round < 10; round += 1) {
      const done = { tool_call_id: `toolu_shared${String(round).padStart(6, "0")}`, result: result("boom", FAILED) };
      const [own, fork] = [`own${round}`, `fork${round}`];
      await Promise.all([
        instances[0]?.apply(
          batch(
            lines(
              requestObservation({ session_id: own, request_id: `a${round}` }),
              callObservation({ ...done, session_id: own, occurred_at: NOON + 10 }),
            ),
            "j0",
          ),
        ),
        instances[1]?.apply(
          batch(
            lines(
              requestObservation({ session_id: fork, request_id: `b${round}`, occurred_at: NOON + 99 }),
              callObservation({ ...done, session_id: fork, occurred_at: NOON + 99 }),
            ),
            "j1",
          ),
        ),
      ]);
    }
    expect(await instances[0]?.summary({})).toMatchObject({ calls: 10, failed: 10, sessions: 20 });
  });

  const MANY = Array.from({ length: 700 }, (_, at) =>
    callObservation({
      session_id: `s${at % 9}`,
      tool_call_id: `toolu_many${String(at).padStart(8, "0")}`,
      result: result(`text ${at}`, at % 7 === 0 ? FAILED : OK),
    }),
  );

  it("batches with too many sessions to lock are stored in parts", async () => {
    const instances = await open(2);
    const applied = await Promise.all([
      instances[0]?.apply(batch(lines(...MANY), "j0")),
      instances[1]?.apply(batch(lines(...MANY.toReversed()), "j1")),
      instances[1]?.apply(batch(lines(...MANY.slice(0, 40)), "j2")),
    ]);
    expect(await instances[0]?.summary({})).toMatchObject({ calls: 700, failed: 100, sessions: 9 });
    expect(applied.map((one) => one?.observations)).toEqual([700, 700, 40]);
    expect(applied.reduce((sum, one) => sum + (one?.counted.length ?? 0), 0)).toBe(700);
    expect(await instances[1]?.appliedPosition("j1")).toBe("1");
  });

  it("large batches do not block writers of other sessions", async () => {
    const [store] = await open(1);
    const other = new PostgresDatabase(url, { connections: 2 });
    try {
      await other.transaction(async (tx) => {
        await perform(tx, lockAll([{ project: "default", session_id: "elsewhere" }], []));
        await store?.apply(batch(lines(...MANY), "j0"));
      });
    } finally {
      await other.close();
    }
    expect(await store?.summary({})).toMatchObject({ calls: 700 });
  });

  it("links use rows that another server wrote meanwhile, not the cached thread", async () => {
    const [one, two, fresh] = (await open(3)) as [Store, Store, Store];
    const call = (n: number): ReturnType<typeof callObservation> =>
      callObservation({
        ...{ tool_call_id: `toolu_turn${String(n).padStart(8, "0")}`, occurred_at: NOON + n * 1000 },
        ...{ arguments: args(`file ${n % 2}`), result: result(`text ${n}`, n % 3 === 0 ? FAILED : OK) },
      });
    const plain = createTestStore();
    for (let n = 0; n < 24; n += 1) {
      // The first server caches the thread, then the second writes, partly late.
      const seen = n % 4 === 3 ? [call(n), call(100 - n)] : [call(n)];
      await (n % 3 === 2 ? two : one).apply(batch(lines(...seen)));
      await plain.apply(batch(lines(...seen)));
    }
    expect(await one.sessionDetail("default", "s1")).toEqual(await plain.sessionDetail("default", "s1"));
    await two.deleteSession("default", "s1", 0);
    await plain.deleteSession("default", "s1", 0);
    for (let n = 0; n < 6; n += 1) {
      const again = { ...call(n), place: { kind: "exact", n: 0 } };
      await (n === 0 ? fresh : one).apply(batch(lines(again)));
      await plain.apply(batch(lines(again)));
    }
    expect((await one.sessionDetail("default", "s1"))?.calls).toHaveLength(6);
    expect(await one.sessionDetail("default", "s1")).toEqual(await plain.sessionDetail("default", "s1"));
  });
});

describeWithPostgres("the PostgreSQL store", () => {
  beforeEach(() => empty(url));

  it("runs the three example queries of the failure-detection design unchanged", async () => {
    const [store] = await open(1);
    await store?.apply(
      batch(
        lines(
          requestObservation({ model: "big" }),
          callObservation({ tool_call_id: "toolu_1aaaaaaaaaaa", model: "big", result: result("1", FAILED) }),
          callObservation({ tool_call_id: "toolu_2aaaaaaaaaaa", model: "big", result: result("2", OK) }),
          callObservation({ tool_call_id: "toolu_3aaaaaaaaaaa", name: "Read" }),
        ),
      ),
    );
    const sql = postgres(url, { max: 1 });
    const rows = async (text: string): Promise<unknown[]> =>
      (await sql.unsafe(text)).map((row) =>
        Object.values(row).map((value) => (Number.isNaN(Number(value)) ? value : Number(value))),
      );
    expect(
      await rows(`SELECT tool_name, SUM(error_count) as failures, SUM(call_count) as total,
       ROUND(100.0 * SUM(error_count) / SUM(call_count), 2) as failure_rate_pct
FROM tool_calls
GROUP BY tool_name
ORDER BY failures DESC;`),
    ).toEqual([["Bash", 1, 2, 50]]);
    expect(
      await rows(`SELECT model_name, tool_name, SUM(error_count), SUM(call_count)
FROM tool_calls
GROUP BY model_name, tool_name
HAVING SUM(error_count) > 0;`),
      // The driver returns the second of two columns named `sum`.
    ).toEqual([["big", "Bash", 2]]);
    expect(
      await rows(`SELECT s.session_id, s.model_used, t.tool_name, t.error_count
FROM sessions s
JOIN tool_calls t ON s.session_id = t.session_id
WHERE t.error_count > 0
ORDER BY s.started_at DESC;`),
    ).toEqual([["s1", "big", "Bash", 1]]);
    expect(await rows("SELECT count(DISTINCT id) FROM tool_calls WHERE id = record_id")).toEqual([[2]]);
    expect(await rows("SELECT name FROM scores WHERE session_id = 's1' ORDER BY name")).toHaveLength(9);
    await sql.end();
  });

  it("returns lines that the database cannot store, and stores the rest of the batch", async () => {
    const other = await sharedDatabase();
    const [store] = await open(1, other);
    // A database may have limits beyond those the store enforces.
    const sql = postgres(other, { max: 1 });
    await sql.unsafe("ALTER TABLE calls ADD CONSTRAINT a_rule_of_its_own CHECK (tool_name <> 'unholdable')");
    await sql.end();
    const applied = await store?.apply(
      batch(
        lines(
          ...Array.from({ length: 9 }, (_, at) =>
            callObservation({
              name: at === 4 ? "unholdable" : "Bash",
              tool_call_id: `toolu_good${String(at).padStart(8, "0")}`,
              result: result(`text ${at}`),
            }),
          ),
        ),
      ),
    );
    expect(applied?.observations).toBe(8);
    expect(applied?.rejected).toHaveLength(1);
    expect(applied?.rejected[0]?.reason).toMatch(
      /^the database cannot hold it: PostgreSQL: new row .*a_rule_of_its_own/,
    );
    expect(await store?.summary({})).toMatchObject({ calls: 8 });
    expect(await store?.appliedPosition("j")).toBe("1");
  });

  it("removes NUL and lone surrogates from every text", async () => {
    const [store] = await open(1);
    const applied = await store?.apply(
      batch(
        lines(callObservation({ name: "Ba\u0000sh\ud800", tool_call_id: "toolu_\u0000", result: result("\udc00") })),
      ),
    );
    expect(applied?.rejected).toEqual([]);
    expect((await store?.breakdown("tool", {}))?.map(({ key }) => key)).toEqual(["Ba\ufffdsh\ufffd"]);
  });

  it("runs queries in its own thread and reports errors from there", async () => {
    const threaded = await openThreadedPostgres(url);
    stores.push(threaded);
    await threaded.apply(batch(lines(callObservation({ result: result("fine") }))));
    expect(await threaded.summary({})).toMatchObject({ calls: 1 });
    expect(await threaded.shared.tryAcquireLease("other", 1000)).toBe(true);
    await expect(openThreadedPostgres("postgres://toolmend@127.0.0.1:1/none")).rejects.toMatchObject({
      message: "PostgreSQL is not available (ECONNREFUSED)",
    });
  });

  it("survives dropped connections at any point: the thread continues and stores the rest", async () => {
    const threaded = await openThreadedPostgres(url, { responseTimeoutMs: 3000 });
    stores.push(threaded);
    const sql = postgres(url, { max: 1 });
    const calls = Array.from({ length: 200 }, (_, at) =>
      callObservation({ tool_call_id: `toolu_cut${String(at).padStart(8, "0")}`, result: result(`text ${at}`) }),
    );
    for (let round = 0; round < 12; round += 1) {
      const applying = threaded.apply(batch(lines(...calls.slice(0, 40 + round)))).catch(() => undefined);
      const asking = Promise.allSettled([threaded.summary({}), threaded.sessions({})]);
      await new Promise((resolve) => setTimeout(resolve, 2 * round));
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toolmend' AND datname = current_database()`;
      await Promise.all([applying, asking]);
    }
    await sql.end();
    // The last cut connection may still be noticed by the next call; the recorder tries again, too.
    await until("the rest is stored", async () => {
      const applied = await threaded.apply(batch(lines(...calls))).catch((error: unknown) => error);
      if (applied instanceof Error && !isStoreUnavailable(applied)) throw applied;
      return !(applied instanceof Error);
    });
    expect(await threaded.summary({})).toMatchObject({ calls: 200 });
  });

  it("the server detects within seconds that a client disappeared during a transaction", async () => {
    const db = new PostgresDatabase(url);
    const settings = await db.transaction(
      async (queries) =>
        await queries.all(
          "SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY name COLLATE \"C\"",
        ),
    );
    await db.close();
    expect(settings.map(({ name, setting }) => [name, setting])).toEqual([
      ["tcp_keepalives_count", "3"],
      ["tcp_keepalives_idle", "5"],
      ["tcp_keepalives_interval", "2"],
    ]);
  });

  it("opens no LISTEN connection after close: it would keep the process from exiting", async () => {
    const db = new PostgresDatabase(url);
    await db.close();
    await db.listen("toolmend", () => undefined);
    const sql = postgres(url, { max: 1 });
    const [row] = await sql`SELECT count(*)::int AS listening FROM pg_stat_activity
      WHERE datname = current_database() AND query ILIKE 'listen%'`;
    await sql.end();
    expect(row).toEqual({ listening: 0 });
  });

  it("renames the fields and leak reasons of records that an earlier version has written", async () => {
    const source = await sharedDatabase();
    const store = await openPostgresStore(source);
    const stored_response = { answer_key: "k", counts: { call_0: 2 }, prompt_position: { count: 3 } };
    await store.apply(
      batch(
        lines(
          callObservation({ source: "hook", place: { kind: "newest" }, permission_requested: true }),
          callObservation({ result: { ...result("no"), not_executed: true, if_permission_requested: FAILED } }),
          requestObservation(),
          responseObservation({ stored_response }),
          leakObservation({ result: "left", reason: "max-tokens", tool_call_ids: [] }),
          { ...requestObservation(), kind: "session", event: "idle" },
        ),
      ),
    );
    await store.close();
    const other = await sharedDatabase();
    await writeOldPostgres(other, 6, await readTables(source));
    const sql = postgres(other, { max: 1 });
    const records = async (): Promise<string> =>
      JSON.stringify([
        ...(await sql`SELECT record::jsonb FROM calls`),
        ...(await sql`SELECT record::jsonb FROM requests`),
        ...(await sql`SELECT record::jsonb FROM sessions`),
        ...(await sql`SELECT reason, record::jsonb FROM leaks`),
      ]);
    const current = await records();
    for (const table of ["calls", "requests", "sessions", "leaks"])
      await sql.unsafe(`UPDATE ${table} SET record = replace(replace(replace(replace(replace(replace(record,
        '"if_permission_requested":', '"if_asked":'), '"permission_requested":', '"asked":'),
        '"not_executed":', '"unrun":'), '"prompt_position":', '"asked":'),
        '"stored_response":', '"held":'), '"idle_at":', '"quiet_at":')`);
    await sql`UPDATE leaks SET reason = 'length', record = replace(record, 'max-tokens', 'length')`;
    expect(await records()).not.toBe(current);
    await (await openPostgresStore(other)).close();
    expect(await records()).toBe(current);
    await sql.end();
    for (const name of ["permission_requested", "not_executed", "stored_response", "prompt_position", "idle_at"])
      expect(current).toContain(`"${name}":`);
  });

  it("rejects a database written by a newer Toolmend", async () => {
    const other = await sharedDatabase();
    await (await openPostgresStore(other)).close();
    const sql = postgres(other, { max: 1 });
    await sql`INSERT INTO schema_version VALUES (999, now())`;
    await sql.end();
    await expect(openPostgresStore(other)).rejects.toMatchObject({ code: "newer-schema" });
    const reader = openPostgresReader(other);
    await expect(reader.isEmpty()).rejects.toMatchObject({ code: "newer-schema" });
    await reader.close();
  });
});
