import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REASON_TEXT, reasonText } from "./reason-text.ts";

it("has words for every reason that docs/repair.md lists, and the page lists every reason", () => {
  const page = readFileSync("docs/repair.md", "utf8");
  const listed = new Set([...page.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, name]) => name as string));
  expect(Object.keys(REASON_TEXT).filter((reason) => !listed.has(reason))).toEqual([]);
});

it("shows a reason that it does not know as it is", () => {
  expect(reasonText("echo")).toBe("repeats a call from a tool result, a file or a message");
  expect(reasonText("from-a-newer-version")).toBe("from-a-newer-version");
});
