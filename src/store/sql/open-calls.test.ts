import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callObservation, FAILED, lines, NOON, result } from "../../../test/support/observations.ts";
import type { CallObservation } from "../../core/model/observation.ts";
import type { Store } from "../port.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";

let folder: string;
const open: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-open-"));
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(): Store {
  const store = openSqliteStore(join(folder, "store.db"));
  open.push(store);
  return store;
}

async function apply(store: Store, ...observations: readonly CallObservation[]): Promise<void> {
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
}

const pending = (n: number): CallObservation =>
  callObservation({ tool_call_id: `toolu_${String(n).padStart(12, "x")}q` });
const settled = (n: number): CallObservation => ({ ...pending(n), result: result(`result ${n}`, FAILED) });

it("a pending call that another connection settled stays settled", async () => {
  const [first, second] = [opened(), opened()];
  await apply(first, pending(1));
  await apply(second, settled(1));
  await apply(first, { ...pending(1), source: "hook", model: "better-known" });
  expect(await first.summary({})).toMatchObject({ calls: 1, failed: 1, pending: 0 });
});

it("a cached pending call is removed with its session", async () => {
  const store = opened();
  await apply(store, { ...pending(1), model: "of-the-deleted" });
  await store.deleteSession("default", "s1", NOON - 1);
  await apply(store, { ...settled(1), place: { kind: "exact", n: 0 } });
  const { calls = [] } = (await store.sessionDetail("default", "s1")) ?? {};
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(calls)).not.toContain("of-the-deleted");
});

it("every pending call gets its result once, even if there are more than the cache holds", async () => {
  const store = opened();
  const numbers = Array.from({ length: 2300 }, (_, n) => n);
  await apply(store, ...numbers.map(pending));
  expect(await store.summary({})).toMatchObject({ calls: 0, pending: 2300 });
  await apply(store, ...numbers.map(settled));
  expect(await store.summary({})).toMatchObject({ calls: 2300, failed: 2300, pending: 0 });
});
