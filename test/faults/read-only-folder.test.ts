import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { notRun } from "../support/not-run.ts";
import { lines } from "../support/observations.ts";
import { readerProblem, runAsReader } from "../support/reader-process.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { troubledSession } from "../support/troubled-session.ts";

// Data of another user, or on a disk mounted read-only: commands read it, or report why they cannot.

let folder: string;
let copy: string;
beforeEach(() => {
  [folder, copy] = ["toolmend-records-", "toolmend-copy-"].map((name) => mkdtempSync(join(tmpdir(), name))) as [
    string,
    string,
  ];
});
afterEach(() => {
  for (const path of [folder, copy]) {
    chmodSync(path, 0o700);
    rmSync(path, { recursive: true, force: true });
  }
});

/** Records a session; `beforeClosing` sees the files as a crash would leave them. */
async function write(beforeClosing = (): void => undefined): Promise<void> {
  const store = openSqliteStore(join(folder, "toolmend.db"));
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...troubledSession()) });
  beforeClosing();
  await store.close();
}

/** Runs a command that can read the folder but not write to it. */
async function asReader(path: string, ...args: readonly string[]): Promise<Ran> {
  chmodSync(join(path, "toolmend.db"), 0o444);
  chmodSync(path, 0o555);
  return await runAsReader([...args, "--data", path], path);
}

/** Doctor sends no request to a provider. */
const NOWHERE = ["--anthropic", "http://127.0.0.1:1", "--openai", "http://127.0.0.1:1"];
const NOTHING_NEW = expect.objectContaining({ code: 0, err: "" });

const problem = readerProblem();
describe.skipIf(problem !== undefined)(`a read-only data folder${notRun(problem)}`, () => {
  it("a read-only folder works with report, sessions and show", async () => {
    await write();
    for (const args of [
      ["report", "--json"],
      ["sessions", "--json"],
      ["show", "troubled"],
    ])
      expect(await asReader(folder, ...args)).toEqual(NOTHING_NEW);
    const { out } = await asReader(folder, "report", "--json");
    expect((JSON.parse(out) as { totals: { calls: number } }).totals.calls).toBeGreaterThan(0);
  });

  it("a read-only folder of a killed server is not read partially: one line explains what to do", async () => {
    await write(() => {
      for (const end of ["", "-wal"]) copyFileSync(join(folder, `toolmend.db${end}`), join(copy, `toolmend.db${end}`));
      chmodSync(join(copy, "toolmend.db-wal"), 0o444);
    });
    const { code, out, err } = await asReader(copy, "report");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^[^\n]*was not closed properly[^\n]*Copy the folder to a writable location[^\n]*\n$/);
  });
});

describe("data of a newer Toolmend", () => {
  it("report and doctor reject it just as start does", async () => {
    await write();
    const db = new Database(join(folder, "toolmend.db"));
    db.run("INSERT INTO schema_version VALUES (999, 'later')");
    db.close();
    const report = await runCommand(["report", "--data", folder]);
    expect(report).toMatchObject({ code: 1, out: "" });
    expect(report.err).toMatch(
      /^[^\n]*schema version 999, this version of Toolmend supports up to \d+\. Update Toolmend[^\n]*\n$/,
    );
    const doctor = await runCommand(["doctor", "--json", "--data", folder, "--port", "1", ...NOWHERE]);
    expect(doctor.code).toBe(1);
    const { findings } = JSON.parse(doctor.out) as { findings: { check: string; status: string; detail: string }[] };
    expect(findings.find(({ check }) => check === "store")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("schema version 999"),
    });
  });
});
