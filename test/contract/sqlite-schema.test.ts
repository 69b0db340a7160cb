import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Observation } from "../../src/core/model/observation.ts";
import { hashText } from "../../src/store/hash-text.ts";
import type { Store, StoreReader } from "../../src/store/port.ts";
import { Database, type Row, type Value } from "../../src/store/sqlite/database.ts";
import { rebuild } from "../../src/store/sqlite/rebuild.ts";
import {
  createSqliteStore,
  openSqliteReader,
  openSqliteStore,
  SqliteReader,
} from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, FAILED, lines, NOON, OK, requestObservation, result } from "../support/observations.ts";
import { writeOldDatabase } from "../support/old-schema.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-schema-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Two sessions with retries, a recovery and a follow-on, over two days. */
function someDays(): readonly Observation[] {
  return [0, 1].flatMap((session) => [
    requestObservation({ session_id: `s${session}`, request_id: `r${session}`, occurred_at: NOON - 10 }),
    ...Array.from({ length: 12 }, (_, n) =>
      callObservation({
        session_id: `s${session}`,
        tool_call_id: `toolu_${session}${String(n).padStart(10, "x")}q`,
        name: n % 3 === 0 ? "Bash" : "Read",
        model: "m",
        occurred_at: NOON + n * 5_000_000,
        execution_time_ms: 10 * n,
        turn: `t${n}`,
        workflow: n % 2 === 0 ? "docs" : "test",
        arguments: { fingerprint: `a${n % 4}`, keys: {}, resources: [`path:p${n % 4}`], size_bytes: 1 },
        result: result(`${session}-${n}`, n % 4 === 1 || n % 5 === 0 ? { ...FAILED, fingerprint: `f${n % 2}` } : OK),
      }),
    ),
  ]);
}

async function filled(path: string): Promise<Store> {
  const store = openSqliteStore(path);
  for (const one of someDays()) await store.apply({ journal: "j", position: "1", live: true, lines: lines(one) });
  return store;
}

async function everything(reader: StoreReader): Promise<readonly unknown[]> {
  return [
    await reader.sessionDetail("default", "s0"),
    await reader.sessionDetail("default", "s1"),
    await reader.summary({}),
    await reader.sessions({ category: "exit_code", sort: "failures" }),
    await reader.breakdown("tool", { since: NOON, until: NOON + 86_400_000, previous: true }),
    await reader.breakdown("workflow", {}),
    await reader.series({ step: "hour" }),
    await reader.fingerprints({}),
    await reader.toolModel({}),
  ];
}

describe("a database of an earlier version", () => {
  it("gets links, scores and aggregates for everything it contains", async () => {
    const store = await filled(join(folder, "new.db"));
    const expected = await everything(store);
    await store.close();
    writeOldDatabase(join(folder, "new.db"), join(folder, "old.db"), 2);
    const migrated = openSqliteStore(join(folder, "old.db"));
    expect(await everything(migrated)).toEqual(expected);
    await migrated.close();
  });

  it("recomputing it at any time changes nothing", async () => {
    const path = join(folder, "store.db");
    const store = await filled(path);
    const before = await everything(store);
    await store.close();
    const db = new Database(path);
    db.transaction(() => rebuild(db, hashText));
    db.close();
    const reader = openSqliteReader(path);
    expect(await everything(reader)).toEqual(before);
    await reader.close();
  });
});

describe("query plans", () => {
  const executed: (readonly [sql: string, values: readonly Value[]])[] = [];
  class Listening extends Database {
    override get(sql: string, ...values: Value[]): Row | undefined {
      executed.push([sql, values]);
      return super.get(sql, ...values);
    }
    override all(sql: string, ...values: Value[]): Row[] {
      executed.push([sql, values]);
      return super.all(sql, ...values);
    }
  }

  it("no query scans all calls", async () => {
    const path = join(folder, "store.db");
    const store = await filled(path);
    await store.close();
    executed.length = 0;
    const db = new Listening(path, { readOnly: true });
    const reader = new SqliteReader(db);
    await everything(reader);
    for (const by of ["model", "provider", "category", "phase", "day", "session"] as const) {
      await reader.breakdown(by, { project: "default", since: NOON, until: NOON + 9e8 });
    }
    await reader.sessions({ health: "unhealthy", tool: "Bash", severity: { is: ">", value: 0.7 }, sort: "severity" });
    await reader.sessions({ severity: { is: "<", value: 0.7 }, text: "x", workflow: "docs", since: NOON });
    await reader.leaks({});
    const statements = executed.splice(0);
    expect(statements.length).toBeGreaterThan(25);
    const scans = statements.flatMap(([sql, values]) =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`, ...values)
        .map(({ detail }) => String(detail))
        .filter((detail) => /\bSCAN (?:c|calls)\b(?! USING INDEX calls_pending)/.test(detail)),
    );
    expect(scans).toEqual([]);
    await reader.close();
  });

  it("the calls of a prompt are found without reading all calls of its session", async () => {
    const path = join(folder, "store.db");
    await (await filled(path)).close();
    executed.length = 0;
    const db = new Listening(path);
    const store = createSqliteStore(db, path);
    const prompt: Observation = {
      ...{ v: 1, kind: "prompt", project: "default", session_id: "s0", agent_id: "root", source: "hook", live: true },
      ...{ occurred_at: NOON, seen_at: NOON, prompt: "p" },
    };
    await store.apply({ journal: "j", position: "2", live: true, lines: lines(prompt) });
    const plans = executed
      .splice(0)
      .filter(([sql]) => /FROM calls .*prompt = /s.test(sql))
      .flatMap(([sql, values]) => db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail)));
    expect(plans).toEqual([expect.stringContaining("INDEX calls_prompt")]);
    await store.close();
  });
});
