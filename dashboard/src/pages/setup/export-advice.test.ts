import { expect, it } from "vitest";
import { adviceOf, backfillArguments } from "./export-advice.ts";

it.each([
  ["langfuse", "HTTP 401 (Invalid credentials)", /^The target rejected the keys\. Set LANGFUSE_PUBLIC_KEY/],
  ["otlp", "HTTP 403", /OTEL_EXPORTER_OTLP_HEADERS/],
  ["otlp", "HTTP 404", /^Another service may be listening there\. Check OTEL_EXPORTER_OTLP_ENDPOINT/],
  ["langfuse", "HTTP 503 (HTTP 401 behind it)", /^The target returned a server error\. Check its log\.$/],
  ["langfuse", "ECONNREFUSED", /^Check that it is running and that LANGFUSE_HOST is correct\.$/],
  ["otlp", "no answer in time", /^Check that it is running and that OTEL_EXPORTER_OTLP_ENDPOINT is correct\.$/],
  ["some day another", "ENOTFOUND", /^Check that it is running and that its address is correct\.$/],
])("suggests what to do for %s and %s", (target, problem, expected) => {
  expect(adviceOf({ target, problem })).toMatch(expected);
});

it("names the command that exports calls from before the start", () => {
  expect(backfillArguments("langfuse")).toBe("export langfuse --since 7d");
});
