import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { startRawServer } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { type Running, startBoth, startInFrontOf } from "../support/running.ts";
import { respond, say } from "../support/upstream/turn.ts";

let running: Running | undefined;
afterEach(async () => await running?.close());

it("a result without a known call is recorded as unknown, and one warning has its id but not its text", async () => {
  const logged: string[] = [];
  const logger = pino({ level: "warn", base: null }, { write: (line) => logged.push(line) });
  running = await startBoth(() => respond(say("I see.")), { logger });
  const orphan = (id: string): object => ({
    ...{ type: "tool_result", tool_use_id: `toolu_unmatched-${id}` },
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
  const warnings = logged.filter((line) => line.includes("arrived without their calls"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('"tool_call_id":"toolu_unmatched-one"');
  expect(logged.join("")).not.toContain("secret");
});

it("calls with empty ids are distinguished by their position in every turn, and none is dropped", async () => {
  const body = JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: "hm" } }] });
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const upstream = await startRawServer((socket) => void socket.on("data", () => socket.write(head + body)));
  running = await startInFrontOf(upstream.url);
  const toolCall = (command: string): object => ({
    ...{ id: "", type: "function" },
    function: { name: "bash", arguments: JSON.stringify({ command }) },
  });
  const result = (content: string): object => ({ role: "tool", tool_call_id: "", content });
  const messages: object[] = [{ role: "user", content: "go" }];
  const turns = [
    [
      { role: "assistant", tool_calls: [toolCall("a"), toolCall("b")] },
      result("fine"),
      result("Error: b is not there"),
    ],
    [{ role: "assistant", tool_calls: [toolCall("c")] }, result("fine again")],
  ];
  for (const turn of turns) {
    messages.push(...turn);
    await fetch(`${running.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-toolmend-session": "s-1" },
      body: JSON.stringify({ model: "m", messages }),
    });
    await running.server.drain();
  }
  const recorded = (await recordedEvents(running)).filter(({ type }) => type === "tool_call_recorded");
  expect(recorded.map(({ tool_name, occurrence, status }) => [tool_name, occurrence, status])).toEqual([
    ["bash", 0, "ok"],
    ["bash", 1, "failed"],
    ["bash", 2, "ok"],
  ]);
  expect(await (await fetch(`${running.url}/metrics`)).text()).toContain("toolmend_ingest_dropped_total 0");
  await upstream.close();
});
