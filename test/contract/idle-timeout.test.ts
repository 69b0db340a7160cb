import { afterEach, expect, it } from "vitest";
import { until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { type Running, startInFrontOf } from "../support/running.ts";

let running: Running | undefined;
afterEach(async () => await running?.close());

it("a session ends after the configured idle timeout, and its pending call is incomplete", async () => {
  let now = 1_900_000_000_000;
  running = await startInFrontOf("http://127.0.0.1:1", { idleTimeoutMs: 120_000, sweepMs: 20, now: () => now });
  const { url, server } = running;
  await fetch(`${url}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: '{"session_id":"s-1","tool_call_id":"call_1","tool_name":"search"}\n',
  });
  await server.drain();
  const ends = async (): Promise<unknown[]> =>
    (await recordedEvents(running as Running))
      .filter(({ type }) => type === "session_ended" || type === "tool_call_recorded")
      .map(({ type, category, reason }) => [type, category ?? reason]);
  now += 119_000;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await ends()).toEqual([]);
  now += 2000;
  await until("the session has ended", async () => (await ends()).length === 2, 10_000);
  expect(await ends()).toEqual([
    ["tool_call_recorded", "incomplete"],
    ["session_ended", "idle"],
  ]);
});
