import { describe, expect, it } from "vitest";
import type { KnownCallOrigin } from "../../store/port.ts";
import { PendingRepairedCalls, type SharedRepairs } from "./pending-repaired-calls.ts";

const READ = { name: "read", arguments: '{"path":"a"}' };

function beside(answers: readonly (() => Promise<readonly KnownCallOrigin[]>)[], timeoutMs = 150) {
  const asked: (readonly string[])[] = [];
  const madeCalls: SharedRepairs["reader"]["madeCalls"] = (_project, ids) => {
    asked.push(ids);
    return (answers[Math.min(asked.length, answers.length) - 1] ?? (async () => []))();
  };
  const calls = new PendingRepairedCalls(() => 0, {
    reader: { madeCalls },
    stored: async () => undefined,
    timeoutMs,
  });
  return { calls, asked };
}

const nothing = async (): Promise<readonly KnownCallOrigin[]> => [];

describe("calls that another server mended", () => {
  it("are found in the store, and known from then on", async () => {
    const { calls } = beside([async () => [{ tool_call_id: "a", mended: READ }]]);
    await calls.lookUp("default", ["a"]);
    expect(calls.find("a")).toMatchObject(READ);
    expect(calls.isEmpty).toBe(false);
  });

  it("are asked for again while that server's journal still has them", async () => {
    const { calls, asked } = beside([nothing, nothing, async () => [{ tool_call_id: "a", mended: READ }]], 5000);
    await calls.lookUp("default", ["a"]);
    expect(calls.find("a")).toMatchObject(READ);
    expect(asked).toHaveLength(3);
  });

  it("are not waited for when the model made them itself", async () => {
    const { calls, asked } = beside(
      [async () => [{ tool_call_id: "b" }], async () => [{ tool_call_id: "a", mended: READ }]],
      5000,
    );
    await calls.lookUp("default", ["a", "b"]);
    expect(asked).toEqual([["a", "b"], ["a"]]);
    expect(calls.find("b")).toBeUndefined();
  });

  it.each([
    ["has none", nothing],
    ["is down", () => Promise.reject(new Error("down"))],
    ["does not answer", () => new Promise<never>(() => undefined)],
  ])("are not waited for long when the store %s", async (_what, answers) => {
    const { calls } = beside([answers], 100);
    const began = performance.now();
    await calls.lookUp("default", ["a"]);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(calls.isEmpty).toBe(true);
  });
});

it("mended calls are bounded in number and in size, the oldest goes first", () => {
  const calls = new PendingRepairedCalls(() => 0);
  for (let at = 0; at < 5001; at += 1) calls.add(`n${at}`, READ);
  expect(calls.find("n0")).toBeUndefined();
  expect(calls.find("n1")).toBeDefined();
  for (let at = 0; at < 20; at += 1) calls.add(`large${at}`, { name: "read", arguments: "x".repeat(1 << 20) });
  expect(calls.find("n5000")).toBeUndefined();
  expect(calls.find("large4")).toBeUndefined();
  expect(calls.find("large19")).toBeDefined();
});
