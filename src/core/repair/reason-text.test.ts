import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REASON_TEXT, reasonText } from "./reason-text.ts";

it("reasonText has a text for every reason in docs/repair.md, and the page lists every reason", () => {
  const page = readFileSync("docs/repair.md", "utf8");
  const listed = new Set([...page.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, name]) => name as string));
  expect(Object.keys(REASON_TEXT).filter((reason) => !listed.has(reason))).toEqual([]);
});

it("reasonText returns an unknown reason unchanged", () => {
  expect(reasonText("echo")).toBe("repeats a call from a tool result, a file or a message");
  expect(reasonText("from-a-newer-version")).toBe("from-a-newer-version");
});
