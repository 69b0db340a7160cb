import { expect, it } from "vitest";
import { readView, viewSearch } from "./view.ts";

it("leaves defaults out of the address", () => {
  expect(viewSearch(readView(""))).toBe("");
});

it("reads back what it wrote", () => {
  const view = { range: "7d", filter: "a b&c=ü🔧", sort: { column: "rate", descending: false } } as const;
  expect(readView(viewSearch(view))).toEqual(view);
});

it("takes an address that somebody broke for the plain page", () => {
  expect(readView("?range=9y&sort=-constructor&filter=")).toEqual(readView(""));
});
