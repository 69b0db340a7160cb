import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { CallObservation, Observation } from "../../core/model/observation.ts";
import { type DecodedRequest, type DecodedResponse, openaiChat, openaiResponses } from "../../core/wire/index.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { ExchangeReader } from "./exchange-reader.ts";
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
const made = (id: string): object => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "bash", arguments: "{}" } }],
});
const answered = (id: string, content: unknown): object => ({ role: "tool", tool_call_id: id, content });

async function exchange(
  context: Proxy,
  messages: readonly object[],
  options: { readonly headers?: Readonly<Record<string, string>>; readonly answer?: DecodedResponse } = {},
): Promise<readonly Observation[]> {
  const before = context.recorded.length;
  const recorder = new ExchangeRecorder(context, {
    api: "chat",
    provider: "openai",
    request_id: `r${before}`,
    head: (name) => options.headers?.[name],
  });
  const body = { model: "m", messages };
  recorder.onRequest(openaiChat.decodeRequest(body) as DecodedRequest, body, 100, (value) => value);
  await wait(0);
  recorder.onEnd(options.answer, { endedAt: 2000, ended: "complete", status: 200, firstByteAt: 1500, size: 10 });
  await wait(0);
  return context.recorded.slice(before);
}
const calls = (observations: readonly Observation[]): readonly CallObservation[] =>
  observations.filter((one): one is CallObservation => one.kind === "call");

const answer: DecodedResponse = {
  id: "chatcmpl-1",
  model: "m-2026",
  text: "",
  calls: [{ id: "call_abc", name: "bash", arguments: "{}" }],
  usage: { input_tokens: 5 },
  finished: true,
};

describe("what one exchange is recorded as", () => {
  it("is the request, the history's calls, the answer and its calls", async () => {
    const seen = await exchange(proxy(), [prompt, made("call_old"), answered("call_old", "ok")], {
      headers: { "x-toolmend-session": "s1" },
      answer,
    });
    expect(seen.map(({ kind }) => kind)).toEqual(["request", "call", "response", "call"]);
    expect(calls(seen).map(({ tool_call_id, place }) => [tool_call_id, place.kind])).toEqual([
      ["call_old", "history"],
      ["call_abc", "response"],
    ]);
    expect(seen[2]).toMatchObject({
      model: "m-2026",
      duration_ms: 1000,
      first_byte_ms: 500,
      input_tokens: 5,
      tool_call_ids: ["call_abc"],
    });
    for (const one of seen) expect(one).toMatchObject({ session_id: "s1", agent_id: "root", provider: "openai" });
  });

  it("counts an id of the answer on from the history before it", async () => {
    const seen = await exchange(proxy(), [prompt, made("call_abc"), answered("call_abc", "ok")], { answer });
    expect(calls(seen).map(({ place }) => place)).toMatchObject([
      { kind: "history", n: 0 },
      { kind: "response", n: 1 },
    ]);
  });

  it("is under one session from the first request on when the client names none", async () => {
    const context = proxy();
    const first = await exchange(context, [prompt], { answer });
    const second = await exchange(context, [prompt, made("call_abc"), answered("call_abc", "ok")]);
    const sessions = new Set([...first, ...second].map(({ session_id }) => session_id));
    expect(sessions.size).toBe(1);
    expect([...sessions][0]).toMatch(/^derived-/);
  });

  it("is only what is new when the client resends its history", async () => {
    const context = proxy();
    const history = [prompt, made("a"), answered("a", "one")];
    const headers = { "x-toolmend-session": "s1" };
    expect(calls(await exchange(context, history, { headers }))).toHaveLength(1);
    expect(calls(await exchange(context, history, { headers }))).toHaveLength(0);
    const longer = [...history, made("b"), answered("b", "two")];
    expect(calls(await exchange(context, longer, { headers })).map(({ tool_call_id }) => tool_call_id)).toEqual(["b"]);
  });

  it("is sent again when the journal did not take it the first time", async () => {
    const context = proxy();
    const history = [prompt, made("a"), answered("a", "one")];
    context.acknowledges = false;
    expect(await exchange(context, history)).toEqual([]);
    context.acknowledges = true;
    expect(calls(await exchange(context, history))).toHaveLength(1);
  });

  it("is kept apart for two projects that use the same session id", async () => {
    const context = proxy();
    const history = [prompt, made("a"), answered("a", "one")];
    for (const project of ["team-a", "team-b"]) {
      const seen = await exchange(context, history, {
        headers: { "x-toolmend-session": "s1", "x-toolmend-project": project },
      });
      expect(calls(seen).map((call) => call.project)).toEqual([project]);
    }
  });

  it("is still recorded when the answer could not be read", async () => {
    const seen = await exchange(proxy(), [prompt]);
    expect(seen.map(({ kind }) => kind)).toEqual(["request", "response"]);
  });
});

describe("which message of the user a call works on", () => {
  const headers = { "x-toolmend-session": "s1" };
  const works = (observations: readonly Observation[]): readonly unknown[] =>
    calls(observations).map(({ tool_call_id, workflow }) => [tool_call_id, workflow]);
  const history = [
    { role: "user", content: "fix the crash" },
    made("a"),
    answered("a", "one"),
    { role: "assistant", content: "done" },
    { role: "user", content: "<system-reminder>fix the bug</system-reminder>" },
    { role: "user", content: [{ type: "text", text: "now write a README" }] },
    made("b"),
    answered("b", "two"),
  ];

  it("is the last one before it, in the history and in the answer", async () => {
    const seen = await exchange(proxy(), history, { headers, answer });
    expect(works(seen)).toEqual([
      ["a", "bug_fix"],
      ["b", "docs"],
      ["call_abc", "docs"],
    ]);
    const [first, second, third] = calls(seen).map(({ prompt: asked }) => asked);
    expect(third).toBe(second);
    expect(second).not.toBe(first);
  });

  it("has the same id in every request, by whichever process", async () => {
    const [whole, begun] = [
      await exchange(proxy(), history, { headers }),
      await exchange(proxy(), history.slice(0, 3), { headers }),
    ];
    expect(calls(begun)[0]?.prompt).toBe(calls(whole)[0]?.prompt);
  });

  it("has another id when the same words are said again", async () => {
    const again = [prompt, made("a"), answered("a", "x"), prompt, made("b"), answered("b", "x")];
    const [one, other] = calls(await exchange(proxy(), again, { headers }));
    expect(one?.prompt).not.toBe(other?.prompt);
    expect(one?.workflow).toBe(other?.workflow);
  });

  it("is not told when nobody said anything", async () => {
    const [call] = calls(await exchange(proxy(), [made("a"), answered("a", "x")], { headers }));
    expect(call).not.toHaveProperty("prompt");
    expect(call).not.toHaveProperty("workflow");
  });

  it("is known to a request that sends only what is new", async () => {
    const context = proxy();
    const answers = async (
      body: object,
      output: readonly object[],
      id: string,
    ): Promise<readonly CallObservation[]> => {
      const before = context.recorded.length;
      const recorder = new ExchangeRecorder(context, {
        api: "responses",
        provider: "openai",
        request_id: id,
        head: () => undefined,
      });
      recorder.onRequest(openaiResponses.decodeRequest(body) as DecodedRequest, body, 100, (value) => value);
      await wait(0);
      const whole = openaiResponses.decodeResponse({ id, output });
      recorder.onEnd(whole, { endedAt: 2000, ended: "complete", status: 200, firstByteAt: 1500, size: 10 });
      await wait(0);
      return calls(context.recorded.slice(before));
    };
    const call = (id: string): object => ({ type: "function_call", call_id: id, name: "bash", arguments: "{}" });
    const [first] = await answers({ input: "deploy it to staging" }, [call("call_x")], "resp_1");
    const result = { type: "function_call_output", call_id: "call_x", output: "ok" };
    const next = await answers({ previous_response_id: "resp_1", input: [result] }, [call("call_y")], "resp_2");
    expect(first).toMatchObject({ workflow: "ops" });
    expect(next.map((one) => [one.tool_call_id, one.prompt, one.workflow])).toEqual([
      ["call_x", first?.prompt, "ops"],
      ["call_y", first?.prompt, "ops"],
    ]);
    const [third] = await answers(
      { previous_response_id: "resp_2", input: "thanks. review the diff" },
      [call("call_z")],
      "resp_3",
    );
    expect(third?.workflow).toBe("review");
    expect(third?.prompt).not.toBe(first?.prompt);
  });

  it("leaves none of its words in what is recorded", async () => {
    const context = { ...proxy(), prompts: new PromptCache(proxy().observer.hash) };
    const seen = await exchange(context as Proxy, [{ role: "user", content: "fix SECRET-WORDS" }], { headers, answer });
    expect(calls(seen)[0]?.prompt).toMatch(/^0-[0-9a-f]{12}$/);
    expect(JSON.stringify(seen)).not.toContain("SECRET-WORDS");
  });
});

it("a call is held against its own tool of the request's list, and one that no tool has is wrong", async () => {
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
      ...["a", "b", "c"].map((id) => answered(id, "Hm.")),
    ],
  };
  const recorder = new ExchangeRecorder(context, {
    ...{ api: "chat", provider: "openai", request_id: "r", head: () => "s-1" },
  });
  recorder.onRequest(openaiChat.decodeRequest(body) as DecodedRequest, body, 100, (value) => value);
  await wait(5);
  expect(calls(context.recorded).map(({ result }) => result?.outcome.rule)).toEqual([
    "call-missing-argument",
    "no-failure-reported",
    "call-undeclared",
  ]);
});

describe("a result that is nested without end", () => {
  it("neither stops the process nor the recording", async () => {
    const context = proxy();
    const deep = JSON.parse(`${"[".repeat(DEEP)}${"]".repeat(DEEP)}`) as unknown;
    const seen = await exchange(context, [prompt, made("a"), answered("a", deep), made("b"), answered("b", "ok")], {
      answer,
    });
    expect(calls(seen).map(({ tool_call_id }) => tool_call_id)).toEqual(["a", "b", "call_abc"]);
  });

  it("is told as unread when the observer fails in a way nobody thought of", async () => {
    const context = proxy();
    context.observer.observe = () => {
      throw new Error("a bug");
    };
    const head = (): undefined => undefined;
    const listener = new ExchangeRecorder(context, { api: "chat", provider: "openai", request_id: "r", head });
    const reader = new ExchangeReader({ api: "chat", requestEncoding: undefined, listener, now: () => 0 });
    reader.requestChunk(Buffer.from(JSON.stringify({ messages: [prompt, made("a"), answered("a", "x")] })));
    reader.requestEnd();
    await expect.poll(() => context.unreadable, { timeout: 10_000 }).toEqual(["recording: a bug"]);
  });
});
