import { describe, expect, it } from "vitest";
import { NOON } from "../support/observations.ts";
import { until } from "../support/raw-http.ts";
import { type RecordedEvent, recordedEvents } from "../support/recorded-events.ts";
import { getJson, type Running, startInFrontOf } from "../support/running.ts";
import { type PlannedCall, ScriptedAgent } from "../support/scripted-agent.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CALLS: readonly PlannedCall[] = [
  { tool: "Bash", result: "fine", isError: false },
  { tool: "Read", result: "No such file", isError: true },
];

/** A clock that a test can set and that keeps running from there. */
function settableClock(): { now: () => number; set: (at: number) => void } {
  let offset = NOON - Date.now();
  return {
    now: () => Date.now() + offset,
    set(at) {
      offset = at - Date.now();
    },
  };
}

async function recordedResponses(running: Running, count: number): Promise<readonly RecordedEvent[]> {
  let events: readonly RecordedEvent[] = [];
  await until(`${count} responses are recorded`, async () => {
    events = await recordedEvents(running);
    return events.filter(({ type }) => type === "response_recorded").length === count;
  });
  return events;
}

function expectSaneTimes(events: readonly RecordedEvent[]): void {
  for (const event of events) {
    for (const name of ["duration_ms", "time_to_first_byte_ms", "turnaround_ms", "execution_time_ms"]) {
      const value = event[name];
      if (typeof value === "number") expect([name, value >= 0]).toEqual([name, true]);
    }
  }
}

describe("a clock that jumps", () => {
  it("a jump back an hour and forward a day between requests: each result once, no negative durations, sessions in order", async () => {
    const clock = settableClock();
    const agent = new ScriptedAgent();
    const upstream = await resources.open(startUpstream({ script: agent.script }));
    const running = await resources.open(startInFrontOf(upstream.url, { now: clock.now }));
    await agent.useMessages(running.url, "at-noon", CALLS);
    await recordedResponses(running, 2);
    clock.set(NOON - HOUR);
    await agent.useMessages(running.url, "an-hour-before", CALLS);
    await recordedResponses(running, 4);
    clock.set(NOON + DAY);
    await agent.useMessages(running.url, "a-day-after", CALLS);
    const events = await recordedResponses(running, 6);

    const results = events.filter(({ type }) => type === "tool_call_recorded");
    expect(results).toHaveLength(6);
    expect(new Set(results.map(({ tool_call_id }) => tool_call_id)).size).toBe(6);
    expectSaneTimes(events);
    const { rows } = await getJson<{ rows: readonly { session_id: string; started_at: string; last_at: string }[] }>(
      `${running.url}/api/sessions`,
    );
    expect(rows.map(({ session_id }) => session_id)).toEqual(["a-day-after", "at-noon", "an-hour-before"]);
    for (const { started_at, last_at } of rows) expect(last_at >= started_at).toBe(true);
    expect(await running.server.store.summary({})).toMatchObject({ calls: 6, ok: 3, failed: 3, sessions: 3 });
  });

  it.each([
    ["back an hour", -HOUR],
    ["forward a day", DAY],
  ])("a jump %s between a call and its result: the result is counted once, even when sent again", async (_how, by) => {
    const clock = settableClock();
    const upstream = await resources.open(
      startUpstream({
        script: ({ messages }) => (messages.length === 1 ? respond(call("Bash", { q: "x" })) : respond("Done.")),
      }),
    );
    const running = await resources.open(startInFrontOf(upstream.url, { now: clock.now }));
    const prompt = { role: "user", content: "Begin" };
    const sendMessages = async (messages: readonly object[]): Promise<{ content: readonly { id: string }[] }> => {
      const response = await fetch(`${running.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-toolmend-session": "jumping" },
        body: JSON.stringify({ model: "m", max_tokens: 9, messages }),
      });
      return (await response.json()) as { content: readonly { id: string }[] };
    };
    const { content } = await sendMessages([prompt]);
    await recordedResponses(running, 1);
    clock.set(NOON + by);
    const result = { type: "tool_result", tool_use_id: content[0]?.id, content: "No such file", is_error: true };
    const history = [prompt, { role: "assistant", content }, { role: "user", content: [result] }];
    await sendMessages(history);
    await recordedResponses(running, 2);
    clock.set(NOON);
    await sendMessages(history);
    const events = await recordedResponses(running, 3);
    expect(events.filter(({ type }) => type === "tool_call_recorded")).toMatchObject([{ status: "failed" }]);
    expectSaneTimes(events);
    expect(await running.server.store.summary({})).toMatchObject({ calls: 1, failed: 1, pending: 0, discarded: 0 });
  });

  it("a jump back an hour during a response: its duration is not negative", async () => {
    const clock = settableClock();
    const upstream = await resources.open(
      startUpstream({
        script: () => {
          clock.set(NOON - HOUR);
          return respond("hi");
        },
      }),
    );
    const running = await resources.open(startInFrontOf(upstream.url, { now: clock.now }));
    await fetch(`${running.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
    });
    expectSaneTimes(await recordedResponses(running, 1));
  });
});
