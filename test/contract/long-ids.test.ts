import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import {
  callObservation,
  FAILED,
  leakObservation,
  lines,
  NOON,
  requestObservation,
  result,
} from "../support/observations.ts";
import { postgresStores } from "../support/postgres-stores.ts";

let folder: string;
let store: Store;

const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ["sqlite", async () => openSqliteStore(join(folder, "store.db"))],
  ...postgresStores(),
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-store-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const apply = (text: string): ReturnType<Store["apply"]> =>
  store.apply({ journal: "j1", position: "1", live: true, lines: text });

/** Incompressible text, longer than any PostgreSQL index entry. */
const LONG = Array.from({ length: 3000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join("");

describe.each(STORES)("ids of any length in a store: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  it("a call and its result match by a long id, and two long ids that differ at the end are distinct", async () => {
    const [one, two] = [`${LONG}1`, `${LONG}2`];
    const applied = await apply(
      lines(
        callObservation({
          tool_call_id: one,
          place: { kind: "response", conversation: "c1", n: 0, response_id: LONG },
        }),
        callObservation({ tool_call_id: one, result: result("boom", FAILED), occurred_at: NOON + 10 }),
        callObservation({ tool_call_id: two, result: result("fine"), occurred_at: NOON + 20 }),
      ),
    );
    expect(applied.rejected).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 2, failed: 1, ok: 1, pending: 0 });
    const ids = (await store.sessionDetail("default", "s1"))?.calls.map((call) => call.tool_call_id);
    expect(ids?.map((id) => id.length)).toEqual([193, 193]);
    expect(ids?.every((id) => id.startsWith(`${LONG.slice(0, 160)}~`))).toBe(true);
  });

  it("every id field accepts long ids", async () => {
    const named = { model: LONG, provider: LONG, client: LONG, request_id: LONG };
    const applied = await apply(
      lines(
        requestObservation({ ...named, conversation: LONG }),
        leakObservation({ ...named, format: LONG, reason: LONG }),
        callObservation({
          ...{ ...named, name: LONG, turn: LONG, prompt: LONG, workflow: LONG },
          place: { kind: "history", conversation: LONG, n: 0 },
          result: { ...result("boom", { ...FAILED, fingerprint: LONG }), hash: LONG },
        }),
      ),
    );
    expect(applied.rejected).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, requests: 1 });
    expect((await store.breakdown("tool", {}))[0]?.key).toHaveLength(193);
    expect(await store.fingerprints({})).toHaveLength(1);
    expect(await store.leaks({})).toHaveLength(1);
  });

  it("the outcome that a permission request selects accepts long ids", async () => {
    const applied = await apply(
      lines(
        callObservation({
          permission_requested: true,
          result: { ...result("no", FAILED), if_permission_requested: { ...FAILED, fingerprint: LONG } },
        }),
        callObservation({ source: "hook", place: { kind: "newest" }, permission_requested: true }),
      ),
    );
    expect(applied.rejected).toEqual([]);
    expect((await store.fingerprints({})).map(({ fingerprint }) => fingerprint.length)).toEqual([193]);
  });

  it("ids of up to two hundred characters are stored unchanged", async () => {
    const id = `toolu_${"x".repeat(194)}`;
    await apply(lines(callObservation({ tool_call_id: id, result: result("fine") })));
    expect((await store.sessionDetail("default", "s1"))?.calls[0]?.tool_call_id).toBe(id);
  });
});
