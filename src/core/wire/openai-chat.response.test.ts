import { expect, it } from "vitest";
import { decodeResponse } from "./openai-chat.ts";

it.each([
  [{ error: { type: "invalid_request_error", message: "no" } }, "invalid_request_error: no"],
  [{ object: "error", message: "id is too long", code: 400 }, "id is too long"],
  [{ detail: "Not here" }, "Not here"],
  [{ detail: [{ loc: ["body"], msg: "field required" }] }, '[{"loc":["body"],"msg":"field required"}]'],
])("decodeResponse of Chat Completions reads the error in %j", (body, error) => {
  expect(decodeResponse(body)).toMatchObject({ error, calls: [] });
});

it("decodeResponse of Chat Completions rejects an object that is neither a response nor an error", () => {
  expect(decodeResponse({ status: "ok" })).toBeUndefined();
});
