import { expect, it } from "vitest";
import { Tail } from "./tail.ts";

const line = (fields: object): string => JSON.stringify({ type: "tool_call_recorded", ...fields });

it("shows the newest events first, filtered by every word", () => {
  const tail = new Tail();
  tail.push(line({ tool_name: "Bash", status: "failed" }), 0);
  tail.push(line({ tool_name: "Read", status: "ok", status_message: "bash is fine" }), 0);
  expect(tail.newest("", false).map(({ event }) => event.tool_name)).toEqual(["Read", "Bash"]);
  expect(tail.newest("BASH fine", false).map(({ event }) => event.tool_name)).toEqual(["Read"]);
  expect(tail.newest("", true).map(({ event }) => event.tool_name)).toEqual(["Bash"]);
});

it("keeps a bounded number of events and continues counting", () => {
  const tail = new Tail();
  for (let n = 0; n < 10_000; n++) tail.push(line({ tool_name: `t${n}` }), 0);
  expect(tail.newest("", false)).toHaveLength(2000);
  expect(tail.newest("", false)[0]).toMatchObject({ number: 10_000, event: { tool_name: "t9999" } });
});

it("includes hidden event types in the rate", () => {
  const tail = new Tail();
  for (let at = 0; at < 10_000; at += 100) tail.push(JSON.stringify({ type: "request_recorded" }), at);
  expect([tail.rate(10_000), tail.count, tail.rate(60_000)]).toEqual([10, 0, 0]);
});

it("ignores lines that are not events", () => {
  const tail = new Tail();
  for (const odd of ["", "{", "null", "[]", "7", '{"type":7}']) tail.push(odd, 0);
  expect(tail.newest("", false)).toEqual([]);
});

it("starts with recorded calls, without those that have arrived as events", () => {
  const tail = new Tail();
  tail.push(line({ tool_name: "Read", record_id: "b" }), 0);
  tail.start([
    { type: "tool_call_recorded", tool_name: "Read", record_id: "b" },
    { type: "tool_call_recorded", tool_name: "Bash", record_id: "a" },
  ]);
  expect(tail.newest("", false).map(({ number, event }) => [number, event.tool_name])).toEqual([
    [1, "Read"],
    [-1, "Bash"],
  ]);
});

it("hides scores of sessions, and sessions that ended long before they were found to be idle", () => {
  const tail = new Tail();
  const ended = (timestamp: number): string =>
    line({ type: "session_ended", timestamp: new Date(timestamp).toISOString() });
  const now = 10 * 3_600_000;
  tail.push(line({ type: "session_scored" }), now);
  tail.push(ended(now - 2 * 3_600_000), now);
  tail.push(ended(now - 1_800_000), now);
  expect(tail.newest("", false).map(({ event }) => event.timestamp)).toEqual(["1970-01-01T09:30:00.000Z"]);
});
