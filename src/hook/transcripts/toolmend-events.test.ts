import { describe, expect, it } from "vitest";
import { callObservation, FAILED, lines, NOON, OK, result } from "../../../test/support/observations.ts";
import { createTestStore, type TestStore } from "../../../test/support/test-store.ts";
import { recordStatus, toolName } from "../../core/model/call-record.ts";
import { kindOfLine } from "./read-transcript.ts";
import { ToolmendEventsReader } from "./toolmend-events.ts";

const context = { project: "default", seenAt: NOON + 99, isLive: () => false, fallbackTime: NOON };

const observed = lines(
  callObservation({ tool_call_id: "toolu_a", model: "m1", provider: "anthropic", client: "claude-code" }),
  callObservation({ tool_call_id: "toolu_a", occurred_at: NOON + 5, result: result("no", FAILED) }),
  callObservation({ tool_call_id: "call_0", agent_id: "sub", result: result("a") }),
  callObservation({
    tool_call_id: "call_0",
    agent_id: "sub",
    place: { kind: "history", conversation: "c1", n: 1 },
    occurred_at: NOON + 9,
    result: result("b", OK),
  }),
  callObservation({ tool_call_id: "toolu_open", occurred_at: NOON + 20 }),
);

type Memory = TestStore;

async function recorded(): Promise<{ readonly store: Memory; readonly events: readonly string[] }> {
  const store = createTestStore();
  await store.apply({ journal: "j", position: "1", live: true, lines: observed });
  return { store, events: (await store.events(0, 100)).map(({ line }) => line) };
}

function reread(events: readonly string[]): string {
  const reader = new ToolmendEventsReader(context);
  const observations = events.flatMap((line) =>
    reader.isRelevant(Buffer.from(line)) ? reader.push(JSON.parse(line) as Record<string, unknown>) : [],
  );
  return lines(...observations.map((one) => (one.kind === "observation" ? one.observation : one.call)));
}

const facts = (store: Memory): readonly unknown[] =>
  store
    .records()
    .map((record) => {
      const outcome = record.facts.result?.value.outcome;
      return [
        Object.values(record.key).join("/"),
        toolName(record),
        recordStatus(record),
        outcome?.category,
        outcome?.phase,
        outcome?.severity,
        record.facts.model?.value,
        record.facts.provider?.value,
        record.first_at,
      ];
    })
    .sort();

describe("importing Toolmend event files", () => {
  it("restores the same records in an empty store", async () => {
    const { store, events } = await recorded();
    const again = createTestStore();
    const { rejected } = await again.apply({ journal: "j", position: "1", live: true, lines: reread(events) });
    expect(rejected).toEqual([]);
    expect(facts(store)).toHaveLength(4);
    expect(facts(again)).toEqual(facts(store));
    expect(await again.breakdown("tool", {})).toEqual(await store.breakdown("tool", {}));
  });

  it("changes nothing in the store that wrote the events", async () => {
    const { store, events } = await recorded();
    const [before, summary] = [facts(store), await store.summary({})];
    const outcomes = store.records().map((record) => record.facts.result);
    await store.apply({ journal: "j", position: "2", live: true, lines: reread(events) });
    expect(facts(store)).toEqual(before);
    expect(await store.summary({})).toEqual(summary);
    expect(store.records().map((record) => record.facts.result)).toEqual(outcomes);
  });

  it("detects events by their fields and skips malformed ones", () => {
    const event = { type: "tool_call_recorded", v: 1, event_id: "e", project: "default", session_id: "s" };
    expect(kindOfLine(event)).toBe("toolmend");
    const reader = new ToolmendEventsReader(context);
    for (const malformed of [
      event,
      { ...event, tool_call_id: 7 },
      { ...event, tool_call_id: "a", session_id: "../x" },
    ]) {
      expect(reader.push(malformed)).toEqual([]);
    }
    const [bad] = reader.push({
      ...event,
      tool_call_id: "a",
      category: "x",
      phase: 1,
      severity: "1",
      status: "failed",
      occurrence: -1,
    });
    expect(bad).toMatchObject({ observation: { place: { place: "/0" }, result: { outcome: { status: "failed" } } } });
    expect(JSON.stringify(bad)).not.toMatch(/severity|category|phase/);
  });
});
