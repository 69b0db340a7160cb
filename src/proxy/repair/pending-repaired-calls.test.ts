import { describe, expect, it } from "vitest";
import type { KnownCallOrigin, SealedCall } from "../../store/port.ts";
import { CallVault } from "./call-vault.ts";
import { PendingRepairedCalls, type SharedRepairs } from "./pending-repaired-calls.ts";

const READ = { name: "read", arguments: '{"path":"a"}' };

function withStore(results: readonly (() => Promise<readonly KnownCallOrigin[]>)[], timeoutMs = 150) {
  const queries: (readonly string[])[] = [];
  const callOrigins: SharedRepairs["reader"]["callOrigins"] = (_project, ids) => {
    queries.push(ids);
    return (results[Math.min(queries.length, results.length) - 1] ?? (async () => []))();
  };
  const calls = new PendingRepairedCalls({
    now: () => 0,
    shared: { reader: { callOrigins }, waitUntilStored: async () => undefined, timeoutMs },
  });
  return { calls, queries };
}

const noCalls = async (): Promise<readonly KnownCallOrigin[]> => [];

describe("the place of a repaired call", () => {
  const vault = new CallVault(
    {
      saveSealedCall: async () => undefined,
      sealedCalls: async () => [],
      findSealedCalls: async () => [],
      deleteSealedCalls: async () => undefined,
      deleteSealedCallsBefore: async () => undefined,
    },
    Buffer.alloc(32),
  );
  const privacy = (whole: boolean, memory: boolean) => ({ capturesWhole: () => whole, isMemoryOnly: () => memory });
  const [withKey, withoutKey] = [
    new PendingRepairedCalls({ now: () => 0, vault }),
    new PendingRepairedCalls({ now: () => 0 }),
  ];

  it("a repaired call is stored in its record, the vault or memory, and not at all above a megabyte", () => {
    expect(withKey.placeFor("{}", privacy(true, false))).toBe("record");
    expect(withKey.placeFor("{}", privacy(false, false))).toBe("vault");
    expect(withKey.placeFor("{}", privacy(false, true))).toBe("memory");
    expect(withoutKey.placeFor("{}", privacy(false, false))).toBe("memory");
    expect(withKey.placeFor("x".repeat((1 << 20) + 1), privacy(true, false))).toBeUndefined();
  });
});

describe("PendingRepairedCalls.lookUp", () => {
  it("finds a call that another server repaired and keeps it", async () => {
    const { calls } = withStore([async () => [{ tool_call_id: "a", mended: READ }]]);
    await calls.lookUp("default", ["a"]);
    expect(calls.find("a")).toMatchObject(READ);
    expect(calls.isEmpty).toBe(false);
  });

  it("queries the store again until the other server has stored the call", async () => {
    const { calls, queries } = withStore([noCalls, noCalls, async () => [{ tool_call_id: "a", mended: READ }]], 5000);
    await calls.lookUp("default", ["a"]);
    expect(calls.find("a")).toMatchObject(READ);
    expect(queries).toHaveLength(3);
  });

  it("reads the vault again if a call was saved and recorded after the vault was read", async () => {
    const rows: SealedCall[] = [];
    const vault = new CallVault(
      {
        saveSealedCall: async (row) => void rows.push(row),
        sealedCalls: async () => [],
        findSealedCalls: async () => [...rows],
        deleteSealedCalls: async () => undefined,
        deleteSealedCallsBefore: async () => undefined,
      },
      Buffer.alloc(32),
    );
    const callOrigins: SharedRepairs["reader"]["callOrigins"] = async () => {
      await vault.save({ project: "default", id: "a", call: READ }, 0);
      return [{ tool_call_id: "a" }];
    };
    const shared = { reader: { callOrigins }, waitUntilStored: async () => undefined, timeoutMs: 5000 };
    const calls = new PendingRepairedCalls({ now: () => 0, vault, shared });
    await calls.lookUp("default", ["a"]);
    expect(calls.find("a")).toMatchObject(READ);
  });

  it("does not wait for a native call with a similar id", async () => {
    const { calls, queries } = withStore(
      [async () => [{ tool_call_id: "b" }], async () => [{ tool_call_id: "a", mended: READ }]],
      5000,
    );
    await calls.lookUp("default", ["a", "b"]);
    expect(queries).toEqual([["a", "b"], ["a"]]);
    expect(calls.find("b")).toBeUndefined();
  });

  it.each([
    ["has no such call", noCalls],
    ["is down", () => Promise.reject(new Error("down"))],
    ["does not respond", () => new Promise<never>(() => undefined)],
  ])("gives up after the timeout when the store %s", async (_what, results) => {
    const { calls } = withStore([results], 100);
    const began = performance.now();
    await calls.lookUp("default", ["a"]);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(calls.isEmpty).toBe(true);
  });
});

it("PendingRepairedCalls is bounded in number and size and evicts the oldest calls", () => {
  const calls = new PendingRepairedCalls({ now: () => 0 });
  for (let at = 0; at < 5001; at += 1) calls.add(`n${at}`, READ);
  expect(calls.find("n0")).toBeUndefined();
  expect(calls.find("n1")).toBeDefined();
  for (let at = 0; at < 20; at += 1) calls.add(`large${at}`, { name: "read", arguments: "x".repeat(1 << 20) });
  expect(calls.find("n5000")).toBeUndefined();
  expect(calls.find("large4")).toBeUndefined();
  expect(calls.find("large19")).toBeDefined();
});
