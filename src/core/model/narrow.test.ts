import { expect, it } from "vitest";
import { hasFields, isArray, isObject, isOneOf, keysOf, present } from "./narrow.ts";

it("isObject, isArray and hasFields distinguish objects, lists and other values", () => {
  const values = [{}, [], null, "text", undefined];
  expect(values.map(isObject)).toEqual([true, false, false, false, false]);
  expect(values.map(isArray)).toEqual([false, true, false, false, false]);
  expect(values.map(hasFields)).toEqual([true, true, false, false, false]);
});

it("isOneOf finds a value only among the given ones", () => {
  expect(isOneOf(["ok", "failed"], "ok")).toBe(true);
  expect(isOneOf(["ok", "failed"], "okay")).toBe(false);
  expect(isOneOf(["ok", "failed"], undefined)).toBe(false);
});

it("keysOf lists the names of an object in their order", () => {
  expect(keysOf({ first: 1, second: 2 })).toEqual(["first", "second"]);
});

it("present returns a value that is present and throws for one that is missing", () => {
  expect([0, "", false, null].map((value) => present(value))).toEqual([0, "", false, null]);
  expect(() => present(undefined)).toThrow("A value that must be present is missing.");
});
