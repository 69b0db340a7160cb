import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalText, type Fact, pickFact, pickLatest } from "./facts.ts";

const fact = (value: unknown, rank: number, at: number): Fact<unknown> => ({ value, rank, at });
const anyFact = fc.record({
  value: fc.constantFrom<unknown>("a", "b", 1, null, { x: 1, y: 2 }, { y: 2, x: 1 }),
  rank: fc.integer({ min: 1, max: 3 }),
  at: fc.integer({ min: 0, max: 3 }),
});

describe("picking one of two facts", () => {
  it.each([
    ["the higher rank", fact("late", 4, 9), fact("early", 1, 0), "late"],
    ["the earlier of equal ranks", fact("a", 2, 5), fact("b", 2, 4), "b"],
    ["the smaller text of equal ranks and times", fact("b", 2, 5), fact("a", 2, 5), "a"],
  ])("%s wins, in either order of arguments", (_what, one, other, winner) => {
    expect(pickFact(one, other)?.value).toBe(winner);
    expect(pickFact(other, one)?.value).toBe(winner);
  });

  it("an existing fact wins over a missing one", () => {
    expect(pickFact(undefined, fact("a", 1, 1))?.value).toBe("a");
    expect(pickFact(fact("a", 1, 1), undefined)?.value).toBe("a");
    expect(pickFact(undefined, undefined)).toBeUndefined();
  });

  it("pickLatest prefers the later of equal ranks", () => {
    expect(pickLatest(fact("a", 2, 5), fact("b", 2, 4))?.value).toBe("a");
    expect(pickLatest(fact("a", 2, 4), fact("b", 2, 5))?.value).toBe("b");
    expect(pickLatest(fact("a", 2, 4), fact("b", 1, 5))?.value).toBe("a");
  });

  it.each([
    ["pickFact", pickFact],
    ["pickLatest", pickLatest],
  ])("%s gives the same winner in any order and grouping", (_name, pick) => {
    fc.assert(
      fc.property(anyFact, anyFact, anyFact, (a, b, c) => {
        const text = (one: Fact<unknown> | undefined): string => canonicalText(one);
        expect(text(pick(a, b))).toBe(text(pick(b, a)));
        expect(text(pick(pick(a, b), c))).toBe(text(pick(a, pick(b, c))));
        expect(text(pick(a, a))).toBe(text(a));
      }),
    );
  });
});

describe("canonicalText", () => {
  it.each([
    [{ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}'],
    [[3, 1, 2], "[3,1,2]"],
    ["text", '"text"'],
    [null, "null"],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])("turns %j into %s", (value, expected) => {
    expect(canonicalText(value)).toBe(expected);
  });

  it("gives equal texts exactly for equal values, and parses to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalText(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalText(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
