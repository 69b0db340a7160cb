import { expect, it } from "vitest";
import { hrefOf, PAGES, type PageName, parseRoute, rangeOf } from "./route.ts";

const read = (href: string) => {
  const { pathname, search } = new URL(href, "http://toolmend.test");
  return parseRoute(pathname, search);
};

it("omits defaults and empty values from the URL", () => {
  expect(hrefOf({ page: "tools", query: { range: "24h", filter: "" } })).toBe("/tools");
});

it.each((Object.keys(PAGES) as PageName[]).filter((page) => page !== "missing"))(
  "parses the URL it created for %s",
  (page) => {
    const place = { page, query: { name: "a b&c=ü🔧/../%2e#?", range: "7d" } };
    expect(read(hrefOf(place))).toEqual(place);
  },
);

it("reads a time range as the API names it", () => {
  expect(rangeOf({ since: "7d" })).toBe("7d");
  expect(rangeOf({ range: "1h", since: "7d" })).toBe("1h");
  expect(rangeOf({ since: "2026-03-10T10:00:00.000Z" })).toBe("24h");
});

it("treats an unknown or malformed URL as the default page", () => {
  expect(read("/constructor?range=9y").page).toBe("missing");
  expect(rangeOf({ range: "constructor" })).toBe("24h");
});
