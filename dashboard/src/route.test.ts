import { expect, it } from "vitest";
import { hrefOf, PAGES, type PageName, parseRoute, rangeOf } from "./route.ts";

const read = (href: string) => {
  const { pathname, search } = new URL(href, "http://toolmend.test");
  return parseRoute(pathname, search);
};

it("leaves defaults and what is empty out of the address", () => {
  expect(hrefOf({ page: "tools", query: { range: "24h", filter: "" } })).toBe("/tools");
});

it.each(Object.keys(PAGES) as PageName[])("reads back what it wrote for %s", (page) => {
  const place = { page, query: { name: "a b&c=ü🔧/../%2e#?", range: "7d" } };
  expect(read(hrefOf(place))).toEqual(place);
});

it("takes an address that somebody broke for the plain page", () => {
  expect(read("/constructor?range=9y").page).toBe("overview");
  expect(rangeOf({ range: "constructor" })).toBe("24h");
});
