import { describe, expect, it } from "vitest";
import { args, callObservation, NOON, result } from "../../../test/support/observations.ts";
import { callKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import { forkKey, isCarried, linkForks } from "./fork.ts";
import { recordOf } from "./merge.ts";
import type { CallObservation } from "./observation.ts";

const record = (session_id: string, fields: Partial<CallObservation> = {}): CallRecord => {
  const observation = callObservation({ session_id, arguments: args("a"), result: result("r"), ...fields });
  const { project, agent_id, tool_call_id } = observation;
  return recordOf(observation, { project, session_id, agent_id, tool_call_id, occurrence: 0 });
};
const starts =
  (at: Readonly<Record<string, number>>) =>
  ({ key }: CallRecord): number | undefined =>
    at[key.session_id];
const origins = (records: readonly CallRecord[]): unknown =>
  Object.fromEntries(records.map(({ key, inherited_from }) => [key.session_id, inherited_from]));

describe("the fork key", () => {
  it("the fork key contains project, id, name, arguments and result text", () => {
    const key = forkKey(record("a"));
    expect(forkKey(record("b", { occurred_at: NOON + 5 }))).toBe(key);
    for (const other of [
      { project: "other" },
      { tool_call_id: "toolu_other0000" },
      { name: "Read" },
      { arguments: args("b") },
      { result: result("s") },
    ]) {
      expect(forkKey(record("b", other))).not.toBe(key);
    }
  });

  it("the fork key stays undefined until the result is known", () => {
    const { result: _none, ...open } = callObservation();
    expect(forkKey(recordOf(open, { ...record("a").key }))).toBeUndefined();
  });
});

describe("a call that is carried over", () => {
  it("a call is carried over if it is in the history of its thread's first request, and only then", () => {
    expect(isCarried(record("a"), starts({ a: NOON }))).toBe(true);
    expect(isCarried(record("a"), starts({ a: NOON - 1 }))).toBe(false);
    expect(isCarried(record("a"), starts({}))).toBe(false);
  });

  it("a call is not carried over if a response of the thread made it", () => {
    const made = record("a", { place: { kind: "response", conversation: "c", n: 0, response_id: "m" } });
    expect(isCarried({ ...made, first_history_at: NOON }, starts({ a: NOON }))).toBe(false);
  });
});

describe("the calls of a fork", () => {
  const original = record("original", { occurred_at: NOON });
  const fork = record("fork", { occurred_at: NOON + 100 });
  const origin = callKeyText(original.key);

  it("a fork's calls inherit from the original thread, in any order of arrival", () => {
    const at = starts({ original: NOON - 50, fork: NOON + 100 });
    const expected = { original: undefined, fork: origin };
    expect(origins(linkForks([original, fork], at))).toEqual(expected);
    expect(origins(linkForks([fork, original], at))).toEqual(expected);
  });

  it("a fork's calls inherit from the call that was not carried over, even if that one is later", () => {
    const at = starts({ original: NOON, fork: NOON + 50 });
    expect(origins(linkForks([original, fork], at))).toEqual({ original: callKeyText(fork.key), fork: undefined });
  });

  it("a fork's calls inherit from the first original when a fork is forked again", () => {
    const second = record("second", { occurred_at: NOON + 200 });
    const at = starts({ original: NOON - 50, fork: NOON + 100, second: NOON + 200 });
    const expected = { original: undefined, fork: origin, second: origin };
    for (const order of [
      [original, fork, second],
      [second, fork, original],
      [fork, second, original],
    ]) {
      expect(origins(linkForks(order, at))).toEqual(expected);
    }
  });

  it("parallel runs of one prompt are no forks, because their first requests have no history", () => {
    const at = starts({ original: NOON - 50, fork: NOON + 50 });
    expect(origins(linkForks([original, fork], at))).toEqual({ original: undefined, fork: undefined });
  });

  it("a fork's calls stay unlinked without an original", () => {
    expect(linkForks([fork], starts({ fork: NOON + 100 }))).toEqual([fork]);
  });
});

describe("the calls of a copied transcript", () => {
  const line = (session: string, fields: Partial<CallObservation> = {}): CallRecord =>
    record(session, { source: "transcript", place: { kind: "exact", n: 0 }, ...fields });

  it("copied calls inherit from calls with the same result at the same time, and the smaller key is the original", () => {
    const [a, b] = [line("a"), line("b")];
    const expected = { a: undefined, b: callKeyText(a.key) };
    expect(origins(linkForks([a, b], starts({})))).toEqual(expected);
    expect(origins(linkForks([b, a], starts({})))).toEqual(expected);
  });

  it("copied calls do not inherit if the time differs or the id is a counter", () => {
    expect(origins(linkForks([line("a"), line("b", { occurred_at: NOON + 1 })], starts({})))).toEqual({});
    const counters = [line("a", { tool_call_id: "call_0" }), line("b", { tool_call_id: "call_0" })];
    expect(origins(linkForks(counters, starts({})))).toEqual({});
  });
});
