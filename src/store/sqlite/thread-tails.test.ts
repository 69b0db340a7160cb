import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callSeen, FAILED, lines, NOON, OK, result } from "../../../test/support/observations.ts";
import type { CallObservation } from "../../core/model/observation.ts";
import { createMemoryStore } from "../memory/memory-store.ts";
import type { Store } from "../port.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const CALLS = 240;

/** One long thread: files that fail and are tried again, some calls told of late, some told more of later. */
const THREAD: readonly CallObservation[] = Array.from({ length: CALLS }, (_, n): CallObservation[] => {
  const id = `toolu_${String(n).padStart(12, "x")}q`;
  const file = `path:file${(n * 7) % 5}`;
  const seen = callSeen({
    tool_call_id: id,
    name: n % 3 === 0 ? "Bash" : "Edit",
    occurred_at: NOON + (n % 11 === 3 ? n - 4 : n) * 1000,
    turn: `t${Math.floor(n / 2)}`,
    turn_index: n % 2,
    arguments: { fingerprint: file, keys: {}, resources: [file], size_bytes: 1 },
    result: result(id, (n * 13) % 7 < 3 ? FAILED : OK),
  });
  return n % 9 === 5 ? [seen, { ...seen, source: "hook", execution_time_ms: n, model: "better-known" }] : [seen];
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

/** Everything that links decide. */
async function told(store: Store): Promise<unknown> {
  const { calls = [] } = (await store.sessionDetail("default", "s1", { limit: 1000 })) ?? {};
  return [calls, await store.summary({}), await store.breakdown("tool", {}), await store.sessions({})];
}

async function expected(observations: readonly CallObservation[] = THREAD): Promise<unknown> {
  const store = opened(createMemoryStore());
  await apply(store, ...observations);
  return told(store);
}

describe("the ends of threads that a store remembers", () => {
  it("link call after call as all of them at once", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    for (const one of THREAD) await apply(store, one);
    expect(await told(store)).toEqual(await expected());
  });

  it("are forgotten when another connection writes the same thread", async () => {
    const stores = [0, 1].map(() => opened(openSqliteStore(join(folder, "store.db"))));
    for (const [at, one] of THREAD.entries()) await apply(stores[at % 2] as Store, one);
    expect(await told(stores[0] as Store)).toEqual(await expected());
  });

  it("are forgotten when the session is deleted", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    const [first, rest] = [THREAD.slice(0, 100), THREAD.slice(100)];
    for (const one of first) await apply(store, one);
    await store.deleteSession("default", "s1");
    for (const one of rest) await apply(store, one);
    const [calls] = (await told(store)) as [unknown];
    expect(calls).toEqual(((await expected(rest)) as [unknown])[0]);
  });

  it("are those of the thread, however many threads there are", async () => {
    const store = opened(openSqliteStore(join(folder, "store.db")));
    for (const one of THREAD) await apply(store, one);
    for (let other = 0; other < 70; other += 1) {
      const named = (one: CallObservation) => ({ ...one, tool_call_id: `${one.tool_call_id}${other}q` });
      await apply(store, ...THREAD.map((one) => ({ ...named(one), session_id: `other-${other}`, project: "p2" })));
    }
    const late = callSeen({ ...(THREAD[0] as CallObservation), tool_call_id: "toolu_lateabcdefgh", turn: "late" });
    await apply(store, late);
    const [calls] = (await told(store)) as [unknown];
    expect(calls).toEqual(((await expected([...THREAD, late])) as [unknown])[0]);
  });
});
