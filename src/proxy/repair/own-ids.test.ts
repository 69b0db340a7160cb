import { expect, it } from "vitest";
import { mayBeOurs, ownLetters } from "./own-ids.ts";

it("an id of ours is known by its letters, and looks like any other", () => {
  for (let at = 0; at < 1000; at += 1) {
    const id = `call_${ownLetters(24)}`;
    expect(id).toMatch(/^call_[0-9A-Za-z]{24}$/);
    expect(mayBeOurs(id)).toBe(true);
  }
  expect(ownLetters(9)).toMatch(/^[0-9A-Za-z]{9}$/);
  expect(new Set(Array.from({ length: 1000 }, () => ownLetters(24))).size).toBe(1000);
});

it("ids of others are told from it: of another shape always, of the same shape nearly always", () => {
  for (const id of [
    "",
    "call_0",
    "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
    "call_ABCDEFGHJKLMNPQRSTUVWXYZ",
    "functions.read:3",
  ])
    expect(mayBeOurs(id)).toBe(false);
  const id = `call_${ownLetters(24)}`;
  const changed = id.slice(0, 10) + (id[10] === "x" ? "y" : "x") + id.slice(11);
  expect(mayBeOurs(changed)).toBe(false);
});
