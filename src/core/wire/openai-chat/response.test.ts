import { expect, it } from "vitest";
import { decodeResponse } from "./response.ts";

it.each([
  [{ error: { type: "invalid_request_error", message: "no" } }, "invalid_request_error: no"],
  [{ object: "error", message: "id is too long", code: 400 }, "id is too long"],
  [{ detail: "Not here" }, "Not here"],
  [{ detail: [{ loc: ["body"], msg: "field required" }] }, '[{"loc":["body"],"msg":"field required"}]'],
])("an error is told in whatever shape a server has it: %j", (body, error) => {
  expect(decodeResponse(body)).toMatchObject({ error, calls: [] });
});

it("an object that is neither answer nor error is nothing", () => {
  expect(decodeResponse({ status: "ok" })).toBeUndefined();
});
