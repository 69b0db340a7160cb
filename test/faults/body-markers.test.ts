import { describe, expect, it } from "vitest";
import { send, startRawServer, until } from "../support/raw-http.ts";
import { type RecordedEvent, recordedEvents } from "../support/recorded-events.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const TOOLS = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
const call = (id: string) => ({ id, type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } });

/** Starts the server in front of an upstream that sends one body for every request. */
async function startSending(type: string, body: string): Promise<Running> {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  const upstream = await resources.open(
    startRawServer((socket) => {
      socket.once("data", () => socket.write(Buffer.concat([Buffer.from(head), bytes])));
    }),
  );
  return await resources.open(startInFrontOf(upstream.url));
}

async function recordedAfter(running: Running, body: string): Promise<readonly RecordedEvent[]> {
  const got = await send(`${running.url}/v1/chat/completions`, { headers: JSON_TYPE }, body);
  expect(got.status).toBe(200);
  let events: readonly RecordedEvent[] = [];
  await until("the response is recorded", async () => {
    events = await recordedEvents(running);
    return events.some(({ type }) => type === "response_recorded");
  });
  return events;
}

const namesOf = (events: readonly RecordedEvent[], type: string): readonly string[] =>
  events.filter((event) => event.type === type).map(({ tool_call_id }) => tool_call_id);

describe("a byte order mark", () => {
  // With tools, the response goes through repair; without, it is only read.
  it.each([{ tools: TOOLS }, {}])("calls are recorded with a byte order mark before both bodies (%j)", async (more) => {
    const message = { role: "assistant", content: "\u00e9", tool_calls: [call("call_made4fj2kq")] };
    const response = { id: "r1", model: "m", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const running = await startSending("application/json", `\ufeff${JSON.stringify(response)}`);
    const messages = [
      { role: "user", content: "caf\u00e9" },
      { role: "assistant", tool_calls: [call("call_done8sd1xz")] },
      { role: "tool", tool_call_id: "call_done8sd1xz", content: "fine" },
    ];
    const events = await recordedAfter(running, `\ufeff${JSON.stringify({ model: "m", messages, ...more })}`);
    expect(namesOf(events, "tool_call_recorded")).toEqual(["call_done8sd1xz"]);
    expect(namesOf(events, "tool_call_requested")).toContain("call_made4fj2kq");
  });

  it("a byte order mark before a response stays in front of the repaired one", async () => {
    const leak = '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>';
    const message = { role: "assistant", content: leak };
    const response = { id: "r1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] };
    const { url } = await startSending("application/json", `\ufeff${JSON.stringify(response)}`);
    const body = JSON.stringify({ model: "m", tools: TOOLS, messages: [{ role: "user", content: "list" }] });
    const got = await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, body);
    const text = got.body.toString();
    expect(text.charCodeAt(0)).toBe(0xfeff);
    expect(JSON.parse(text.slice(1)).choices[0].message.tool_calls[0].function.name).toBe("Bash");
  });
});

describe("a stream without a finish reason", () => {
  it.each(["data: [DONE]", "data:  [DONE]", "data:[DONE] ", "data: \t[DONE]"])(
    "a stream that ends with %j is complete",
    async (end) => {
      const chunk = { id: "r1", model: "m", choices: [{ index: 0, delta: { content: "whole" }, finish_reason: null }] };
      const running = await startSending("text/event-stream", `data: ${JSON.stringify(chunk)}\n\n${end}\n\n`);
      const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] });
      const events = await recordedAfter(running, body);
      expect(events.find(({ type }) => type === "response_recorded")?.ended).toBe("complete");
    },
  );
});
