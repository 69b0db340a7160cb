import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import { openRawClient, startRawServer, until } from "../support/raw-http.ts";
import { eventsAfter, recordedEvents } from "../support/recorded-events.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { storedCalls } from "../support/stored-calls.ts";
import { startWebSocketUpstream, type WebSocketUpstream } from "../support/websocket-upstream.ts";

const OBSERVE = { repair: { mode: "observe" } } as const;
const TOOLS = [
  { type: "function", name: "shell", parameters: { type: "object", properties: { command: { type: "string" } } } },
];

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): Promise<void> | void }>(one: T): T {
  open.push(one);
  return one;
}

/** The events of one response: a call, or a text. */
function eventsOf(id: string, item: object): readonly object[] {
  const response = {
    id,
    object: "response",
    model: "gpt-5",
    status: "completed",
    output: [item],
    usage: { input_tokens: 5, output_tokens: 2 },
  };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
}

const callItem = (id: string, command: string): object => ({
  ...{ type: "function_call", id: `fc_${id}`, call_id: id, name: "shell" },
  arguments: JSON.stringify({ command }),
});
const textItem = (text: string): object => ({
  type: "message",
  id: "m",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const create = (input: readonly object[], more: object = {}): object => ({
  ...{ type: "response.create", model: "gpt-5", tools: TOOLS, input, store: false },
  ...more,
});
const prompt = (text: string): object => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const output = (id: string, text: string): object => ({ type: "function_call_output", call_id: id, output: text });

const HEADERS = { "session-id": "session-1", "user-agent": "codex_exec/0.166.0", authorization: "Bearer k" };

interface Client {
  readonly socket: WebSocket;
  readonly messages: string[];
  /** Sends a message and waits for the end of its response. */
  turn(message: object): Promise<void>;
  close(): void;
}

async function connectTo(
  url: string,
  isCompressed: boolean,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<Client> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/responses`, {
    headers,
    perMessageDeflate: isCompressed ? { threshold: 0 } : false,
  });
  const messages: string[] = [];
  socket.on("message", (data) => messages.push(data.toString()));
  await once(socket, "open");
  return keep({
    socket,
    messages,
    async turn(message) {
      const before = messages.length;
      socket.send(JSON.stringify(message));
      const isEnd = (text: string): boolean => /"type":"(?:response\.completed|error)"/.test(text);
      await until("the response has ended", async () => messages.slice(before).some(isEnd), 10_000);
    },
    close: () => socket.terminate(),
  });
}

async function start(upstream: WebSocketUpstream, options: Partial<ServerOptions> = OBSERVE): Promise<Running> {
  return keep(await startInFrontOf(upstream.url, options));
}

describe.each([false, true])("a WebSocket, compressed: %s", (isCompressed) => {
  it("a WebSocket is forwarded as it is and its calls are recorded once, with results that come alone", async () => {
    const sent: string[] = [];
    let turn = 0;
    const upstream = keep(
      await startWebSocketUpstream(
        (_message, socket) => {
          turn += 1;
          const item = turn < 4 ? callItem(`call_${"abc"[turn - 1]}9Xk2`, `run ${turn}`) : textItem("Done. é");
          for (const event of eventsOf(`resp_${turn}`, item)) {
            sent.push(JSON.stringify(event));
            socket.send(JSON.stringify(event));
          }
        },
        { isCompressed, headers: { "x-codex-turn-state": "state-1" } },
      ),
    );
    const running = await start(upstream);
    const client = await connectTo(running.url, isCompressed);
    const asked: object[] = [create([prompt("Build it. é")])];
    for (const [at, id] of ["call_a9Xk2", "call_b9Xk2", "call_c9Xk2"].entries())
      asked.push(
        create(
          [
            output(
              id,
              at === 1
                ? "Process exited with code 1\nOutput:\nno such file"
                : "Process exited with code 0\nOutput:\nfine",
            ),
          ],
          {
            previous_response_id: `resp_${at + 1}`,
          },
        ),
      );
    for (const message of asked) await client.turn(message);
    expect(upstream.received).toEqual(asked.map((message) => JSON.stringify(message)));
    expect(client.messages).toEqual(sent);
    expect(upstream.requests[0]?.headers).toMatchObject({ authorization: "Bearer k", "session-id": "session-1" });

    await eventsAfter(running, 4, "response_recorded");
    const calls = await storedCalls(running);
    expect(calls.map(({ tool_call_id, status, session_id }) => [tool_call_id, status, session_id])).toEqual([
      ["call_a9Xk2", "ok", "session-1"],
      ["call_b9Xk2", "failed", "session-1"],
      ["call_c9Xk2", "ok", "session-1"],
    ]);
    const [response] = (await recordedEvents(running)).filter(({ type }) => type === "response_recorded");
    expect(response).toMatchObject({ http_status: 200, ended: "complete" });
  });

  it("a WebSocket is read however large its messages are, in the order of the turns", async () => {
    const large = "x".repeat(3 << 20);
    let turn = 0;
    const upstream = keep(
      await startWebSocketUpstream(
        (_message, socket) => {
          turn += 1;
          for (const event of eventsOf(`resp_${turn}`, callItem(`call_${turn}k${turn}Lq`, large)))
            socket.send(JSON.stringify(event));
        },
        { isCompressed },
      ),
    );
    const running = await start(upstream);
    const client = await connectTo(running.url, isCompressed);
    await client.turn(create([prompt(large)]));
    await client.turn(create([output("call_1k1Lq", large)], { previous_response_id: "resp_1" }));
    await client.turn(create([output("call_2k2Lq", large)], { previous_response_id: "resp_2" }));
    const requested = await eventsAfter(running, 3, "tool_call_requested");
    expect(requested.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_1k1Lq", "call_2k2Lq", "call_3k3Lq"]);
  });
});

it("the headers of the server's answer are passed on", async () => {
  const upstream = keep(
    await startWebSocketUpstream(() => undefined, { headers: { "x-codex-turn-state": "state-1" } }),
  );
  const running = await start(upstream);
  const socket = new WebSocket(`${running.url.replace("http", "ws")}/v1/responses`);
  const [[response]] = await Promise.all([once(socket, "upgrade"), once(socket, "open")]);
  expect(response.headers["x-codex-turn-state"]).toBe("state-1");
  socket.terminate();
});

it("a message that only prepares a turn is not recorded, and the next one continues its response", async () => {
  let turn = 0;
  const upstream = keep(
    await startWebSocketUpstream((_message, socket) => {
      turn += 1;
      for (const event of eventsOf(`resp_${turn}`, textItem("hi"))) socket.send(JSON.stringify(event));
    }),
  );
  const running = await start(upstream);
  const client = await connectTo(running.url, false, { authorization: "Bearer k" });
  await client.turn(create([], { generate: false }));
  await client.turn(create([prompt("Hello")], { previous_response_id: "resp_1" }));
  await client.turn(create([prompt("Again")], { previous_response_id: "resp_2" }));
  const requests = await eventsAfter(running, 2, "request_recorded");
  expect(requests).toHaveLength(2);
  expect(new Set(requests.map(({ session_id }) => session_id)).size).toBe(1);
});

it("session and thread come from the message if it names them", async () => {
  const upstream = keep(
    await startWebSocketUpstream((_message, socket) => {
      for (const event of eventsOf("resp_1", textItem("hi"))) socket.send(JSON.stringify(event));
    }),
  );
  const running = await start(upstream);
  const client = await connectTo(running.url, false);
  await client.turn(create([prompt("Hello")], { client_metadata: { session_id: "session-2", thread_id: "sub-1" } }));
  const [request] = await eventsAfter(running, 1, "request_recorded");
  expect(request).toMatchObject({ session_id: "session-2", agent_id: "sub-1" });
});

it("an error and a connection that breaks off are recorded", async () => {
  let turn = 0;
  const upstream = keep(
    await startWebSocketUpstream((_message, socket) => {
      turn += 1;
      if (turn === 1) {
        socket.send(
          JSON.stringify({ type: "error", status: 429, error: { code: "rate_limit", message: "slow down" } }),
        );
        return;
      }
      const [created] = eventsOf("resp_2", textItem(""));
      socket.send(JSON.stringify(created), () => socket.close(1011, "internal"));
    }),
  );
  const running = await start(upstream);
  const client = await connectTo(running.url, false);
  await client.turn(create([prompt("Hello")]));
  client.socket.send(JSON.stringify(create([prompt("Hello")])));
  const [code, reason] = await once(client.socket, "close");
  expect([code, reason.toString()]).toEqual([1011, "internal"]);
  const responses = await eventsAfter(running, 2, "response_recorded");
  expect(responses.map(({ http_status, ended }) => [http_status, ended])).toEqual([
    [429, "complete"],
    [200, "truncated"],
  ]);
});

it("a leak is reported as left", async () => {
  const leak = '<tool_call>\n{"name": "shell", "arguments": {"command": "ls"}}\n</tool_call>';
  const upstream = keep(
    await startWebSocketUpstream((_message, socket) => {
      for (const event of eventsOf("resp_1", textItem(leak))) socket.send(JSON.stringify(event));
    }),
  );
  const running = await start(upstream);
  const client = await connectTo(running.url, false);
  await client.turn(create([prompt("List")]));
  expect(await eventsAfter(running, 1, "leak_left")).toMatchObject([{ reason: "observe" }]);
});

it("a WebSocket with unreadable messages goes on unread", async () => {
  const upstream = keep(await startWebSocketUpstream((message, socket) => socket.send(message)));
  const running = await start(upstream);
  const client = await connectTo(running.url, false);
  const echo = async (text: string): Promise<void> => {
    client.socket.send(text);
    await until("the echo arrived", async () => client.messages.includes(text));
  };
  await echo("not JSON");
  await echo('{"type":"response.create","input":3}');
  await echo('{"type":"other"}');
  expect(client.messages).toHaveLength(3);
  expect(await recordedEvents(running)).toEqual([]);
});

it("a WebSocket is not recorded for a client that opts out", async () => {
  const upstream = keep(
    await startWebSocketUpstream((_message, socket) => {
      for (const event of eventsOf("resp_1", textItem("hi"))) socket.send(JSON.stringify(event));
    }),
  );
  const running = await start(upstream);
  const client = await connectTo(running.url, false, { "x-toolmend-record": "off" });
  await client.turn(create([prompt("Hello")]));
  expect(await recordedEvents(running)).toEqual([]);
  expect(upstream.requests[0]?.headers["x-toolmend-record"]).toBeUndefined();
});

async function refusalOf(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  path = "/v1/responses",
): Promise<number> {
  const socket = new WebSocket(url.replace("http", "ws") + path, { headers });
  socket.on("error", () => undefined);
  const [, response] = await once(socket, "unexpected-response");
  return response.statusCode;
}

describe("a WebSocket that is refused", () => {
  it.each([
    ["repair is on", {}],
    [
      "native calls are repaired",
      { repair: { mode: "observe", calls: { mode: "on", upstreams: {}, models: {}, deny: [], faults: {} } } },
    ],
    ["the guard may act", { ...OBSERVE, guard: { mode: "note" } }],
    ["WebSockets are off", { ...OBSERVE, websocket: "off" }],
  ])("a client is asked to use HTTP where %s", async (_title, options) => {
    const upstream = keep(await startWebSocketUpstream(() => undefined));
    const running = await start(upstream, options as Partial<ServerOptions>);
    expect(await refusalOf(running.url)).toBe(426);
    expect(upstream.requests).toEqual([]);
  });

  it("a client is asked to use HTTP where the upstream has no WebSocket", async () => {
    const upstream = keep(await startWebSocketUpstream(() => undefined));
    const running = await start(upstream);
    expect(await refusalOf(running.url, {}, "/v1/realtime")).toBe(426);
  });
});

it("a page of another site cannot open one", async () => {
  const upstream = keep(await startWebSocketUpstream(() => undefined));
  const running = await start(upstream);
  expect(await refusalOf(running.url, { origin: "https://evil.example" })).toBe(403);
  expect(await refusalOf(running.url, { "sec-fetch-site": "cross-site" })).toBe(403);
  expect(upstream.requests).toEqual([]);
});

it("an upstream that cannot be reached gives a 502", async () => {
  const running = keep(await startInFrontOf("http://127.0.0.1:1", OBSERVE));
  expect(await refusalOf(running.url)).toBe(502);
});

it("a client cannot announce a body, for which an upstream would take its messages", async () => {
  const upstream = keep(await startWebSocketUpstream(() => undefined));
  const running = await start(upstream);
  const client = keep(await openRawClient(running.url));
  const head = [
    "GET /v1/responses HTTP/1.1",
    `Host: ${new URL(running.url).host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    "Content-Length: 50",
  ];
  client.socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await until("a response", () => client.statuses().length > 0);
  expect(client.statuses()).toEqual(["HTTP/1.1 101"]);
  expect(upstream.requests[0]?.headers).not.toHaveProperty("content-length");
});

it.each([
  ["a switch of protocols that names none", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "", 502],
  ["a refusal that never ends", "HTTP/1.1 403 Forbidden\r\n\r\n", "a".repeat(2 << 20), 403],
])("an upstream that answers with %s is not waited for", async (_name, head, body, status) => {
  const upstream = keep(
    await startRawServer((socket) => {
      socket.once("data", () => {
        socket.write(head + body);
      });
    }),
  );
  const running = keep(await startInFrontOf(upstream.url, OBSERVE));
  expect(await refusalOf(running.url)).toBe(status);
});
