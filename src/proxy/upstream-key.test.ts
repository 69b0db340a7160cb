import { expect, it } from "vitest";
import { keyHeader } from "./upstream-key.ts";

const UPSTREAM = { name: "u", url: new URL("https://h"), key: "secret" };

it.each([
  ["/v1/chat/completions", ["authorization", "Bearer secret"]],
  ["/v1/messages", ["x-api-key", "secret"]],
  ["/v1beta/models/m:generateContent", ["x-goog-api-key", "secret"]],
  ["/vertex/v1/projects/p/locations/l/publishers/google/models/m:generateContent", ["authorization", "Bearer secret"]],
  ["/vertex/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict", ["authorization", "Bearer secret"]],
  ["/ollama/api/chat", ["authorization", "Bearer secret"]],
])("keyHeader sends the key for %s as the API expects it", (path, expected) => {
  expect(
    keyHeader(
      () => undefined,
      path,
      UPSTREAM,
      () => true,
      false,
    ),
  ).toEqual(expected);
});

it("keyHeader adds nothing for a client with its own key, or one that is not trusted", () => {
  const own = (name: string): string | undefined => (name === "x-goog-api-key" ? "mine" : undefined);
  expect(keyHeader(own, "/v1beta/models/m:generateContent", UPSTREAM, () => true, false)).toEqual([]);
  const inQuery = "/v1beta/models/m:generateContent?key=k";
  expect(
    keyHeader(
      () => undefined,
      inQuery,
      UPSTREAM,
      () => true,
      false,
    ),
  ).toEqual([]);
  expect(
    keyHeader(
      () => undefined,
      "/v1/messages",
      UPSTREAM,
      () => false,
      false,
    ),
  ).toEqual([]);
});
