import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callObservation, lines, NOON, result } from "../../test/support/observations.ts";
import { createTestStore, type TestStore } from "../../test/support/test-store.ts";
import type { Store } from "../store/port.ts";
import { EventFeed } from "./event-feed.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-events-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DAY = "2026-03-10.jsonl";
const written = (day = DAY): string[] => readFileSync(join(folder, day), "utf8").split("\n").slice(0, -1);
const ids = (day?: string): string[] => written(day).map((line) => JSON.parse(line).event_id);

/** Returns a store with the events of `count` completed calls: two per call, and one for the session. */
async function storeWith(count: number, from = 0, store = createTestStore()): Promise<TestStore> {
  const observations = Array.from({ length: count }, (_, at) =>
    callObservation({ tool_call_id: `toolu_${String(from + at).padStart(12, "0")}x`, result: result(`r${from + at}`) }),
  );
  await store.apply({ journal: "j", position: String(from + count), live: true, lines: lines(...observations) });
  return store;
}
async function eventIds(store: Store): Promise<string[]> {
  return (await store.events(0, 1_000_000)).map(({ line }) => JSON.parse(line).event_id);
}
function feedOf(store: Store, now = () => NOON): { feed: EventFeed; problems: string[] } {
  const problems: string[] = [];
  return { feed: new EventFeed({ store, folder, now, onProblem: (message) => problems.push(message) }), problems };
}

/** The store, with its events in many short texts. */
function inShortTexts(store: Store): Store {
  return {
    ...store,
    async eventText(after) {
      const [next] = await store.events(after, 1);
      return next === undefined ? undefined : { text: `${next.line}\n`, last: next.id, hasMore: true };
    },
  };
}

describe("the event feed", () => {
  it("writes every event once and in order, and moves the cursor past them", async () => {
    const store = await storeWith(700);
    const { feed } = feedOf(store);
    await feed.drain();
    expect(written()).toHaveLength(1401);
    expect(ids()).toEqual(await eventIds(store));
    expect(await store.cursor("events")).toBe(1401);
    await feed.drain();
    expect(written()).toHaveLength(1401);
  });

  it("continues where one text of events ends", async () => {
    const store = await storeWith(20);
    const { feed } = feedOf(inShortTexts(store));
    const heard: string[] = [];
    feed.subscribe({ onLine: (line) => heard.push(line), onClose: () => undefined });
    await feed.drain();
    expect(ids()).toEqual(await eventIds(store));
    expect(heard).toEqual(written());
  });

  it("refuses a symbolic link in place of its file, reports it, and continues after its removal", async () => {
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "mine\n");
    symlinkSync(elsewhere, join(folder, DAY));
    const store = await storeWith(3);
    const { feed, problems } = feedOf(store);
    await feed.drain();
    expect(problems).toEqual([expect.stringMatching(/2026-03-10\.jsonl is a symbolic link and is not followed/)]);
    expect(readFileSync(elsewhere, "utf8")).toBe("mine\n");
    rmSync(join(folder, DAY));
    await feed.drain();
    expect(ids()).toEqual(await eventIds(store));
  });

  it("writes events that arrive during a run", async () => {
    const store = await storeWith(3);
    const { feed } = feedOf(store);
    const drains = [feed.drain()];
    await storeWith(2, 3, store);
    drains.push(feed.drain(), feed.drain());
    await Promise.all(drains);
    expect(ids()).toEqual(await eventIds(store));
  });

  it("starts one file per day, with owner-only access", async () => {
    const store = await storeWith(1);
    let now = NOON;
    const { feed } = feedOf(store, () => now);
    await feed.drain();
    now += 86_400_000;
    await storeWith(1, 1, store);
    await feed.drain();
    expect(readdirSync(folder)).toEqual(["2026-03-10.jsonl", "2026-03-11.jsonl"]);
    expect([...ids(), ...ids("2026-03-11.jsonl")]).toEqual(await eventIds(store));
    expect(statSync(join(folder, DAY)).mode & 0o777).toBe(0o600);
  });

  it("removes the partial line of a killed process and nothing else", async () => {
    writeFileSync(join(folder, DAY), '{"event_id":"before"}\n{"event_id":"ha');
    const store = await storeWith(1);
    await feedOf(store).feed.drain();
    expect(ids()).toEqual(["before", ...(await eventIds(store))]);
  });

  it("removes a partial line that is longer than one read block or the whole file", async () => {
    const store = await storeWith(1);
    writeFileSync(join(folder, DAY), `{"event_id":"before"}\n${"x".repeat(200_000)}`);
    await feedOf(store).feed.drain();
    expect(ids()).toEqual(["before", ...(await eventIds(store))]);
    writeFileSync(join(folder, "2026-03-11.jsonl"), "x".repeat(70_000));
    await storeWith(1, 1, store);
    await feedOf(store, () => NOON + 86_400_000).feed.drain();
    expect(ids("2026-03-11.jsonl")).toEqual((await eventIds(store)).slice(3));
  });

  it("repeats lines after a crash between writing and moving the cursor, but misses none", async () => {
    const memory = await storeWith(2);
    const crashing: Store = {
      ...memory,
      moveCursor: async () => {
        throw new Error("killed");
      },
    };
    const { feed, problems } = feedOf(crashing);
    await feed.drain();
    expect(problems).toEqual(["killed"]);
    expect(await memory.cursor("events")).toBe(0);
    await feedOf(memory).feed.drain();
    const expected = await eventIds(memory);
    expect(ids()).toEqual([...expected, ...expected]);
    expect(await memory.cursor("events")).toBe(5);
  });

  it("continues without repeating lines after the cursor could not be moved", async () => {
    const memory = await storeWith(1);
    let broken = true;
    const store: Store = {
      ...memory,
      moveCursor: async (name, position) => {
        if (broken) throw new Error("locked");
        await memory.moveCursor(name, position);
      },
    };
    const { feed } = feedOf(store);
    await feed.drain();
    broken = false;
    await storeWith(1, 1, memory);
    await feed.drain();
    expect(ids()).toEqual(await eventIds(memory));
    expect(await memory.cursor("events")).toBe(5);
  });

  it("keeps the cursor when lines could not be written, and writes them completely later", async () => {
    const store = await storeWith(1);
    mkdirSync(join(folder, DAY));
    const { feed, problems } = feedOf(store);
    await feed.drain();
    expect(problems).toHaveLength(1);
    expect(await store.cursor("events")).toBe(0);
    rmdirSync(join(folder, DAY));
    // A failed write on a full disk leaves a partial line.
    writeFileSync(join(folder, DAY), '{"event_id":"ha');
    await feed.drain();
    expect(ids()).toEqual(await eventIds(store));
  });

  it("sends each written line to its listeners until they unsubscribe", async () => {
    const store = await storeWith(1);
    const { feed } = feedOf(store);
    const heard: string[] = [];
    const leave = feed.subscribe({
      onLine(line) {
        expect(written()).toContain(line);
        heard.push(JSON.parse(line).type);
      },
      onClose: () => undefined,
    });
    await feed.drain();
    leave();
    await storeWith(1, 1, store);
    await feed.drain();
    expect(heard).toEqual(["session_started", "tool_call_requested", "tool_call_recorded"]);
  });
});
