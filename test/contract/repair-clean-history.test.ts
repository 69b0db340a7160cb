import { once } from "node:events";
import http from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../support/raw-http.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { startBoth } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { respond } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const PATHS = { anthropic: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" } as const;
const APIS = ["anthropic", "chat", "responses"] as const;
type Api = (typeof APIS)[number];
type Message = { readonly role: string; readonly content: unknown };

type Both = Awaited<ReturnType<typeof startBoth>>;
let both: Both | undefined;
afterEach(async () => {
  await both?.close();
  both = undefined;
});

async function start(options: Parameters<typeof startBoth>[1] = {}): Promise<Both> {
  both = await startBoth(() => respond("Fine."), { repair: { mode: "known", cleanHistory: true }, ...options });
  return both;
}

function bodyOf(api: Api, list: readonly Message[]): string {
  const schema = { type: "object", properties: {} };
  switch (api) {
    case "anthropic":
      return JSON.stringify({
        model: "m",
        max_tokens: 9,
        tools: [{ name: "read", input_schema: schema }],
        messages: list,
      });
    case "chat":
      return JSON.stringify({
        model: "m",
        tools: [{ type: "function", function: { name: "read", parameters: schema } }],
        messages: list,
      });
    case "responses":
      return JSON.stringify({
        ...{ model: "m", store: false, input: list },
        tools: [{ type: "function", name: "read", parameters: schema }],
      });
  }
}

function send(api: Api, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${both?.url}${PATHS[api]}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
}

const user = (content: unknown): Message => ({ role: "user", content });
const assistant = (content: unknown): Message => ({ role: "assistant", content });
const LEAKY = [user("Hi"), assistant(`I look. ${LEAK}`), user("Well?"), assistant(LEAK), user("So?")];
const CLEAN = [user("Hi"), assistant("I look."), user("Well?"), user("So?")];

describe.each(APIS)("%s, with clean-history", (api) => {
  it("sends a history without leaks, which the strict upstream accepts", async () => {
    const { upstream } = await start();
    expect((await send(api, bodyOf(api, LEAKY))).status).toBe(200);
    expect(upstream.requests[0]?.body.toString()).toBe(bodyOf(api, CLEAN));
    expect(upstream.rejections).toEqual([]);
  });

  it("sends a compressed history decoded, without the headers that describe the original bytes", async () => {
    const { upstream } = await start();
    const body = gzipSync(bodyOf(api, LEAKY));
    expect((await send(api, body, { "content-encoding": "gzip", "content-digest": "x" })).status).toBe(200);
    const sent = upstream.requests[0];
    expect(sent?.body.toString()).toBe(bodyOf(api, CLEAN));
    const names = sent?.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(names).not.toContain("content-encoding");
    expect(names).not.toContain("content-digest");
    expect(names?.filter((name) => name === "content-length")).toHaveLength(1);
  });

  it("sends everything else byte for byte", async () => {
    const { upstream } = await start();
    const bodies = [bodyOf(api, CLEAN), gzipSync(bodyOf(api, CLEAN)), "{half", Buffer.from([0x7b, 0xff, 0x7d])];
    for (const [at, body] of bodies.entries()) {
      await send(api, body, at === 1 ? { "content-encoding": "gzip" } : {});
      expect(upstream.requests[at]?.body.equals(Buffer.from(body))).toBe(true);
    }
  });

  it.each([
    ["is off", { mode: "off", cleanHistory: true }],
    ["only observes", { mode: "observe", cleanHistory: true }],
    ["has no clean-history option", { mode: "known" }],
  ] as const)("changes nothing when repair %s", async (_how, repair) => {
    const { upstream } = await start({ repair });
    await send(api, bodyOf(api, LEAKY));
    expect(upstream.requests[0]?.body.toString()).toBe(bodyOf(api, LEAKY));
  });

  it("starts every request of twenty turns with the same bytes and stays one session", async () => {
    const running = await start();
    const list: Message[] = [user("Begin.")];
    let before = "";
    for (let turn = 0; turn < 20; turn += 1) {
      await (await send(api, bodyOf(api, list))).text();
      const sent = running.upstream.requests[turn]?.body.toString() ?? "";
      const field = api === "responses" ? "input" : "messages";
      const beginning = JSON.stringify(JSON.parse(sent)[field]).slice(0, -1);
      expect(beginning.startsWith(before)).toBe(true);
      before = beginning;
      const text = [`Turn ${turn}. ${LEAK}`, LEAK, `Turn ${turn}.`][turn % 3];
      list.push(assistant(turn === 0 ? "Fine." : text), user(`Go on, ${turn}.`));
    }
    expect(before).not.toContain("tool_call>");
    const sessions = await eventsAfter(running, 20, "session_started");
    expect(sessions).toHaveLength(1);
  });
});

it("a client whose first response contained an unrepaired leak keeps its session", async () => {
  both = await startBoth(inOrder({ ...respond(LEAK), stopReason: "length" }, respond("Fine.")), {
    repair: { mode: "known", cleanHistory: true },
  });
  await (await send("chat", bodyOf("chat", [user("Hi")]))).text();
  await (await send("chat", bodyOf("chat", [user("Hi"), assistant(LEAK), user("So?")]))).text();
  expect(await eventsAfter(both, 2, "session_started")).toHaveLength(1);
});

it("an oversized request is not buffered, and a client that disconnects midway does no harm", async () => {
  const { url, upstream } = await start();
  const large = bodyOf("chat", [...LEAKY, user("x".repeat(17 << 20))]);
  await send("chat", large);
  expect(upstream.requests[0]?.body.length).toBe(large.length);
  const request = http.request(`${url}${PATHS.chat}`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": 1000 },
  });
  request.on("error", () => undefined);
  request.write('{"messages":');
  await once(request, "socket");
  await until("the server has received the first bytes", () => request.writableLength === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  request.destroy();
  // Closing waits for every exchange, so a leaked exchange would block it.
  await both?.close();
  both = undefined;
}, 60_000);
