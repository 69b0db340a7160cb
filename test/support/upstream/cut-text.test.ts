import { expect, it } from "vitest";
import { cutText } from "./cut-text.ts";
import { fillerMark, fillerPieces, frameBytes } from "./filler.ts";
import { createIds } from "./ids.ts";

it("cuts into pieces that make up the text", () => {
  expect([...cutText("abcdefg", 3)]).toEqual(["abc", "def", "g"]);
  expect([...cutText("abc", Number.POSITIVE_INFINITY)]).toEqual(["abc"]);
  expect([...cutText("", 3)]).toEqual([]);
});

it("does not part a surrogate pair", () => {
  expect([...cutText("a👀b👀", 2)]).toEqual(["a👀", "b👀"]);
  expect([...cutText("👀👀", 1)]).toEqual(["👀", "👀"]);
});

it("cuts a text of one character at a time where the size is senseless", () => {
  expect([...cutText("ab", 0)]).toEqual(["a", "b"]);
});

it("fills a mark with as many bytes as it says, the same as the deltas", () => {
  const frame = Buffer.concat([...frameBytes(`<é${fillerMark(40_000)}>`)]).toString();
  expect(frame).toBe(`<é${[...fillerPieces(40_000)].join("")}>`);
  expect(frame).toHaveLength(40_003);
});

it("gives the same ids in every run, each once, in the providers' shapes", () => {
  const [one, two] = [createIds("a"), createIds("a")];
  const ids = Array.from({ length: 500 }, () => one("toolu"));
  expect(Array.from({ length: 500 }, () => two("toolu"))).toEqual(ids);
  expect(new Set(ids).size).toBe(500);
  expect(ids[0]).toMatch(/^toolu_01[a-zA-Z0-9]{22}$/);
  expect(one("call")).toMatch(/^call_[a-zA-Z0-9]{24}$/);
  expect(one("mistral-call")).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(createIds("b")("toolu")).not.toBe(ids[0]);
});
