import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SealedCall, SealedCallStore } from "../../store/port.ts";
import { CallVault } from "./call-vault.ts";

function memoryStore(): SealedCallStore & { rows: SealedCall[] } {
  const rows: SealedCall[] = [];
  return {
    rows,
    saveSealedCall: async (call) => void rows.push(call),
    sealedCalls: async () => rows,
    findSealedCalls: async (project, ids) =>
      rows.filter((one) => one.project === project && ids.includes(one.tool_call_id)),
    deleteSealedCalls: async () => undefined,
    deleteSealedCallsBefore: async () => undefined,
  };
}
const CALL = { name: "write", arguments: '{"path":"a.txt","text":"ünïcode 🙂"}' };
const KEY = randomBytes(32);

describe("the vault of repaired calls", () => {
  it("returns a call as it was saved, and stores none of its text", async () => {
    const store = memoryStore();
    const vault = new CallVault(store, KEY);
    await vault.save({ project: "default", id: "call_1", call: CALL }, 5);
    expect(await vault.find("default", ["call_1"])).toEqual([{ project: "default", id: "call_1", call: CALL }]);
    const text = Buffer.from(store.rows[0]?.sealed ?? "", "base64").toString("latin1");
    expect(JSON.stringify(store.rows) + text).not.toMatch(/write|a\.txt|code/);
  });

  it("encrypts the same call differently each time", async () => {
    const store = memoryStore();
    const vault = new CallVault(store, KEY);
    for (const id of ["call_1", "call_2"]) await vault.save({ project: "default", id, call: CALL }, 5);
    expect(store.rows[0]?.sealed).not.toBe(store.rows[1]?.sealed);
  });

  it.each([
    ["under another id", (row: SealedCall) => ({ ...row, tool_call_id: "call_2" }), KEY],
    ["in another project", (row: SealedCall) => ({ ...row, project: "other" }), KEY],
    ["with another key", (row: SealedCall) => row, randomBytes(32)],
    ["that was cut", (row: SealedCall) => ({ ...row, sealed: row.sealed.slice(0, 20) }), KEY],
    ["that is empty", (row: SealedCall) => ({ ...row, sealed: "" }), KEY],
  ])("does not open a row %s", async (_case, change, key) => {
    const store = memoryStore();
    await new CallVault(store, KEY).save({ project: "default", id: "call_1", call: CALL }, 5);
    store.rows[0] = change(store.rows[0] as SealedCall);
    expect(await new CallVault(store, key).load(0, 10)).toEqual([]);
  });
});
