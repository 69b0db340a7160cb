import http from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { send, startRawServer, until } from "../support/raw-http.ts";
import { type RecordedEvent, recordedEvents } from "../support/recorded-events.ts";
import { startBoth, startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { call, type ModelTurn, respond, say, type Turn, withFaults } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const REQUESTS = {
  "/v1/messages": { model: "m", max_tokens: 64, messages: [{ role: "user", content: "hello" }] },
  "/v1/chat/completions": { model: "m", messages: [{ role: "user", content: "hello" }] },
  "/v1/responses": { model: "m", input: "hello" },
} as const;
type Path = keyof typeof REQUESTS;
const PATHS = Object.keys(REQUESTS) as Path[];
const BASH = { command: "ls" };

interface Passed {
  readonly direct: Buffer;
  readonly through: Buffer;
  readonly aborted: boolean;
  readonly response: RecordedEvent;
  readonly calls: readonly RecordedEvent[];
  readonly unobserved: number;
}

/** Sends the same request directly and through the proxy; returns both bodies and what was recorded. */
async function pass(path: Path, stream: boolean, turn: () => Turn): Promise<Passed> {
  let ids = 0;
  const both = await resources.open(
    startBoth(
      turn,
      {},
      { ids: (kind) => `${kind}_${String(ids++ % 20).padStart(20, "0")}`, now: () => 1_700_000_000_000 },
    ),
  );
  const body = JSON.stringify({ ...REQUESTS[path], stream });
  const direct = await send(`${both.upstream.url}${path}`, { headers: JSON_TYPE }, body);
  ids = 0;
  const through = await send(`${both.url}${path}`, { headers: JSON_TYPE }, body);
  let events: readonly RecordedEvent[] = [];
  await until("the response is recorded", async () => {
    events = await recordedEvents(both);
    return events.some(({ type }) => type === "response_recorded");
  });
  const metrics = await (await fetch(`${both.url}/metrics`)).text();
  return {
    direct: direct.body,
    through: through.body,
    aborted: through.aborted,
    response: events.find(({ type }) => type === "response_recorded") as RecordedEvent,
    calls: events.filter(({ type }) => type === "tool_call_requested"),
    unobserved: Number(/^toolmend_proxy_unobserved_total (\d+)$/m.exec(metrics)?.[1]),
  };
}

describe.each(PATHS)("a stream of 10 000 events on %s (L29)", (path) => {
  it("a long stream passes through byte for byte, and the arguments of its call are recorded completely", async () => {
    const written = JSON.stringify({ path: "a.txt", content: "0123456789é".repeat(2000) });
    const turn: ModelTurn = { ...respond(call("Write", written)), chunking: { characters: 5 } };
    const passed = await pass(path, true, () => withFaults(turn, { kind: "many-events", events: 6000 }));
    expect(passed.through.toString().split("\n\n").length).toBeGreaterThan(10_000);
    expect(passed.through.equals(passed.direct)).toBe(true);
    expect(passed.response).toMatchObject({ ended: "complete" });
    expect(passed.calls).toMatchObject([{ tool_name: "Write", input_size_bytes: Buffer.byteLength(written) }]);
  });
});

describe("a malformed stream", () => {
  it.each(PATHS)("a stream of %s with its first event twice is passed through and recorded once", async (path) => {
    const passed = await pass(path, true, () =>
      withFaults(respond(say("on it"), call("Bash", BASH)), { kind: "duplicate-start" }),
    );
    expect(passed.through.equals(passed.direct)).toBe(true);
    expect(passed.response).toMatchObject({ ended: "complete" });
    expect(passed.calls).toMatchObject([{ tool_name: "Bash" }]);
  });

  it.each(["clean", "abrupt"] as const)("a %s end with half an event is recorded as truncated", async (ending) => {
    const passed = await pass("/v1/messages", true, () =>
      withFaults(respond(say("on it"), call("Bash", BASH)), { kind: "half-frame", ending }),
    );
    expect(passed.through.equals(passed.direct)).toBe(true);
    expect(passed.aborted).toBe(ending === "abrupt");
    expect(passed.response).toMatchObject({ ended: "truncated", http_status: 200 });
    // The call itself was complete; only the end of the stream is missing.
    expect(passed.calls).toMatchObject([{ tool_name: "Bash" }]);
  });

  it.each(["clean", "abrupt"] as const)(
    "half a JSON body with a %s end passes through and is recorded without calls",
    async (ending) => {
      const passed = await pass("/v1/messages", false, () =>
        withFaults(respond(say("on it"), call("Bash", BASH)), { kind: "half-frame", ending }),
      );
      expect(passed.through.equals(passed.direct)).toBe(true);
      expect(passed.response).toMatchObject({ ended: ending === "clean" ? "complete" : "truncated", http_status: 200 });
      expect(passed.calls).toEqual([]);
      // An abort is an explanation; a clean end with a body that cannot be parsed counts as unobserved.
      expect(passed.unobserved).toBe(ending === "clean" ? 1 : 0);
    },
  );

  it.each(PATHS)("a stream of %s with content type JSON is passed through and parsed as a stream", async (path) => {
    const passed = await pass(path, true, () =>
      withFaults(respond(say("on it"), call("Bash", BASH)), { kind: "content-type", contentType: "application/json" }),
    );
    expect(passed.through.equals(passed.direct)).toBe(true);
    expect(passed.response).toMatchObject({ ended: "complete", http_status: 200 });
    expect(passed.calls).toMatchObject([{ tool_name: "Bash" }]);
  });

  it.each(PATHS)(
    "a JSON body of %s with the content type of a stream is passed through and parsed as JSON",
    async (path) => {
      const passed = await pass(path, false, () =>
        withFaults(respond(say("on it"), call("Bash", BASH)), {
          kind: "content-type",
          contentType: "text/event-stream",
        }),
      );
      expect(passed.through.equals(passed.direct)).toBe(true);
      expect(passed.response).toMatchObject({ ended: "complete", http_status: 200 });
      expect(passed.calls).toMatchObject([{ tool_name: "Bash" }]);
    },
  );

  it("a body that is neither stream nor JSON passes through and is recorded with only its size and status", async () => {
    const body = "<html>all is well</html>";
    const passed = await pass("/v1/messages", true, () => ({ kind: "raw", contentType: "text/html", body }));
    expect(passed.through.toString()).toBe(body);
    expect(passed.response).toMatchObject({ http_status: 200, response_size_bytes: body.length, tool_call_ids: [] });
    expect(passed.unobserved).toBe(1);
  });
});

describe("a stream with content type JSON, for a client with tools", () => {
  const event = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const first = event({ content: '<tool_call>{"name":"Bash","arguments":{"command":"ls"}}</tool_call>' });
  const rest = `${event({}, "stop")}data: [DONE]\n\n`;
  const tools = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];

  it.each([
    ["plain", "", (text: string) => Buffer.from(text)],
    ["compressed", "content-encoding: gzip\r\n", (text: string) => gzipSync(text)],
  ])("a stream that is %s is not buffered to its end, and its leak is recorded", async (_how, encoding, written) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${encoding}\r\n`;
    let end = (): void => undefined;
    const raw = await resources.open(
      startRawServer((socket) => {
        socket.once("data", () => {
          socket.write(Buffer.concat([Buffer.from(head), written(first)]));
          end = () => socket.end(written(rest));
        });
      }),
    );
    const running = await resources.open(startInFrontOf(raw.url));
    const body = JSON.stringify({ ...REQUESTS["/v1/chat/completions"], stream: true, tools });
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      const url = `${running.url}/v1/chat/completions`;
      const request = http.request(url, { method: "POST", agent: false, headers: JSON_TYPE }, (response) => {
        response.on("data", (chunk: Buffer) => {
          if (chunks.push(chunk) === 1) end();
        });
        response.on("end", resolve);
      });
      request.on("error", reject);
      request.end(body);
    });
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat([written(first), written(rest)]));
    let left: readonly RecordedEvent[] = [];
    await until("the leak is recorded", async () => {
      left = (await recordedEvents(running)).filter(({ type }) => type === "leak_left");
      return left.length > 0;
    });
    expect(left.map(({ reason }) => reason)).toEqual(["passed-through"]);
  });
});
