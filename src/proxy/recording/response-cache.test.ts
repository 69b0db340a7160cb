import { describe, expect, it } from "vitest";
import { type CachedTurn, continueCall, onlyReusable, ResponseCache, trimCalls } from "./response-cache.ts";

const turn = (session_id: string, more: Partial<CachedTurn> = {}): CachedTurn => ({
  session_id,
  agent_id: "root",
  conversation: "c",
  calls: [],
  counts: new Map(),
  promptPosition: { count: 0 },
  at: 0,
  ...more,
});

describe("ResponseCache", () => {
  it("finds the newest response of a key", () => {
    const cache = new ResponseCache();
    cache.add("resp_1", turn("a"), 0);
    cache.add("resp_1", turn("b"), 0);
    expect(cache.find("resp_1", 0)?.session_id).toBe("b");
    expect(cache.find("resp_2", 0)).toBeUndefined();
  });

  it("expires entries after an hour", () => {
    const cache = new ResponseCache();
    cache.add("resp_1", turn("a"), 1000);
    expect(cache.find("resp_1", 1000 + 3_599_999)).toBeDefined();
    expect(cache.find("resp_1", 1000 + 3_600_000)).toBeUndefined();
    expect(cache.find("resp_1", 1000)).toBeUndefined();
  });

  it("evicts the oldest entry above its number limit", () => {
    const cache = new ResponseCache({ responses: 2 });
    for (const key of ["one", "two", "one", "three"]) cache.add(key, turn(key), 0);
    expect(["one", "two", "three"].map((key) => cache.find(key, 0)?.session_id)).toEqual(["one", undefined, "three"]);
  });
});

describe("ResponseCache size", () => {
  const calls = (length: number) => [{ id: "call_x", name: "write", arguments: "x".repeat(length) }];

  it("evicts the oldest entries above its size limit", () => {
    const cache = new ResponseCache({ weight: 3000 });
    for (const key of ["one", "two", "one", "three"]) cache.add(key, turn(key, { calls: calls(900) }), 0);
    expect(["one", "two", "three"].map((key) => cache.find(key, 0)?.session_id)).toEqual(["one", undefined, "three"]);
    cache.add("large", turn("large", { calls: calls(9000) }), 0);
    expect(["one", "three", "large"].map((key) => cache.find(key, 0))).toEqual([undefined, undefined, undefined]);
  });

  it("includes counted ids in the size", () => {
    const cache = new ResponseCache({ weight: 3000 });
    const counts = new Map(Array.from({ length: 100 }, (_, at) => [`call_${at}`, 1] as const));
    cache.add("one", turn("one", { counts }), 0);
    expect(cache.find("one", 0)).toBeUndefined();
  });

  it("drops long arguments, and all arguments above the limit of a turn", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      id: `call_${at}`,
      name: "write",
      arguments: "x".repeat(4000),
    }));
    const trimmed = trimCalls([...calls(5000), ...many]);
    expect(trimmed).toHaveLength(101);
    expect(trimmed.filter((one) => one.arguments !== undefined)).toHaveLength(16);
    expect(trimmed[0]).toEqual({ id: "call_x", name: "write", arguments: undefined });
  });

  it("drops arguments that are too deeply nested to measure", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    expect(trimCalls([{ id: "a", name: "b", arguments: deep }])).toEqual([
      { id: "a", name: "b", arguments: undefined },
    ]);
  });
});

describe("continueCall", () => {
  const before = turn("s", {
    calls: [
      { id: "call_0", name: "bash", arguments: "{}" },
      { id: "call_xyz", name: "read", arguments: undefined },
    ],
    counts: new Map([["call_0", 3]]),
  });
  const result = { content: "done" };

  it("assigns a result to the last call with its id, with name and arguments of that call", () => {
    expect(continueCall({ id: "call_0", n: 0, result }, before)).toEqual({
      id: "call_0",
      n: 2,
      name: "bash",
      arguments: "{}",
      result,
    });
    expect(continueCall({ id: "call_xyz", n: 0, result }, before)).toMatchObject({ n: 0, name: "read" });
  });

  it("leaves a result without a name when its call is unknown", () => {
    expect(continueCall({ id: "call_abc", n: 0, result }, before)).toEqual({ id: "call_abc", n: 0, result });
  });

  it("counts a call of the request after the earlier calls with its id", () => {
    expect(continueCall({ id: "call_0", n: 0, name: "bash", result }, before)).toMatchObject({ n: 3, name: "bash" });
  });

  it("needs counts only for reusable ids", () => {
    const counts = new Map([
      ["call_0", 2],
      ["call_9fK2x", 1],
      ["7", 1],
    ]);
    expect([...onlyReusable(counts).keys()]).toEqual(["call_0", "7"]);
  });
});
