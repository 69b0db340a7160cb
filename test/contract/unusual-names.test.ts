import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BREAKDOWNS, type Store } from "../../src/store/port.ts";
import { embeddedStores } from "../support/embedded-stores.ts";
import { callObservation, FAILED, lines, NOON, result } from "../support/observations.ts";

/** Property names that every JavaScript object has, and names that often break programs. */
const ODD = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "%_'\"\\", "\u202eevil", "a\tb"];

let folder: string;
let store: Store;

const STORES = embeddedStores(() => folder);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-odd-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(STORES)("odd names in the store: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
    const observations = ODD.flatMap((name, at) =>
      [0, 1].map((n) =>
        callObservation({
          ...{ name, model: name, provider: name, client: name, workflow: name, prompt: name },
          session_id: /^[A-Za-z]+$/.test(name) ? name : `s${at}`,
          tool_call_id: `${name}-${n}`,
          arguments: {
            fingerprint: `f${n}`,
            keys: JSON.parse(`{"__proto__":"1","constructor":"2"}`),
            resources: [],
            size_bytes: 1,
          },
          result: result("boom", { ...FAILED, category: name as never, fingerprint: name, status_message: name }),
          occurred_at: NOON + n,
        }),
      ),
    );
    const { rejected } = await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
    expect(rejected).toEqual([]);
  });

  it("every query returns them like any other name", async () => {
    const byName = [...ODD].sort();
    for (const by of BREAKDOWNS) {
      const rows = await store.breakdown(by, {});
      expect(rows.reduce((sum, { failed }) => sum + failed, 0)).toBe(16);
      if (["tool", "model", "provider", "category", "workflow"].includes(by))
        expect(rows.map(({ key, failed }) => [key, failed]).sort()).toEqual(byName.map((name) => [name, 2]).sort());
      if (["tool", "model"].includes(by)) expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(ODD));
      if (by === "tool") for (const row of rows) expect([row.key, row.top_category]).toEqual([row.key, row.key]);
    }
    for (const row of await store.fingerprints({})) {
      expect(Object.entries(row.tools)).toEqual([[row.fingerprint, 2]]);
      expect(Object.entries(row.models)).toEqual([[row.fingerprint, 2]]);
    }
    const [point] = await store.series({ step: "day" });
    expect(Object.entries(point?.categories ?? {}).sort()).toEqual(byName.map((name) => [name, 2]).sort());
    for (const pair of await store.toolModel({})) expect(pair).toMatchObject({ tool: pair.model, calls: 2, failed: 2 });
    for (const session of await store.sessions({})) {
      expect(session.failed).toBe(2);
      const detail = await store.sessionDetail(session.project, session.session_id);
      expect(detail?.calls.map(({ tool_name }) => tool_name)).toEqual(Array(2).fill(session.dominant_failure_mode));
      expect(ODD).toContain(session.dominant_failure_mode);
    }
  });

  it("deleting them leaves no rows behind", async () => {
    for (const { project, session_id } of await store.sessions({}))
      expect(await store.deleteSession(project, session_id, NOON)).toMatchObject({ sessions: 1 });
    expect(await store.summary({})).toMatchObject({ calls: 0, failed: 0, sessions: 0 });
    expect(await store.breakdown("category", {})).toEqual([]);
    expect(await store.fingerprints({})).toEqual([]);
  });
});
