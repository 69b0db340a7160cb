import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callObservation, FAILED, lines, NOON, OK, result } from "../../../test/support/observations.ts";
import { createTestStore } from "../../../test/support/test-store.ts";
import { recordOf } from "../../core/model/merge.ts";
import type { CallObservation } from "../../core/model/observation.ts";
import { type ThreadChange, threadChanges } from "../../core/model/thread-change.ts";
import { estimateBytes } from "../../core/score/cached-call.ts";
import { hashText } from "../hash-text.ts";
import type { Store } from "../port.ts";
import { Database, IN_MEMORY, type Row, type Value } from "../sqlite/database.ts";
import { migrate } from "../sqlite/migrate.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { relinkThreads } from "./relink-threads.ts";
import { upsertInto } from "./statements.ts";
import { CALLS as CALL_TABLE, callSource } from "./tables.ts";
import { ThreadTailCache } from "./thread-tail-cache.ts";
import { change } from "./work.ts";

const CALLS = 240;

/** One long thread: files that fail and are retried, late calls, and calls with later observations. */
const THREAD: readonly CallObservation[] = Array.from({ length: CALLS }, (_, n): CallObservation[] => {
  const id = `toolu_${String(n).padStart(12, "x")}q`;
  const file = `path:file${(n * 7) % 5}`;
  const call = callObservation({
    tool_call_id: id,
    name: n % 3 === 0 ? "Bash" : "Edit",
    occurred_at: NOON + (n % 11 === 3 ? n - 4 : n) * 1000,
    turn: `t${Math.floor(n / 2)}`,
    turn_index: n % 2,
    arguments: { fingerprint: file, keys: {}, resources: [file], size_bytes: 1 },
    result: result(id, (n * 13) % 7 < 3 ? FAILED : OK),
  });
  return n % 9 === 5 ? [call, { ...call, source: "hook", execution_time_ms: n, model: "better-known" }] : [call];
}).flat();

let folder: string;
const open: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-tails-"));
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(store: Store): Store {
  open.push(store);
  return store;
}

async function apply(store: Store, ...observations: readonly CallObservation[]): Promise<void> {
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
}

/** Everything that depends on links. */
async function linkedData(store: Store): Promise<unknown> {
  const { calls = [] } = (await store.sessionDetail("default", "s1", { limit: 1000 })) ?? {};
  return [calls, await store.summary({}), await store.breakdown("tool", {}), await store.sessions({})];
}

async function expected(observations: readonly CallObservation[] = THREAD): Promise<unknown> {
  const store = opened(createTestStore());
  await apply(store, ...observations);
  return linkedData(store);
}

describe("the cached ends of threads", () => {
  it("cached ends of threads give the same links for single calls as for one batch", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    for (const one of THREAD) await apply(store, one);
    expect(await linkedData(store)).toEqual(await expected());
  });

  it("a cached end expires when another connection writes the same thread", async () => {
    const stores = [0, 1].map(() => opened(openSqliteStore(join(folder, "store.db"))));
    for (const [at, one] of THREAD.entries()) await apply(stores[at % 2] as Store, one);
    expect(await linkedData(stores[0] as Store)).toEqual(await expected());
  });

  it("a cached end disappears when its session is deleted", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    // Calls that only a history contains are not recorded again after a deletion.
    const reported = THREAD.map((one): CallObservation => ({ ...one, place: { kind: "exact", n: 0 } }));
    const [first, rest] = [reported.slice(0, 100), reported.slice(100)];
    for (const one of first) await apply(store, one);
    await store.deleteSession("default", "s1", 0);
    for (const one of rest) await apply(store, one);
    const [calls] = (await linkedData(store)) as [unknown];
    expect(calls).toEqual(((await expected(rest)) as [unknown])[0]);
  });

  it("cached ends stay separate with many threads", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    for (const one of THREAD) await apply(store, one);
    for (let other = 0; other < 70; other += 1) {
      const named = (one: CallObservation) => ({ ...one, tool_call_id: `${one.tool_call_id}${other}q` });
      await apply(store, ...THREAD.map((one) => ({ ...named(one), session_id: `other-${other}`, project: "p2" })));
    }
    const late = callObservation({
      ...(THREAD[0] as CallObservation),
      tool_call_id: "toolu_lateabcdefgh",
      turn: "late",
    });
    await apply(store, late);
    const [calls] = (await linkedData(store)) as [unknown];
    expect(calls).toEqual(((await expected([...THREAD, late])) as [unknown])[0]);
  });
});

/** Counts how often a window of calls is loaded. */
class CountingDatabase extends Database {
  windows = 0;
  override all(sql: string, ...values: Value[]): Row[] {
    if (sql.includes("ORDER BY c.first_at DESC")) this.windows += 1;
    return super.all(sql, ...values);
  }
}

/** Settled calls of one session, numbered from `from` to `to`. */
function settledCalls(session: number, from: number, to: number): ThreadChange {
  const calls = Array.from({ length: to - from }, (_, at) => {
    const id = `toolu_${session}x${from + at}abcdefghijk`;
    const key = { project: "default", session_id: `s${session}`, agent_id: "root", tool_call_id: id, occurrence: 0 };
    const call = callObservation({ tool_call_id: id, occurred_at: NOON + from + at, result: result(id, OK) });
    return { before: undefined, after: recordOf(call, key) };
  });
  return threadChanges(calls, hashText)[0] as ThreadChange;
}

const INSERT = upsertInto(CALL_TABLE);
const NOTHING_CHANGED = { stamp: 0, stamps: new Map(), calls: { calls: [], removed: [], joined: [] }, sessions: [] };

/** Relinks a thread and stores its calls, as one batch does. */
function bringCalls(tails: ThreadTailCache, db: Database, thread: ThreadChange): void {
  const relinked = db.perform(
    relinkThreads([thread], tails, new Map([[`default\u0000${thread.thread.session_id}`, 0]])),
  );
  const rows = relinked.links.map(({ record, after }) => CALL_TABLE.values(callSource({ record, links: after }, 0)));
  db.perform(change(INSERT, rows));
  tails.remember({ ...NOTHING_CHANGED, tails: relinked.tails });
}

describe("a cache that is too small for all threads", () => {
  /** Adds 10 calls each to 3 sessions of 60 calls, in turn. Returns how often calls were loaded for these. */
  function readsInTurn(tails: ThreadTailCache, db: CountingDatabase, batchesBetween: number): number {
    const bring = (from: number, to: number): void => {
      for (let session = 0; session < 3; session += 1) {
        for (let pause = 1; pause < batchesBetween; pause += 1)
          tails.remember({ ...NOTHING_CHANGED, tails: new Map() });
        bringCalls(tails, db, settledCalls(session, from, to));
      }
    };
    bring(0, 60);
    db.windows = 0;
    for (let n = 60; n < 70; n += 1) bring(n, n + 1);
    return db.windows;
  }

  const ONE_THREAD = 65 * estimateBytes({ id: "x", tool: "Bash", status: "ok" });

  it.each([
    ["loads no thread again if all 3 fit", 3.5, 1, 0],
    ["loads only the third thread again if 2 fit", 2.5, 1, 10],
    ["loads only the third thread again after long pauses of all threads", 2.5, 300, 10],
  ])("%s", (_name, threads, pause, reads) => {
    const db = new CountingDatabase(IN_MEMORY);
    migrate(db);
    expect(readsInTurn(new ThreadTailCache(threads * ONE_THREAD), db, pause)).toBe(reads);
    db.close();
  });

  it("an active thread that returns replaces a finished one", () => {
    const db = new CountingDatabase(IN_MEMORY);
    migrate(db);
    const tails = new ThreadTailCache(1.5 * ONE_THREAD);
    const bring = (session: number, from: number, to: number): void =>
      bringCalls(tails, db, settledCalls(session, from, to));
    bring(0, 0, 60);
    bring(1, 0, 60);
    bring(1, 60, 61);
    db.windows = 0;
    for (let n = 61; n < 80; n += 1) bring(1, n, n + 1);
    expect(db.windows).toBe(0);
    db.close();
  });
});
