import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type DecodedResponse, openaiResponses, readIdentity } from "../core/wire/index.ts";
import { type Thread, ThreadFinder } from "./exchange-thread.ts";
import { ResponseMemory } from "./response-memory.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Sent {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly provider?: string;
}

const PROMPT = { input: "go" };
const onFrom = (previous_response_id: string) => ({ previous_response_id, input: [] });

function finderFor(memory: ResponseMemory, { body, headers = {}, provider = "openai" }: Sent): ThreadFinder {
  const head = (name: string): string | undefined => headers[name];
  const request = openaiResponses.decodeRequest(body);
  if (request === undefined) throw new Error("not a request");
  return new ThreadFinder({ head, provider, memory, hash, now: () => 0 }, request, readIdentity(head, body));
}

const answered = (id: string, ...output: readonly object[]): DecodedResponse =>
  openaiResponses.decodeResponse({ id, output }) as DecodedResponse;
const bash = { type: "function_call", call_id: "call_x", name: "bash", arguments: "{}" };

/** A whole exchange; the thread it ended in. */
function exchange(memory: ResponseMemory, sent: Sent, answer: DecodedResponse): Thread {
  const finder = finderFor(memory, sent);
  const thread = finder.atRequest() ?? finder.atEnd(answer);
  if (thread === undefined) throw new Error("only the store could tell");
  finder.remember(thread, answer, new Map(), { count: 0 }, 0);
  return thread;
}

describe("the thread of a request that goes on from an answer", () => {
  it("is the answer's, known with the request", () => {
    const memory = new ResponseMemory();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    const { before, ...thread } = finderFor(memory, { body: onFrom("resp_1") }).atRequest() as Thread;
    expect(thread).toEqual(first);
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash", arguments: "{}" }]);
  });

  it("is found at the end when the answer was still being read", () => {
    const memory = new ResponseMemory();
    const early = finderFor(memory, { body: onFrom("resp_1") });
    expect(early.atRequest()).toBeUndefined();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    expect(early.atEnd(answered("resp_2"))).toMatchObject(first);
  });

  it("waits also where the session is known: the calls are not", () => {
    const sent = { body: onFrom("resp_1"), headers: { "session-id": "s" } };
    const finder = finderFor(new ResponseMemory(), sent);
    expect(finder.atRequest()).toBeUndefined();
    expect(finder.atEnd(undefined)).toMatchObject({ session_id: "s", agent_id: "root" });
  });

  it("has a name of its own when nobody knows the answer, and keeps it", () => {
    const memory = new ResponseMemory();
    const middle = exchange(memory, { body: onFrom("resp_8") }, answered("resp_9", bash));
    expect(middle.session_id).toMatch(/^derived-[0-9a-f]{24}$/);
    expect(exchange(memory, { body: onFrom("resp_9") }, answered("resp_10"))).toMatchObject(middle);
    expect(exchange(memory, { body: onFrom("resp_7") }, answered("resp_11")).session_id).not.toBe(middle.session_id);
  });

  it("is the same agent's, unless the request says otherwise", () => {
    const memory = new ResponseMemory();
    const first = exchange(
      memory,
      { body: PROMPT, headers: { "x-toolmend-agent": "helper" } },
      answered("resp_1", bash),
    );
    const next = (headers: Readonly<Record<string, string>>) =>
      finderFor(memory, { body: onFrom("resp_1"), headers }).atRequest();
    expect(next({})).toMatchObject({ session_id: first.session_id, agent_id: "helper" });
    expect(next({ "x-toolmend-agent": "other" })).toMatchObject({ agent_id: "other" });
    expect(next({ "x-toolmend-session": "s" })).toMatchObject({ session_id: "s", agent_id: "root" });
  });

  it.each([
    ["key", { headers: { authorization: "Bearer other" } }],
    ["provider", { provider: "vllm" }],
    ["project", { headers: { "x-toolmend-project": "other" } }],
  ])("is not found for another %s", (_what, more) => {
    const memory = new ResponseMemory();
    exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    expect(finderFor(memory, { body: onFrom("resp_1"), ...more }).atRequest()).toBeUndefined();
  });

  it("does not hold long arguments", () => {
    const memory = new ResponseMemory();
    exchange(memory, { body: PROMPT }, answered("resp_1", { ...bash, arguments: "x".repeat(5000) }));
    const { before } = finderFor(memory, { body: onFrom("resp_1") }).atRequest() as Thread;
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash" }]);
  });
});

describe("the thread of a client that sends no id", () => {
  it("is the same at its first answer and in its next request", () => {
    const memory = new ResponseMemory();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash, { ...bash, call_id: "call_y" }));
    const history = [{ role: "user", content: "go" }, bash, { ...bash, call_id: "call_y" }];
    expect(finderFor(memory, { body: { input: history } }).atRequest()).toEqual(first);
  });
});
