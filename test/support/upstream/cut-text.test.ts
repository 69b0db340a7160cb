import { expect, it } from "vitest";
import { cutText } from "./cut-text.ts";
import { fillerMark, fillerPieces, frameBytes } from "./filler.ts";
import { createIds } from "./ids.ts";

it("cutText splits a text into chunks that add up to the text", () => {
  expect([...cutText("abcdefg", 3)]).toEqual(["abc", "def", "g"]);
  expect([...cutText("abc", Number.POSITIVE_INFINITY)]).toEqual(["abc"]);
  expect([...cutText("", 3)]).toEqual([]);
});

it("cutText does not split a surrogate pair", () => {
  expect([...cutText("a👀b👀", 2)]).toEqual(["a👀", "b👀"]);
  expect([...cutText("👀👀", 1)]).toEqual(["👀", "👀"]);
});

it("cutText splits into single characters when the size is invalid", () => {
  expect([...cutText("ab", 0)]).toEqual(["a", "b"]);
});

it("a filler marker is replaced with the stated number of bytes, the same as the deltas", () => {
  const frame = Buffer.concat([...frameBytes(`<é${fillerMark(40_000)}>`)]).toString();
  expect(frame).toBe(`<é${[...fillerPieces(40_000)].join("")}>`);
  expect(frame).toHaveLength(40_003);
});

it("the same unique ids are generated in every run, in the providers' formats", () => {
  const [one, two] = [createIds("a"), createIds("a")];
  const ids = Array.from({ length: 500 }, () => one("toolu"));
  expect(Array.from({ length: 500 }, () => two("toolu"))).toEqual(ids);
  expect(new Set(ids).size).toBe(500);
  expect(ids[0]).toMatch(/^toolu_01[a-zA-Z0-9]{22}$/);
  expect(one("call")).toMatch(/^call_[a-zA-Z0-9]{24}$/);
  expect(one("mistral-call")).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(createIds("b")("toolu")).not.toBe(ids[0]);
});
