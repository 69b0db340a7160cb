import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { CallObservation, Observation } from "../../core/model/observation.ts";
import { type DecodedRequest, type DecodedResponse, openaiChat, openaiResponses } from "../../core/wire/index.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { Exchange } from "../exchange/exchange.ts";
import { ExchangeRecorder, type RecordingContext } from "./exchange-recorder.ts";
import { ObservationBatcher } from "./observation-batcher.ts";
import { PromptCache } from "./prompt-cache.ts";
import { RecordedCallCache } from "./recorded-call-cache.ts";
import { ResponseCache } from "./response-cache.ts";

const DEEP = 100_000;

interface Proxy extends RecordingContext {
  readonly recorded: Observation[];
  readonly unreadable: string[];
  acknowledges: boolean;
}

function proxy(): Proxy {
  const [recorded, unreadable]: [Observation[], string[]] = [[], []];
  const context: Proxy = {
    observer: new CallObserver({ capture: "errors", salt: "s" }),
    recordedCalls: new RecordedCallCache(),
    prompts: new PromptCache((text) => createHash("sha256").update(text).digest("hex")),
    responses: new ResponseCache(),
    acknowledges: true,
    batcher: new ObservationBatcher({
      async record(observations) {
        if (!context.acknowledges) return 0;
        recorded.push(...observations);
        return observations.length;
      },
      onProblem: (reason) => unreadable.push(reason),
      waitMs: 0,
    }),
    now: () => 1000,
    onUnreadable: (reason) => unreadable.push(reason),
    recorded,
    unreadable,
  };
  return context;
}

const prompt = { role: "user", content: "do it" };
const call = (id: string): object => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "bash", arguments: "{}" } }],
});
const result = (id: string, content: unknown): object => ({ role: "tool", tool_call_id: id, content });

const STATS = { endedAt: 2000, ended: "complete", status: 200, firstByteAt: 1500, size: 10 } as const;
const readBody = (body: object) => ({ body, restore: <T>(value: T): T => value, reread: () => body });

/** Records what is queued, without a limit of time, and lets it be acknowledged. */
async function settled({ batcher }: Proxy): Promise<void> {
  batcher.flush();
  await nextTurn();
}

async function exchange(
  context: Proxy,
  messages: readonly object[],
  options: { readonly headers?: Readonly<Record<string, string>>; readonly response?: DecodedResponse } = {},
): Promise<readonly Observation[]> {
  const before = context.recorded.length;
  const recorder = new ExchangeRecorder(context, {
    api: "chat",
    provider: "openai",
    request_id: `r${before}`,
    head: (name) => options.headers?.[name],
  });
  const body = { model: "m", messages };
  recorder.recordRequest(openaiChat.decodeRequest(body) as DecodedRequest, readBody(body), 100);
  await settled(context);
  recorder.recordEnd(options.response, STATS, undefined);
  await settled(context);
  return context.recorded.slice(before);
}
const calls = (observations: readonly Observation[]): readonly CallObservation[] =>
  observations.filter((one): one is CallObservation => one.kind === "call");

const response: DecodedResponse = {
  id: "chatcmpl-1",
  model: "m-2026",
  text: "",
  calls: [{ id: "call_abc", name: "bash", arguments: "{}" }],
  usage: { input_tokens: 5 },
  finished: true,
};

describe("ExchangeRecorder", () => {
  it("records the name of the folder once per session, from the first request that contains it", async () => {
    const context = proxy();
    const env = { role: "system", content: "<env>\n  Working directory: /home/ann/secret-client/shop\n</env>" };
    const send = async (session: string, ...messages: readonly object[]) =>
      (await exchange(context, messages, { headers: { "x-toolmend-session": session } })).filter(
        ({ kind }) => kind === "session",
      );
    expect(await send("s1", prompt)).toEqual([]);
    const [named, ...others] = await send("s1", env, prompt);
    expect(others).toEqual([]);
    expect(named).toMatchObject({ session_id: "s1", event: "started", folder: "shop" });
    expect(JSON.stringify(named)).not.toMatch(/ann|secret-client|"model"/);
    expect(await send("s1", env, prompt)).toEqual([]);
    expect(await send("s2", env, prompt)).toHaveLength(1);
  });

  it("records the folder again if it was not acknowledged, and never with --capture none", async () => {
    const context = proxy();
    const env = { role: "system", content: "Working directory: /w/shop" };
    const headers = { "x-toolmend-session": "s1" };
    context.acknowledges = false;
    await exchange(context, [env, prompt], { headers });
    context.acknowledges = true;
    const folders = (await exchange(context, [env, prompt], { headers })).filter(({ kind }) => kind === "session");
    expect(folders).toMatchObject([{ folder: "shop" }]);
    const silent = { ...proxy(), observer: new CallObserver({ capture: "none", salt: "s" }) };
    expect(JSON.stringify(await exchange(silent, [env, prompt], { headers }))).not.toContain("shop");
  });

  it("records the request, the calls of the history, the response and its calls", async () => {
    const observations = await exchange(proxy(), [prompt, call("call_old"), result("call_old", "ok")], {
      headers: { "x-toolmend-session": "s1" },
      response,
    });
    expect(observations.map(({ kind }) => kind)).toEqual(["request", "call", "response", "call"]);
    expect(calls(observations).map(({ tool_call_id, place }) => [tool_call_id, place.kind])).toEqual([
      ["call_old", "history"],
      ["call_abc", "response"],
    ]);
    expect(observations[2]).toMatchObject({
      model: "m-2026",
      duration_ms: 1000,
      first_byte_ms: 500,
      usage: { input_tokens: 5 },
      tool_call_ids: ["call_abc"],
    });
    for (const one of observations)
      expect(one).toMatchObject({ session_id: "s1", agent_id: "root", provider: "openai" });
  });

  it("continues the count of an id in the history with the calls of the response", async () => {
    const observations = await exchange(proxy(), [prompt, call("call_abc"), result("call_abc", "ok")], { response });
    expect(calls(observations).map(({ place }) => place)).toMatchObject([
      { kind: "history", n: 0 },
      { kind: "response", n: 1 },
    ]);
  });

  it("derives one session for all requests of a client that sends no session id", async () => {
    const context = proxy();
    const first = await exchange(context, [prompt], { response });
    const second = await exchange(context, [prompt, call("call_abc"), result("call_abc", "ok")]);
    const sessions = new Set([...first, ...second].map(({ session_id }) => session_id));
    expect(sessions.size).toBe(1);
    expect([...sessions][0]).toMatch(/^derived-/);
  });

  it("records only new calls when the client resends its history", async () => {
    const context = proxy();
    const history = [prompt, call("a"), result("a", "one")];
    const headers = { "x-toolmend-session": "s1" };
    expect(calls(await exchange(context, history, { headers }))).toHaveLength(1);
    expect(calls(await exchange(context, history, { headers }))).toHaveLength(0);
    const longer = [...history, call("b"), result("b", "two")];
    expect(calls(await exchange(context, longer, { headers })).map(({ tool_call_id }) => tool_call_id)).toEqual(["b"]);
  });

  it("records calls again that the journal did not acknowledge", async () => {
    const context = proxy();
    const history = [prompt, call("a"), result("a", "one")];
    context.acknowledges = false;
    expect(await exchange(context, history)).toEqual([]);
    context.acknowledges = true;
    expect(calls(await exchange(context, history))).toHaveLength(1);
  });

  it("keeps two projects with the same session id apart", async () => {
    const context = proxy();
    const history = [prompt, call("a"), result("a", "one")];
    for (const project of ["team-a", "team-b"]) {
      const observations = await exchange(context, history, {
        headers: { "x-toolmend-session": "s1", "x-toolmend-project": project },
      });
      expect(calls(observations).map((call) => call.project)).toEqual([project]);
    }
  });

  it("records the exchange when the response cannot be read", async () => {
    const observations = await exchange(proxy(), [prompt]);
    expect(observations.map(({ kind }) => kind)).toEqual(["request", "response"]);
  });
});

describe("ExchangeRecorder and prompts", () => {
  const headers = { "x-toolmend-session": "s1" };
  const workflows = (observations: readonly Observation[]): readonly unknown[] =>
    calls(observations).map(({ tool_call_id, workflow }) => [tool_call_id, workflow]);
  const history = [
    { role: "user", content: "fix the crash" },
    call("a"),
    result("a", "one"),
    { role: "assistant", content: "done" },
    { role: "user", content: "<system-reminder>fix the bug</system-reminder>" },
    { role: "user", content: [{ type: "text", text: "now write a README" }] },
    call("b"),
    result("b", "two"),
  ];

  it("a call works on the last user message before it, in the history and in the response", async () => {
    const observations = await exchange(proxy(), history, { headers, response });
    expect(workflows(observations)).toEqual([
      ["a", "bug_fix"],
      ["b", "docs"],
      ["call_abc", "docs"],
    ]);
    const [first, second, third] = calls(observations).map(({ prompt: id }) => id);
    expect(third).toBe(second);
    expect(second).not.toBe(first);
  });

  it("a prompt has the same id in every request and process", async () => {
    const [whole, partial] = [
      await exchange(proxy(), history, { headers }),
      await exchange(proxy(), history.slice(0, 3), { headers }),
    ];
    expect(calls(partial)[0]?.prompt).toBe(calls(whole)[0]?.prompt);
  });

  it("a repeated user message gets another prompt id", async () => {
    const repeated = [prompt, call("a"), result("a", "x"), prompt, call("b"), result("b", "x")];
    const [one, other] = calls(await exchange(proxy(), repeated, { headers }));
    expect(one?.prompt).not.toBe(other?.prompt);
    expect(one?.workflow).toBe(other?.workflow);
  });

  it("a call without a user message has no prompt and no workflow", async () => {
    const [recorded] = calls(await exchange(proxy(), [call("a"), result("a", "x")], { headers }));
    expect(recorded).not.toHaveProperty("prompt");
    expect(recorded).not.toHaveProperty("workflow");
  });

  it("a request that continues a stored response keeps its prompt", async () => {
    const context = proxy();
    const run = async (body: object, output: readonly object[], id: string): Promise<readonly CallObservation[]> => {
      const before = context.recorded.length;
      const recorder = new ExchangeRecorder(context, {
        api: "responses",
        provider: "openai",
        request_id: id,
        head: () => undefined,
      });
      recorder.recordRequest(openaiResponses.decodeRequest(body) as DecodedRequest, readBody(body), 100);
      await settled(context);
      const whole = openaiResponses.decodeResponse({ id, output });
      recorder.recordEnd(whole, STATS, undefined);
      await settled(context);
      return calls(context.recorded.slice(before));
    };
    const call = (id: string): object => ({ type: "function_call", call_id: id, name: "bash", arguments: "{}" });
    const [first] = await run({ input: "deploy it to staging" }, [call("call_x")], "resp_1");
    const result = { type: "function_call_output", call_id: "call_x", output: "ok" };
    const next = await run({ previous_response_id: "resp_1", input: [result] }, [call("call_y")], "resp_2");
    expect(first).toMatchObject({ workflow: "ops" });
    expect(next.map((one) => [one.tool_call_id, one.prompt, one.workflow])).toEqual([
      ["call_x", first?.prompt, "ops"],
      ["call_y", first?.prompt, "ops"],
    ]);
    const [third] = await run(
      { previous_response_id: "resp_2", input: "thanks. review the diff" },
      [call("call_z")],
      "resp_3",
    );
    expect(third?.workflow).toBe("review");
    expect(third?.prompt).not.toBe(first?.prompt);
  });

  it("prompt text is never recorded", async () => {
    const context = { ...proxy(), prompts: new PromptCache(proxy().observer.hash) };
    const observations = await exchange(context as Proxy, [{ role: "user", content: "fix SECRET-WORDS" }], {
      headers,
      response,
    });
    expect(calls(observations)[0]?.prompt).toMatch(/^0-[0-9a-f]{12}$/);
    expect(JSON.stringify(observations)).not.toContain("SECRET-WORDS");
  });
});

it("a call is validated against its declared tool, and a call of an undeclared tool is invalid", async () => {
  const context = proxy();
  const tool = (name: string, required: readonly string[]): object => ({
    type: "function",
    function: { name, parameters: { type: "object", properties: {}, required } },
  });
  const call = (id: string, name: string): object => ({ id, type: "function", function: { name, arguments: "{}" } });
  const body = {
    tools: [tool("read", ["path"]), tool("list", [])],
    messages: [
      { role: "assistant", tool_calls: [call("a", "read"), call("b", "list"), call("c", "lost")] },
      ...["a", "b", "c"].map((id) => result(id, "Hm.")),
    ],
  };
  const recorder = new ExchangeRecorder(context, {
    ...{ api: "chat", provider: "openai", request_id: "r", head: () => "s-1" },
  });
  recorder.recordRequest(openaiChat.decodeRequest(body) as DecodedRequest, readBody(body), 100);
  await settled(context);
  expect(calls(context.recorded).map(({ result }) => result?.outcome.rule)).toEqual([
    "call-missing-argument",
    "no-failure-reported",
    "call-undeclared",
  ]);
});

describe("ExchangeRecorder with hostile input", () => {
  it("records calls around a result that is nested 100,000 levels deep", async () => {
    const context = proxy();
    const deep = JSON.parse(`${"[".repeat(DEEP)}${"]".repeat(DEEP)}`) as unknown;
    const observations = await exchange(context, [prompt, call("a"), result("a", deep), call("b"), result("b", "ok")], {
      response,
    });
    expect(calls(observations).map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b", "call_abc"]);
  });

  it("reports the exchange as unreadable when the observer throws", async () => {
    const context = proxy();
    context.observer.observe = () => {
      throw new Error("a bug");
    };
    const head = (): undefined => undefined;
    const recorder = new ExchangeRecorder(context, { api: "chat", provider: "openai", request_id: "r", head });
    const { onUnreadable } = context;
    const read = new Exchange({ api: "chat", requestEncoding: undefined, recorder, onUnreadable, now: () => 0 });
    read.requestChunk(Buffer.from(JSON.stringify({ messages: [prompt, call("a"), result("a", "x")] })));
    read.requestEnd();
    await expect.poll(() => context.unreadable, { timeout: 10_000 }).toEqual(["recording: a bug"]);
  });
});
