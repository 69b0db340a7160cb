import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { answer, say } from "../../src/demo/upstream/turn.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { type Running, startBoth } from "../support/running.ts";

let running: Running | undefined;
afterEach(async () => await running?.close());

it("seed 000, edge case 1: a result whose call is not known is recorded as unknown, and one warning says so", async () => {
  const logged: string[] = [];
  const logger = pino({ level: "warn", base: null }, { write: (line) => logged.push(line) });
  running = await startBoth(() => answer(say("I see.")), { logger });
  const orphan = (id: string): object => ({
    ...{ type: "tool_result", tool_use_id: `toolu_secret-${id}` },
    ...{ content: "a secret text", is_error: true },
  });
  for (const id of ["one", "two", "three"]) {
    const messages = [{ role: "user", content: [orphan(id)] }];
    await fetch(`${running.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-toolmend-session": "s-1" },
      body: JSON.stringify({ model: "m", max_tokens: 9, messages }),
    });
    await running.server.drain();
  }
  const recorded = (await recordedEvents(running)).filter(({ type }) => type === "tool_call_recorded");
  expect(recorded.map(({ tool_name, status }) => [tool_name, status])).toEqual([
    ["unknown", "failed"],
    ["unknown", "failed"],
    ["unknown", "failed"],
  ]);
  const warnings = logged.filter((line) => line.includes("recorded as unknown"));
  expect(warnings).toHaveLength(1);
  expect(logged.join("")).not.toContain("secret");
});
