import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callObservation, FAILED, NOON, result } from "../../../test/support/observations.ts";
import type { Store } from "../../store/port.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { type DataFolder, dataFolder, prepareDataFolder } from "../data-folder.ts";
import { EventFeed } from "../event-feed.ts";
import { Journal } from "../journal/journal.ts";
import { Recorder } from "../recorder.ts";
import { SessionDeleter, UncleanDeletionError } from "./session-deleter.ts";

const HOUR_MS = 3_600_000;
let folder: DataFolder;
let store: Store;
let recorder: Recorder;
let feed: EventFeed;
let journal: Journal;
let now: number;
let scrubs: number;
/** Replaces the rewriting of the database. */
let scrub: () => Promise<void>;

beforeEach(async () => {
  folder = dataFolder(mkdtempSync(join(tmpdir(), "toolmend-deleter-")));
  prepareDataFolder(folder);
  now = NOON + 1000;
  scrubs = 0;
  scrub = async () => undefined;
  store = Object.assign(openSqliteStore(folder.database), {
    async scrub() {
      scrubs += 1;
      await scrub();
    },
  });
  journal = new Journal({ folder: folder.journal, batchMs: 0 });
  recorder = new Recorder({ journal, store, rejectedFile: folder.rejected, onApplied: () => void feed.drain() });
  feed = new EventFeed({ store, folder: folder.events, now: () => now });
  await recorder.start();
});
afterEach(async () => {
  await recorder.close();
  await feed.drain();
  await store.close();
  rmSync(folder.path, { recursive: true, force: true });
});

function deleter(): SessionDeleter {
  return new SessionDeleter({
    ...{ store, recorder, feed, folder, journal: journal.id, now: () => now },
    settle: async () => undefined,
    forgetTranscripts: () => undefined,
  });
}

async function record(session_id: string, at = NOON): Promise<void> {
  const outcome = { ...FAILED, excerpt: `${session_id} excerpt` };
  const base = { session_id, occurred_at: at, seen_at: at, place: { kind: "exact", n: 0 } } as const;
  await recorder.record([
    callObservation({ ...base, tool_call_id: `${session_id}call`, result: result("x", outcome) }),
  ]);
  await recorder.drain();
  await feed.drain();
}

const filesWith = (word: string): readonly string[] =>
  [folder.events, folder.journal].flatMap((path) =>
    readdirSync(path).filter((name) => readFileSync(join(path, name), "utf8").includes(word)),
  );

it("a deletion reports what it removed and leaves lines of other sessions", async () => {
  await record("s1");
  await record("s2");
  expect(filesWith('"s1"')).toEqual(["2026-03-10.jsonl", "00000001.jsonl"]);
  expect(await deleter().deleteSession("default", "s1")).toEqual({
    ...{ deleted: 1, calls: 1, event_lines: 3, event_files: 0, journal_segments: 1, exported: 0 },
    took_ms: expect.any(Number),
  });
  expect(filesWith('"s1"')).toEqual([]);
  expect(filesWith('"s2"')).toEqual(["2026-03-10.jsonl"]);
  expect(await deleter().deleteSession("default", "s1")).toMatchObject({ deleted: 0, event_lines: 0 });
  expect(scrubs).toBe(1);
});

it("a deletion that removes nothing does not rewrite the database", async () => {
  await record("s1");
  expect(await deleter().deleteOlder(NOON - HOUR_MS)).toMatchObject({ deleted: 0 });
  expect(await deleter().deleteSession("default", "nosuch")).toMatchObject({ deleted: 0 });
  expect(scrubs).toBe(0);
});

it("a deletion reports what is left when the database cannot be rewritten, and retries an hour later", async () => {
  await record("s1");
  scrub = async () => {
    throw new Error("the disk is full");
  };
  const one = deleter();
  await expect(one.deleteSession("default", "s1")).rejects.toThrow(UncleanDeletionError);
  expect(await store.sessions({})).toEqual([]);
  scrub = async () => undefined;
  now += HOUR_MS - 1;
  await one.resume();
  expect([scrubs, filesWith('"s1"')]).toEqual([1, ["00000001.jsonl"]]);
  now += 1;
  await one.resume();
  expect([scrubs, filesWith('"s1"')]).toEqual([2, []]);
  await one.resume();
  expect(scrubs).toBe(2);
});

it("a deletion fails and deletes nothing while the store is unavailable", async () => {
  await record("s1");
  const refusing = { ...recorder, storeProblem: "locked", drain: async () => undefined } as unknown as Recorder;
  const one = new SessionDeleter({
    ...{ store, recorder: refusing, feed, folder, journal: journal.id, now: () => now },
    settle: async () => undefined,
    forgetTranscripts: () => undefined,
  });
  await expect(one.deleteSession("default", "s1")).rejects.toThrow("the store is unavailable: locked");
  expect(await store.sessions({})).toHaveLength(1);
});

it("retention removes rows every time, but rewrites files for at most 1 % of the time", async () => {
  const one = deleter();
  scrub = async () => {
    // Takes long by the clock that the deleter measures with.
    const end = performance.now() + 30;
    while (performance.now() < end);
  };
  await record("s1");
  now = NOON + 2 * HOUR_MS;
  await one.retain(NOON + HOUR_MS);
  expect([scrubs, filesWith('"s1"')]).toEqual([1, []]);
  await record("s2", NOON + HOUR_MS);
  now += 1000;
  await one.retain(NOON + 2 * HOUR_MS);
  expect(await store.sessions({})).toEqual([]);
  expect([scrubs, filesWith('"s2"').length]).toEqual([1, 2]);
  now += 24 * HOUR_MS;
  await one.retain(NOON + 2 * HOUR_MS);
  expect([scrubs, filesWith('"s2"')]).toEqual([2, []]);
});

it("a session that a user deleted on another server is cleaned without delay", async () => {
  const one = deleter();
  await record("s1");
  await one.deleteSession("default", "s1");
  await record("s2");
  await store.deleteSession("default", "s2", now);
  await one.resume();
  expect(filesWith('"s2"')).toEqual([]);
});

it("retention removes old event files, rejected lines and notes", async () => {
  writeFileSync(join(folder.events, "2026-01-01.jsonl"), "old\n");
  writeFileSync(join(folder.events, "notes.txt"), "mine\n");
  writeFileSync(
    folder.rejected,
    `{"line":"x","reason":"r","at":${NOON - 2 * HOUR_MS}}\n{"line":"y","reason":"r","at":${NOON}}\n`,
  );
  expect(await deleter().retainFiles(NOON - HOUR_MS)).toMatchObject({ event_files: 1 });
  expect(readdirSync(folder.events)).toEqual(["notes.txt"]);
  expect(readFileSync(folder.rejected, "utf8")).toBe(`{"line":"y","reason":"r","at":${NOON}}\n`);
});

it("drafts left by a crash are removed, whatever they contain", async () => {
  writeFileSync(join(folder.events, "2026-03-10.jsonl.rewrite"), "text\n");
  await deleter().resume();
  expect(readdirSync(folder.events)).toEqual([]);
});
