import { expect, it } from "vitest";
import { args, callObservation, NOON, result } from "../../../test/support/observations.ts";
import { callKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import { recordOf } from "./merge.ts";
import { orphanChanges } from "./orphans.ts";

const original = "default\u0000gone\u0000root\u0000toolu_a\u00000";
const isDeleted = (key: string): boolean => key.startsWith("default\u0000gone\u0000");

/** A call that a session carried over in its first request. */
function carried(session_id: string, at: number, inherited_from?: string): CallRecord {
  const seen = callObservation({
    session_id,
    tool_call_id: "toolu_a",
    occurred_at: at,
    arguments: args("x"),
    result: result("r"),
  });
  const key = { project: "default", session_id, agent_id: "root", tool_call_id: "toolu_a", occurrence: 0 };
  return { ...recordOf(seen, key), ...(inherited_from !== undefined && { inherited_from }) };
}

it("the earliest copy of a deleted call becomes the original, and the others become its copies", () => {
  const [first, second] = [carried("b", NOON, original), carried("c", NOON + 1, original)];
  const twins = [second, first].map((record) => ({ record, thread_start: record.first_at }));
  const changes = orphanChanges(twins, isDeleted, false);
  expect(changes.map(({ after }) => [after.key.session_id, after.inherited_from])).toEqual([
    ["c", callKeyText(first.key)],
    ["b", undefined],
  ]);
  expect(changes.every(({ kind, counts }) => kind === "reclassified" && !counts)).toBe(true);
});

it("copies of calls that were not deleted do not change", () => {
  const other = carried("b", NOON, "default\u0000stays\u0000root\u0000toolu_a\u00000");
  expect(orphanChanges([{ record: other, thread_start: NOON }], isDeleted, false)).toEqual([]);
  expect(orphanChanges([{ record: other, thread_start: NOON }], isDeleted, true)).toEqual([]);
});

it("copies stay uncounted without referring to the original if the aggregates keep counting it", () => {
  const copy = carried("b", NOON, original);
  const [change] = orphanChanges([{ record: copy, thread_start: NOON }], isDeleted, true);
  expect(change?.after).toEqual({ ...copy, inherited_from: "removed" });
});
