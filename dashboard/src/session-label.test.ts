import { expect, it } from "vitest";
import { labelOf, spanText } from "./session-label.ts";

it("names a session by folder and branch, else by client or model and a short id", () => {
  const session = {
    ...{ session_id: "5e551011-0000-4000-8000-000000000001", client: "codex", model_used: "gpt-x" },
    ...{ folder: null, branch: null },
  };
  expect(labelOf({ ...session, folder: "shop", branch: "main" })).toBe("shop · main · codex");
  expect(labelOf(session)).toBe("codex · 5e551011…");
  expect(labelOf({ ...session, client: "plain" })).toBe("gpt-x · 5e551011…");
  expect(labelOf({ ...session, client: null, model_used: null })).toBe("5e551011…");
});

it("rounds the length of a session", () => {
  expect([4000, 720_000, 11_100_000, 7_200_000].map(spanText)).toEqual(["4 s", "12 min", "3 h 5 min", "2 h"]);
});
