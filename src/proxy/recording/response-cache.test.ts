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

describe("the memory of answers", () => {
  it("finds an answer by its key, the newest where a key came twice", () => {
    const memory = new ResponseCache();
    memory.add("resp_1", turn("a"), 0);
    memory.add("resp_1", turn("b"), 0);
    expect(memory.find("resp_1", 0)?.session_id).toBe("b");
    expect(memory.find("resp_2", 0)).toBeUndefined();
  });

  it("forgets after an hour", () => {
    const memory = new ResponseCache();
    memory.add("resp_1", turn("a"), 1000);
    expect(memory.find("resp_1", 1000 + 3_599_999)).toBeDefined();
    expect(memory.find("resp_1", 1000 + 3_600_000)).toBeUndefined();
    expect(memory.find("resp_1", 1000)).toBeUndefined();
  });

  it("forgets the oldest when there are too many", () => {
    const memory = new ResponseCache({ responses: 2 });
    for (const key of ["one", "two", "one", "three"]) memory.add(key, turn(key), 0);
    expect(["one", "two", "three"].map((key) => memory.find(key, 0)?.session_id)).toEqual(["one", undefined, "three"]);
  });
});

describe("the size of what is remembered", () => {
  const calls = (length: number) => [{ id: "call_x", name: "write", arguments: "x".repeat(length) }];

  it("is bounded: the oldest answer goes first", () => {
    const memory = new ResponseCache({ weight: 3000 });
    for (const key of ["one", "two", "one", "three"]) memory.add(key, turn(key, { calls: calls(900) }), 0);
    expect(["one", "two", "three"].map((key) => memory.find(key, 0)?.session_id)).toEqual(["one", undefined, "three"]);
    memory.add("large", turn("large", { calls: calls(9000) }), 0);
    expect(["one", "three", "large"].map((key) => memory.find(key, 0))).toEqual([undefined, undefined, undefined]);
  });

  it("counts the ids that servers hand out again", () => {
    const memory = new ResponseCache({ weight: 3000 });
    const counts = new Map(Array.from({ length: 100 }, (_, at) => [`call_${at}`, 1] as const));
    memory.add("one", turn("one", { counts }), 0);
    expect(memory.find("one", 0)).toBeUndefined();
  });

  it("is that of names alone where there are many calls, or long arguments", () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      id: `call_${at}`,
      name: "write",
      arguments: "x".repeat(4000),
    }));
    const light = trimCalls([...calls(5000), ...many]);
    expect(light).toHaveLength(101);
    expect(light.filter((one) => one.arguments !== undefined)).toHaveLength(16);
    expect(light[0]).toEqual({ id: "call_x", name: "write", arguments: undefined });
  });

  it("is not asked of arguments that are nested without end", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    expect(trimCalls([{ id: "a", name: "b", arguments: deep }])).toEqual([
      { id: "a", name: "b", arguments: undefined },
    ]);
  });
});

describe("a call of a request that brings only what is new", () => {
  const before = turn("s", {
    calls: [
      { id: "call_0", name: "bash", arguments: "{}" },
      { id: "call_xyz", name: "read", arguments: undefined },
    ],
    counts: new Map([["call_0", 3]]),
  });
  const result = { content: "done" };

  it("is the last of its id, with name and arguments of the answer that made it", () => {
    expect(continueCall({ id: "call_0", n: 0, result }, before)).toEqual({
      id: "call_0",
      n: 2,
      name: "bash",
      arguments: "{}",
      result,
    });
    expect(continueCall({ id: "call_xyz", n: 0, result }, before)).toMatchObject({ n: 0, name: "read" });
  });

  it("stays without a name when nobody knows it", () => {
    expect(continueCall({ id: "call_abc", n: 0, result }, before)).toEqual({ id: "call_abc", n: 0, result });
  });

  it("is counted after those before it when the request brings the call as well", () => {
    expect(continueCall({ id: "call_0", n: 0, name: "bash", result }, before)).toMatchObject({ n: 3, name: "bash" });
  });

  it("is worth counting only where its id comes again", () => {
    const counts = new Map([
      ["call_0", 2],
      ["call_9fK2x", 1],
      ["7", 1],
    ]);
    expect([...onlyReusable(counts).keys()]).toEqual(["call_0", "7"]);
  });
});
