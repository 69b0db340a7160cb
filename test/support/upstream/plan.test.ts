import { describe, expect, it } from "vitest";
import type { Fault } from "./faults.ts";
import { fillerMark } from "./filler.ts";
import { planBody, planStream, type Step } from "./plan.ts";
import type { SseEvent } from "./sse.ts";

const EVENTS: readonly SseEvent[] = [
  { event: "start", data: { a: 1 } },
  { event: "end", data: { b: 2 } },
];
const START = 'event: start\ndata: {"a":1}\n\n';
const END = 'event: end\ndata: {"b":2}\n\n';
const HALF = "event: end\nda";

function options(faults: readonly Fault[], eventMs?: number) {
  return {
    faults,
    errorEvent: (_: unknown, sequence: number): SseEvent => ({ event: "error", data: { sequence } }),
    ...(eventMs === undefined ? {} : { eventMs }),
  };
}

/** Texts unchanged, other steps by their kind. */
function plan(...faults: readonly Fault[]): unknown[] {
  return [...planStream(EVENTS, options(faults))].map(short);
}

function short(step: Step): unknown {
  if (step.kind === "send") return step.text;
  return step.kind === "wait" ? `wait ${step.ms ?? "for ever"}` : step.kind;
}

describe("planStream", () => {
  it("sends every event when there is no fault", () => {
    expect(plan()).toEqual([START, END]);
  });

  it("pauses between events, not before the first", () => {
    expect([...planStream(EVENTS, options([], 5))].map(short)).toEqual([START, "wait 5", END]);
  });

  it("delays the first byte", () => {
    expect(plan({ kind: "slow-first-byte", ms: 9 })).toEqual(["wait 9", START, END]);
  });

  it.each([
    [0, ["wait 3", START, END]],
    [1, [START, "wait 3", END]],
    [9, [START, END, "wait 3"]],
  ])("stalls after %i events", (afterEvents, steps) => {
    expect(plan({ kind: "stall", afterEvents, ms: 3 })).toEqual(steps);
  });

  it("stalls indefinitely without a time", () => {
    expect(plan({ kind: "stall", afterEvents: 1 })).toEqual([START, "wait for ever", END]);
  });

  it("leaves a stall before the headers to the server", () => {
    expect(plan({ kind: "stall" })).toEqual([START, END]);
  });

  it.each([
    [1, [START, HALF, "reset"]],
    [2, [START, END, "reset"]],
  ])("resets inside the event after %i", (afterEvents, steps) => {
    expect(plan({ kind: "reset-mid-event", afterEvents })).toEqual(steps);
  });

  it("cuts the last event in half, with and without a clean end", () => {
    expect(plan({ kind: "half-frame", ending: "clean" })).toEqual([START, HALF]);
    expect(plan({ kind: "half-frame", ending: "abrupt" })).toEqual([START, HALF, "hang-up"]);
  });

  it("ends early", () => {
    expect(plan({ kind: "truncate", afterEvents: 1 })).toEqual([START]);
  });

  it("sends the first event twice", () => {
    expect(plan({ kind: "duplicate-start" })).toEqual([START, START, END]);
  });

  it.each([
    [0, ['event: error\ndata: {"sequence":0}\n\n']],
    [1, [START, 'event: error\ndata: {"sequence":1}\n\n']],
    [9, [START, END, 'event: error\ndata: {"sequence":2}\n\n']],
  ])("sends an error event after %i and nothing after it", (afterEvents, steps) => {
    expect(plan({ kind: "error-event", afterEvents })).toEqual(steps);
  });

  it("writes comments and a retry line, which do not count as events", () => {
    const noise: Fault[] = [
      { kind: "comments", every: 2 },
      { kind: "retry-line", ms: 100 },
    ];
    expect(plan(...noise)).toEqual(["retry: 100\n\n", ": ping\n\n", START, END]);
    expect(plan(...noise, { kind: "truncate", afterEvents: 1 })).toEqual(["retry: 100\n\n", ": ping\n\n", START]);
  });

  it.each([
    ["crlf" as const, "\r\n"],
    ["cr" as const, "\r"],
  ])("ends lines with %s", (lineEnd, characters) => {
    expect(plan({ kind: "line-end", lineEnd })).toEqual([START, END].map((text) => text.replaceAll("\n", characters)));
  });
});

describe("planBody", () => {
  it("treats a JSON body as one event", () => {
    expect([...planBody('{"a":1}', options([{ kind: "reset-mid-event", afterEvents: 0 }]))].map(short)).toEqual([
      '{"a"',
      "reset",
    ]);
    expect([...planBody('{"a":1}', options([{ kind: "truncate", afterEvents: 0 }]))]).toEqual([]);
  });

  it("cuts bytes as well as text", () => {
    const steps = [...planBody(new Uint8Array([1, 2, 3, 4]), options([{ kind: "half-frame", ending: "clean" }]))];
    expect(steps).toEqual([{ kind: "send", text: new Uint8Array([1, 2]) }]);
  });

  it("does not cut through a filler", () => {
    const text = `{"a":"${fillerMark(1000)}"}`;
    expect([...planBody(text, options([{ kind: "half-frame", ending: "clean" }]))].map(short)).toEqual([
      `{"a":"${fillerMark(1000)}`,
    ]);
  });
});
