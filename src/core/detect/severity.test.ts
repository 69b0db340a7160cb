import { expect, test } from "vitest";
import { CATEGORIES } from "../model/outcome.ts";
import { ERROR_SEVERITY, getErrorSeverity, RETRY_ADVICE } from "./index.ts";

test.each([
  ["permission_denied", 0.9],
  ["incomplete", 0.85],
  ["exit_code", 0.8],
  ["timeout", 0.75],
  ["http_server_error", 0.7],
  ["error", 0.6],
  ["http_client_error", 0.5],
  ["failed", 0.5],
  ["not_found", 0.4],
  ["cancelled", 0.3],
])("the published severity of %s is %f", (category, severity) => {
  expect(getErrorSeverity(category)).toBe(severity);
});

test("missing and unknown categories have severity 0.5", () => {
  expect(getErrorSeverity()).toBe(0.5);
  expect(getErrorSeverity("gremlins")).toBe(0.5);
  expect(getErrorSeverity("toString")).toBe(0.5);
});

test("every category has a severity and retry advice", () => {
  expect(Object.keys(ERROR_SEVERITY).sort()).toEqual([...CATEGORIES].sort());
  expect(Object.keys(RETRY_ADVICE).sort()).toEqual([...CATEGORIES].sort());
});
