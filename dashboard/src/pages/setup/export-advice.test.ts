import { expect, it } from "vitest";
import { adviceOf } from "./export-advice.ts";

it.each([
  ["langfuse", "HTTP 401 (Invalid credentials)", /^It does not know the keys: set LANGFUSE_PUBLIC_KEY/],
  ["otlp", "HTTP 403", /OTEL_EXPORTER_OTLP_HEADERS/],
  ["otlp", "HTTP 404", /^Somebody else may answer there: check OTEL_EXPORTER_OTLP_ENDPOINT/],
  ["langfuse", "HTTP 503 (HTTP 401 behind it)", /^It answers and is not well/],
  ["langfuse", "ECONNREFUSED", /^Is it running, and is LANGFUSE_HOST right\?$/],
  ["otlp", "no answer in time", /^Is it running, and is OTEL_EXPORTER_OTLP_ENDPOINT right\?$/],
  ["some day another", "ENOTFOUND", /^Is it running, and is its address right\?$/],
])("suggests what to do for %s and %s", (target, problem, expected) => {
  expect(adviceOf({ target, problem })).toMatch(expected);
});
