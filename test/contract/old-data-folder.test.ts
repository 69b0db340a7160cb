import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import type { Store } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

/**
 * Written by schema version 9, the last one before names changed (`asked`, `unrun`, `if_asked`, `held`, `quiet`, seven
 * leak reasons), and killed: session `applied` is in the database, session `tail` only in the journal.
 */
const OLD = join(import.meta.dirname, "../fixtures/data-schema-9");

let path: string;
let store: Store;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), "toolmend-old-data-"));
  cpSync(OLD, path, { recursive: true });
  writeFileSync(join(path, "toolmend.db"), gunzipSync(readFileSync(join(path, "toolmend.db.gz"))));
  const folder = dataFolder(path);
  store = openSqliteStore(folder.database);
  const journal = new Journal({ folder: folder.journal });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected });
  await recorder.start();
  await recorder.drain();
  await recorder.close();
});
afterEach(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

function records(table: string): readonly Record<string, unknown>[] {
  const db = new Database(join(path, "toolmend.db"));
  try {
    return db.all(`SELECT record FROM ${table} ORDER BY session_id`).map(({ record }) => JSON.parse(record as string));
  } finally {
    db.close();
  }
}

describe("A data folder written before names changed", () => {
  it("keeps every call, from the database and from the unapplied journal", async () => {
    const { calls } = await store.summary({});
    expect(calls).toBe(4);
    for (const session of ["applied", "tail"]) {
      const detail = await store.sessionDetail("default", session);
      // The hook saw a permission request, so the refusal counts instead of the result.
      expect(detail?.calls.map(({ status, phase, category }) => [status, phase, category])).toEqual([
        ["failed", "gate", "denied"],
        ["failed", "run", "exit_code"],
      ]);
    }
  });

  it("shows every leak under its new reason", async () => {
    const db = new Database(join(path, "toolmend.db"));
    const rows = db.all("SELECT session_id, reason FROM leaks ORDER BY session_id, format");
    db.close();
    const reasons = [
      ...["aborted", "unknown-stop-reason", "buffer-full", "passed-through"],
      ...["invalid-name", "free-text-tool", "max-tokens", "echo"],
    ];
    expect(rows.filter(({ session_id }) => session_id === "applied").map(({ reason }) => reason)).toEqual(reasons);
    expect(rows.filter(({ session_id }) => session_id === "tail").map(({ reason }) => reason)).toEqual(reasons);
    expect(records("leaks").map(({ reason }) => reason)).not.toContain("length");
  });

  it("stores both sessions under the new field names, and keeps argument names", () => {
    for (const table of ["calls", "requests", "sessions"])
      expect(JSON.stringify(records(table))).not.toMatch(/"(?:unrun|if_asked|held|quiet_at)":/);
    const [call] = records("calls") as unknown as readonly [{ facts: Record<string, { value: unknown }> }];
    expect(call.facts.permission_requested?.value).toBe(true);
    expect(call.facts.result?.value).toMatchObject({ not_executed: true, if_permission_requested: { phase: "gate" } });
    expect(call.facts.arguments?.value).toMatchObject({ keys: { asked: "h" } });
    for (const request of records("requests"))
      expect(request).toMatchObject({
        response: { stored_response: { counts: { call_0: 2 }, prompt_position: { count: 3, prompt: "2-abc" } } },
      });
    for (const session of records("sessions")) expect(session.idle_at).toBe(Date.UTC(2026, 2, 10, 12, 0, 5));
  });
});
