import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bash, ClaudeTranscript } from "../../../test/support/claude-transcript.ts";
import type { CallObservation, Observation } from "../../core/model/observation.ts";
import { CallObserver } from "../observe/observe-call.ts";
import { ImportCheckpoints } from "./import-checkpoints.ts";
import { TranscriptWatch, type WatchOptions } from "./watch-transcripts.ts";

let folder: string;
let watch: TranscriptWatch | undefined;
let recorded: CallObservation[];
let problems: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-watch-"));
  mkdirSync(join(folder, "projects"));
  writeFileSync(join(folder, "db"), "");
  recorded = [];
  problems = [];
});
afterEach(async () => {
  await watch?.close();
  rmSync(folder, { recursive: true, force: true });
});

function startWatch(options: Partial<WatchOptions> = {}): TranscriptWatch {
  watch = new TranscriptWatch({
    folders: [join(folder, "projects")],
    observer: new CallObserver({ capture: "none", salt: "s" }),
    checkpoints: new ImportCheckpoints(join(folder, "imports.json"), join(folder, "db")),
    project: "default",
    now: Date.now,
    async send(observations: readonly Observation[]) {
      recorded.push(...observations.filter((one) => one.kind === "call"));
    },
    onProblem: (message) => problems.push(message),
    tickMs: 10,
    ...options,
  });
  watch.start();
  return watch;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 500; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

const at = (name: string): string => join(folder, "projects", name);
const ids = (): readonly string[] => [...new Set(recorded.map(({ tool_call_id }) => tool_call_id))];

it("the watch records calls after the start as live and earlier ones as history", async () => {
  const old = new ClaudeTranscript({ start: Date.now() - 3_600_000 }).calls([bash("toolu_old")]).ok("toolu_old");
  writeFileSync(at("a.jsonl"), old.text());
  startWatch();
  await until(() => ids().includes("toolu_old"));
  const fresh = new ClaudeTranscript({ start: Date.now() }).calls([bash("toolu_new")], "m9").ok("toolu_new");
  appendFileSync(at("a.jsonl"), fresh.text());
  await until(() => recorded.some(({ tool_call_id, result }) => tool_call_id === "toolu_new" && result !== undefined));
  expect(Object.fromEntries(recorded.map(({ tool_call_id, live }) => [tool_call_id, live]))).toEqual({
    toolu_old: false,
    toolu_new: true,
  });
  expect(recorded.filter(({ tool_call_id }) => tool_call_id === "toolu_old")).toHaveLength(1);
});

it("the watch finds new files, also in new folders", async () => {
  startWatch({ walkMs: 50 });
  mkdirSync(at("later"));
  writeFileSync(at("later/s.jsonl"), new ClaudeTranscript().calls([bash("toolu_x")]).text());
  await until(() => ids().includes("toolu_x"));
});

it("the watch reads a line only when it is complete", async () => {
  const [line] = new ClaudeTranscript().calls([bash("toolu_half")]).lines as [string];
  writeFileSync(at("a.jsonl"), line.slice(0, 100));
  startWatch();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(recorded).toEqual([]);
  appendFileSync(at("a.jsonl"), `${line.slice(100)}\n`);
  await until(() => ids().includes("toolu_half"));
  expect(problems).toEqual([]);
});

it("the watch ignores old files until they change", async () => {
  writeFileSync(at("old.jsonl"), new ClaudeTranscript().calls([bash("toolu_a")]).text());
  utimesSync(at("old.jsonl"), new Date(0), new Date(0));
  writeFileSync(at("recent.jsonl"), new ClaudeTranscript().calls([bash("toolu_b")]).text());
  startWatch({ walkMs: 50 });
  await until(() => ids().includes("toolu_b"));
  expect(ids()).toEqual(["toolu_b"]);
  appendFileSync(at("old.jsonl"), new ClaudeTranscript().calls([bash("toolu_c")], "m7").text());
  await until(() => ids().includes("toolu_c"));
  expect([...ids()].sort()).toEqual(["toolu_a", "toolu_b", "toolu_c"]);
});

it("the watch retries observations that could not be recorded", async () => {
  writeFileSync(at("a.jsonl"), new ClaudeTranscript().calls([bash("toolu_a")]).text());
  let tries = 0;
  startWatch({
    async send(observations) {
      tries += 1;
      if (tries < 3) throw new Error("not now");
      recorded.push(...observations.filter((one) => one.kind === "call"));
    },
  });
  await until(() => ids().includes("toolu_a"));
  expect(problems).toEqual(["not now", "not now"]);
});

it("the watch resumes where an earlier one stopped", async () => {
  writeFileSync(
    at("a.jsonl"),
    new ClaudeTranscript()
      .calls([bash("toolu_a")])
      .ok("toolu_a")
      .text(),
  );
  startWatch();
  await until(() => recorded.length === 1);
  await watch?.close();
  appendFileSync(at("a.jsonl"), new ClaudeTranscript().calls([bash("toolu_b")], "m8").text());
  recorded = [];
  startWatch();
  await until(() => ids().includes("toolu_b"));
  expect(ids()).toEqual(["toolu_b"]);
});
