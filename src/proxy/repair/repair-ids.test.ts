import { expect, it } from "vitest";
import { createRepairIdSuffix, looksLikeRepairId } from "./repair-ids.ts";

it("a repair id is recognized by its checksum and has the usual format", () => {
  for (let at = 0; at < 1000; at += 1) {
    const id = `call_${createRepairIdSuffix(24)}`;
    expect(id).toMatch(/^call_[0-9A-Za-z]{24}$/);
    expect(looksLikeRepairId(id)).toBe(true);
  }
  expect(createRepairIdSuffix(9)).toMatch(/^[0-9A-Za-z]{9}$/);
  expect(new Set(Array.from({ length: 1000 }, () => createRepairIdSuffix(24))).size).toBe(1000);
});

it("ids in another format or with a wrong checksum are not repair ids", () => {
  for (const id of [
    "",
    "call_0",
    "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
    "call_ABCDEFGHJKLMNPQRSTUVWXYZ",
    "functions.read:3",
  ])
    expect(looksLikeRepairId(id)).toBe(false);
  const id = `call_${createRepairIdSuffix(24)}`;
  const changed = id.slice(0, 10) + (id[10] === "x" ? "y" : "x") + id.slice(11);
  expect(looksLikeRepairId(changed)).toBe(false);
});
