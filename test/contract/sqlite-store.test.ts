import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteReader, openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { openThreadedStore, type StoreError } from "../../src/store/thread/threaded-store.ts";
import { callObservation, FAILED, lines, NOON, OK, requestObservation, result } from "../support/observations.ts";
import { writeOldDatabase } from "../support/old-schema.ts";

let folder: string;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-store-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function apply(...observations: readonly object[]): ReturnType<Store["apply"]> {
  return store.apply({ journal: "j1", position: "1", live: true, lines: lines(...observations) });
}

describe("the SQLite store", () => {
  it("runs the three useful queries of the failure-detection design as they are written", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    await apply(
      requestObservation({ model: "big" }),
      callObservation({ tool_call_id: "toolu_1aaaaaaaaaaa", model: "big", result: result("1", FAILED) }),
      callObservation({ tool_call_id: "toolu_2aaaaaaaaaaa", model: "big", result: result("2", OK) }),
      callObservation({ tool_call_id: "toolu_3aaaaaaaaaaa", name: "Read" }),
    );
    const db = new Database(join(folder, "store.db"), { readOnly: true });
    const rows = (sql: string): unknown[] => db.all(sql).map((row) => Object.values(row));
    expect(
      rows(`SELECT tool_name, SUM(error_count) as failures, SUM(call_count) as total,
       ROUND(100.0 * SUM(error_count) / SUM(call_count), 2) as failure_rate_pct
FROM tool_calls
GROUP BY tool_name
ORDER BY failures DESC;`),
    ).toEqual([["Bash", 1, 2, 50]]);
    expect(
      rows(`SELECT model_name, tool_name, SUM(error_count), SUM(call_count)
FROM tool_calls
GROUP BY model_name, tool_name
HAVING SUM(error_count) > 0;`),
    ).toEqual([["big", "Bash", 1, 2]]);
    expect(
      rows(`SELECT s.session_id, s.model_used, t.tool_name, t.error_count
FROM sessions s
JOIN tool_calls t ON s.session_id = t.session_id
WHERE t.error_count > 0
ORDER BY s.started_at DESC;`),
    ).toEqual([["s1", "big", "Bash", 1]]);
    expect(rows("SELECT count(DISTINCT id) FROM tool_calls WHERE id = record_id")).toEqual([[2]]);
    db.close();
  });

  it("rejects a database written by a newer Toolmend", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    const db = new Database(join(folder, "store.db"));
    db.run("INSERT INTO schema_version VALUES (999, 'later')");
    db.close();
    expect(() => openSqliteStore(join(folder, "store.db"))).toThrow("schema version 999");
    const error = (await openThreadedStore(join(folder, "store.db")).catch((one: unknown) => one)) as StoreError;
    expect(error.code).toBe("newer-schema");
    // The stack of the thread, where the error occurred.
    expect((error.cause as Error).stack).toContain("migrate.ts");
    await expect(openThreadedStore(join(folder, "store.db"))).rejects.toMatchObject({ code: "newer-schema" });
  });

  it("runs read-only queries while another connection writes", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    const reader = openSqliteReader(join(folder, "store.db"));
    await apply(callObservation({ result: result("fine") }));
    expect(await reader.summary({})).toMatchObject({ calls: 1 });
    await reader.close();
  });
});

it("a store of an older version gets the origin of its calls", async () => {
  const path = join(folder, "store.db");
  store = openSqliteStore(path);
  await apply(
    callObservation({ tool_call_id: "a", origin: "recovered", result: result("x", FAILED) }),
    callObservation({ tool_call_id: "b", result: result("y") }),
  );
  const expected = await store.originOutcomes({});
  await store.close();
  writeOldDatabase(path, join(folder, "old.db"), 3);
  store = openSqliteStore(join(folder, "old.db"));
  expect(await store.originOutcomes({})).toEqual(expected);
  expect(await store.recoveredCalls("default", ["a", "b"])).toEqual(["a"]);
});

it("a store of an older version gets the number of its unhealthy sessions", async () => {
  const path = join(folder, "store.db");
  store = openSqliteStore(path);
  const outcomes = [FAILED, FAILED, FAILED, OK, OK];
  const calls = outcomes.flatMap((outcome, n) =>
    ["a", "b"].map((session_id) =>
      callObservation({ session_id, tool_call_id: `${session_id}${n}`, result: result(`${n}`, outcome) }),
    ),
  );
  await apply(...calls, callObservation({ session_id: "c", tool_call_id: "c", result: result("well") }));
  await store.close();
  writeOldDatabase(path, join(folder, "old.db"), 7);
  store = openSqliteStore(join(folder, "old.db"));
  expect(await store.unhealthySessions({})).toBe(2);
  expect(await store.unhealthySessions({ since: NOON - 86_400_000, until: NOON + 30 * 86_400_000 })).toBe(2);
});
