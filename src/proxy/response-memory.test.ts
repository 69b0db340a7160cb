import { describe, expect, it } from "vitest";
import { continueCall, onlyReusable, type RememberedTurn, ResponseMemory } from "./response-memory.ts";

const turn = (session_id: string, more: Partial<RememberedTurn> = {}): RememberedTurn => ({
  session_id,
  agent_id: "root",
  conversation: "c",
  calls: [],
  counts: new Map(),
  asked: { count: 0 },
  at: 0,
  ...more,
});

describe("the memory of answers", () => {
  it("finds an answer by its key, the newest where a key came twice", () => {
    const memory = new ResponseMemory();
    memory.add("resp_1", turn("a"), 0);
    memory.add("resp_1", turn("b"), 0);
    expect(memory.find("resp_1", 0)?.session_id).toBe("b");
    expect(memory.find("resp_2", 0)).toBeUndefined();
  });

  it("forgets after an hour", () => {
    const memory = new ResponseMemory();
    memory.add("resp_1", turn("a"), 1000);
    expect(memory.find("resp_1", 1000 + 3_599_999)).toBeDefined();
    expect(memory.find("resp_1", 1000 + 3_600_000)).toBeUndefined();
    expect(memory.find("resp_1", 1000)).toBeUndefined();
  });

  it("forgets the oldest when there are too many", () => {
    const memory = new ResponseMemory({ answers: 2 });
    for (const key of ["one", "two", "one", "three"]) memory.add(key, turn(key), 0);
    expect(["one", "two", "three"].map((key) => memory.find(key, 0)?.session_id)).toEqual(["one", undefined, "three"]);
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
