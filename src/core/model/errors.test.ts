import { expect, it } from "vitest";
import { codeOf, messageOf, toError } from "./errors.ts";

it("messageOf reads the message of whatever was thrown", () => {
  expect(messageOf(new TypeError("no such tool"))).toBe("no such tool");
  expect(messageOf({ message: "from another realm" })).toBe("from another realm");
  expect(messageOf("only a text")).toBe("only a text");
  expect(messageOf(undefined)).toBe("undefined");
});

it("codeOf reads a code only if it is a text", () => {
  expect(codeOf(Object.assign(new Error("gone"), { code: "ENOENT" }))).toBe("ENOENT");
  expect(codeOf(Object.assign(new Error("gone"), { code: 5 }))).toBeUndefined();
  expect(codeOf(null)).toBeUndefined();
});

it("toError turns a thrown value into an error that keeps the value as its cause", () => {
  const error = new RangeError("too long");
  expect(toError(error)).toBe(error);
  expect(toError("only a text")).toMatchObject({ message: "only a text", cause: "only a text" });
});
