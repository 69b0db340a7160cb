import { expect, it } from "vitest";
import type { CallRow } from "../../../../src/store/port.ts";
import { buildTimeline } from "./timeline.ts";

const call = (id: string, agent_id: string, links: Partial<CallRow> = {}): CallRow =>
  ({ id, agent_id, retry_of: null, cascade_of: null, ...links }) as CallRow;

it("gives each agent a lane, in order of appearance", () => {
  const { calls, lanes } = buildTimeline([call("a", "root"), call("b", "sub"), call("c", "root")]);
  expect(calls.map(({ lane }) => lane)).toEqual([0, 1, 0]);
  expect(lanes).toEqual([
    { names: ["root"], first: 0, last: 2 },
    { names: ["sub"], first: 1, last: 1 },
  ]);
});

it("puts the ninth and later agents in the last lane", () => {
  const { lanes } = buildTimeline(Array.from({ length: 12 }, (_, n) => call(`c${n}`, `agent-${n}`)));
  expect(lanes).toHaveLength(8);
  expect(lanes[7]?.names).toEqual(["agent-7", "agent-8", "agent-9", "agent-10", "agent-11"]);
});

it("links retries and follow-ons, and lists roots with the most follow-ons first", () => {
  const { links, roots } = buildTimeline([
    call("a", "root"),
    call("b", "root"),
    call("c", "root", { cascade_of: "b" }),
    call("d", "root", { cascade_of: "b", retry_of: "c" }),
    call("e", "root", { cascade_of: "a" }),
  ]);
  expect(links.map(({ kind, from, to }) => `${kind} ${from.call.id}${to.call.id}`)).toEqual([
    ...["follow bc", "retry cd", "follow bd", "follow ae"],
  ]);
  expect(roots.map(({ root, followOns: followers }) => [root.call.id, followers])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
});

it("draws no link to a call on another page, nor to the call itself", () => {
  expect(buildTimeline([call("a", "root", { retry_of: "elsewhere", cascade_of: "a" })]).links).toEqual([]);
});

it("folds the calls of a loop into one row, and keeps their links", () => {
  const inLoop = (id: string, run: number): CallRow =>
    call(id, "root", { loop: { of: "b", run, waits: 0, kind: "repeat", period: 1, tools: [], level: null } });
  const rows = [
    call("a", "root"),
    inLoop("b", 1),
    inLoop("c", 2),
    inLoop("d", 3),
    call("e", "root", { retry_of: "c" }),
  ];
  const { calls, links } = buildTimeline(rows);
  expect(calls.map(({ call: { id }, number, times }) => [id, number, times])).toEqual([
    ["a", 1, 1],
    ["d", 4, 3],
    ["e", 5, 1],
  ]);
  expect(links.map(({ from, to }) => `${from.call.id}${to.call.id}`)).toEqual(["de"]);
  expect(buildTimeline(rows, 0, false).calls).toHaveLength(5);
  expect(buildTimeline(rows.slice(0, 3)).calls).toHaveLength(3);
});
