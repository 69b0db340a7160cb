import { expect, it } from "vitest";
import type { LeakRow } from "../../../../src/store/port.ts";
import { newestDistinct } from "./newest-distinct.ts";

it("of leaks with the same texts, the example is the newest, so that order and age agree", () => {
  const leak = (at: string, before: string): LeakRow => ({
    ...{ project: "default", session_id: "s", agent_id: "root", request_id: at, at, model: "m", provider: null },
    ...{ result: "left", format: "hermes-json", reason: "observe", evidence: [], parsed: 1, dropped: 0 },
    ...{ repairs: [], tool_names: [], tool_call_ids: [], before, after: [] },
  });
  const rows = [leak("12:05", "a"), leak("12:04", "b"), leak("12:01", "a"), leak("12:00", "b")];
  expect(newestDistinct(rows).map(({ at }) => at)).toEqual(["12:05", "12:04"]);
});
