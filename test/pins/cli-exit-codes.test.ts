import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { type Ran, runCommand } from "../support/run-command.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-exit-"));
  for (const name of ["empty", "good", "broken"]) mkdirSync(join(folder, name));
  await openSqliteStore(join(folder, "good", "toolmend.db")).close();
  writeFileSync(join(folder, "broken", "toolmend.db"), "this is no database ".repeat(500));
  writeFileSync(join(folder, "file"), "this is no folder\n");
  // A folder that cannot be listed, not even by root.
  symlinkSync(join(folder, "looped"), join(folder, "looped"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command line; `@name` is a file in the folder. */
function run(line: string): Promise<Ran> {
  const args = line.split(" ").filter((word) => word !== "");
  return runCommand(
    args.map((arg) => (arg.startsWith("@") ? join(folder, arg.slice(1)) : arg)),
    { width: 80, now: () => 0 },
  );
}

describe("exit code 0 on success", () => {
  it.each([
    "--help",
    "--version",
    "overview --help",
    "start --help",
    "report --help",
    "report --data @good",
    "report --data @good --json",
    "sessions --data @good",
    "sessions --data @good --json",
    "show --help",
    "tail --help",
    "delete --older 30d --data @good",
    "delete --older 30d --data @good --json",
    "export langfuse --dry-run --data @good",
    "env",
    "env codex",
  ])("%s", async (line) => {
    const { code, out, err } = await run(line);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/\S/);
  });
});

describe("exit code 1 on failure, with one line that says why", () => {
  it.each([
    ["report --data @empty", /^Nothing recorded in .*empty yet\./],
    ["sessions --data @empty", /^Nothing recorded in .*empty yet\./],
    ["sessions --data @broken", /^Cannot read .*not a database/],
    ["show nosuch --data @good", /^Session nosuch not found\. `.* sessions --data .*good` lists/],
    ["delete nosuch --data @good", /^Session nosuch not found\./],
    ["tail --data @good", /^No server is running for/],
    ["report --by fingerprint --data @broken", /^Cannot read .*not a database/],
    ["report --data @broken", /^Cannot read .*not a database/],
    ["report --data @good --config @missing.json", /^Configuration file not found: /],
    ["start --host 0.0.0.0 --data @empty", /a token is required/],
    ["start --port 0 --data @file", /file cannot be used: it is not a folder \(EEXIST\).*--data/],
    ["start --port 0 --data @file/inside", /inside cannot be used: not a directory \(ENOTDIR\).*--data/],
    ["import @file --data @file/inside", /inside cannot be used: not a directory \(ENOTDIR\).*--data/],
    ["delete --older 30d --data @file/inside", /inside cannot be used: not a directory \(ENOTDIR\).*--data/],
    ["demo --once --port 0 --data @file/inside", /inside cannot be used: not a directory \(ENOTDIR\).*--data/],
    ["report --data @looped", /^Cannot read .*looped\/toolmend\.db: ELOOP/],
  ])("%s", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("exit code 2 on invalid usage", () => {
  it.each([
    "nonsense",
    "--nonsense",
    "--json extra",
    "--max-seconds soon",
    "--max-seconds -1",
    "start --nonsense",
    "start --port",
    "start --port abc",
    "start --port 70000",
    "start --upstream foo",
    "start --upstream my=foo",
    "repair on",
    "repair any --calls",
    "start --capture everything",
    "report --by colour",
    "sessions --health ill",
    "sessions --sort colour",
    "sessions --json --csv",
    "sessions --data @good --severity bad",
    "sessions --data @good --severity 1.5",
    "sessions --data @good --limit 0",
    "show",
    "delete --data @good",
    "delete s1 --older 30d --data @good",
    "delete --older soon --data @good",
    "tail extra",
    "report --json --csv",
    "report --since",
    "doctor extra words",
    "report --data @good --since soon",
    "report --data @good --until soon",
    "report --data @good --since 1d --until 7d",
    "report --data @good --since 0d",
    "env nosuchclient",
  ])("%s", async (line) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/\S/);
  });
});

describe("programs get an empty answer if nothing is recorded", () => {
  it.each([
    ["sessions --json", "[]\n"],
    [
      "report --by fingerprint --json",
      '{\n  "by": "fingerprint",\n  "since": null,\n  "until": null,\n  "rows": []\n}\n',
    ],
    ["report --by loop --json", '{\n  "by": "loop",\n  "since": null,\n  "until": null,\n  "rows": []\n}\n'],
    ["report --by fingerprint --csv", "key,category,count,first_at,last_at,tool,sample\n"],
    ["delete --older 30d --json", '{"deleted":0}\n'],
  ])("%s", async (line, answer) => {
    expect(await run(`${line} --data @empty`)).toEqual({ code: 0, out: answer, err: "" });
    expect(readdirSync(join(folder, "empty"))).toEqual([]);
  });

  it("export --dry-run --json", async () => {
    const args = ["export", "otlp", "--dry-run", "--json", "--data", join(folder, "empty")];
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    const out = '{"target":"otlp","dry_run":true,"sessions":0,"spans":0,"scores":0}\n';
    expect(await runCommand(args, { environment })).toEqual({ code: 0, out, err: "" });
  });

  it("generated records of the demo never pass for real ones", async () => {
    const home = process.env.HOME;
    const demo = join(folder, "home", ".toolmend-demo");
    mkdirSync(demo, { recursive: true });
    await openSqliteStore(join(demo, "toolmend.db")).close();
    process.env.HOME = join(folder, "home");
    try {
      const asText = await runCommand(["sessions"]);
      expect(asText.err).toContain("showing the demo's data");
      const asJson = await runCommand(["sessions", "--json"]);
      expect(asJson).toEqual({ code: 0, out: "[]\n", err: "" });
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
      expect((await runCommand(["export", "otlp", "--dry-run"], { environment })).err).not.toContain("demo");
    } finally {
      process.env.HOME = home;
    }
  });

  it("report --json has totals of 0 and no rows", async () => {
    const { code, out, err } = await run("report --json --data @empty");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ totals: { calls: 0, failed: 0, failure_rate: null }, rows: [] });
  });

  it("an empty range of a store with records has no rows", async () => {
    const { code, out, err } = await run("report --json --since 2001-01-01 --until 2001-01-02 --data @good");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out).rows).toEqual([]);
  });
});

it("import without a transcript says so, and fails", async () => {
  const { code, out } = await run("import @file --data @fresh");
  expect(code).toBe(1);
  expect(out).toContain("No transcript was found, so nothing was imported.");
});

it("env prints only lines for eval", async () => {
  expect((await run("env claude-code --port 5000 --data @empty")).out).toBe(
    "export ANTHROPIC_BASE_URL=http://127.0.0.1:5000\nexport ENABLE_TOOL_SEARCH=true\nexport CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1\n",
  );
});

it("delete --older prints nothing else if no session is that old", async () => {
  expect((await run("delete --older 1000d --data @good")).out).toBe(
    "No session is older than 1000d. Nothing was deleted.\n",
  );
});

it("report on files without calls names the supported formats, not how to record", async () => {
  const { code, out } = await run("report @file");
  expect(code).toBe(0);
  expect(out).toBe(
    "No tool calls found in these paths. `npm run -s toolmend -- import --help` lists the supported files.\n",
  );
});
