import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { StoredResponseRef } from "../../core/model/observation.ts";
import { type DecodedResponse, openaiResponses, readIdentity } from "../../core/wire/index.ts";
import type { StoredResponseKey, StoredTurn } from "../../store/port.ts";
import { type Thread, ThreadFinder } from "./exchange-thread.ts";
import { ResponseCache } from "./response-cache.ts";
import { StoredConversations } from "./stored-conversations.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Sent {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly provider?: string;
}

const PROMPT = { input: "go" };
const onFrom = (previous_response_id: string) => ({ previous_response_id, input: [] });

function finderFor(
  memory: ResponseCache,
  { body, headers = {}, provider = "openai" }: Sent,
  held?: StoredConversations,
): ThreadFinder {
  const head = (name: string): string | undefined => headers[name];
  const request = openaiResponses.decodeRequest(body);
  if (request === undefined) throw new Error("not a request");
  const results = () => request.calls.flatMap(({ id, name }) => (name === undefined ? [id] : []));
  return new ThreadFinder(
    { head, provider, responses: memory, hash, now: () => 0, storedConversations: held },
    request,
    readIdentity(head, body),
    results,
  );
}

const answered = (id: string, ...output: readonly object[]): DecodedResponse =>
  openaiResponses.decodeResponse({ id, output }) as DecodedResponse;
const bash = { type: "function_call", call_id: "call_x", name: "bash", arguments: "{}" };

/** A whole exchange; the thread it ended in. */
function exchange(memory: ResponseCache, sent: Sent, answer: DecodedResponse): Thread {
  const finder = finderFor(memory, sent);
  const thread = finder.atRequest() ?? finder.atEnd(answer);
  if (thread === undefined) throw new Error("only the store could tell");
  finder.remember(thread, answer, new Map(), { count: 0 }, 0);
  return thread;
}

describe("the thread of a request that goes on from an answer", () => {
  it("is the answer's, known with the request", () => {
    const memory = new ResponseCache();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    const { before, ...thread } = finderFor(memory, { body: onFrom("resp_1") }).atRequest() as Thread;
    expect(thread).toEqual(first);
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash", arguments: "{}" }]);
  });

  it("is found at the end when the answer was still being read", () => {
    const memory = new ResponseCache();
    const early = finderFor(memory, { body: onFrom("resp_1") });
    expect(early.atRequest()).toBeUndefined();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    expect(early.atEnd(answered("resp_2"))).toMatchObject(first);
  });

  it("waits also where the session is known: the calls are not", () => {
    const sent = { body: onFrom("resp_1"), headers: { "session-id": "s" } };
    const finder = finderFor(new ResponseCache(), sent);
    expect(finder.atRequest()).toBeUndefined();
    expect(finder.atEnd(undefined)).toMatchObject({ session_id: "s", agent_id: "root" });
  });

  it("has a name of its own when nobody knows the answer, and keeps it", () => {
    const memory = new ResponseCache();
    const middle = exchange(memory, { body: onFrom("resp_8") }, answered("resp_9", bash));
    expect(middle.session_id).toMatch(/^derived-[0-9a-f]{24}$/);
    expect(exchange(memory, { body: onFrom("resp_9") }, answered("resp_10"))).toMatchObject(middle);
    expect(exchange(memory, { body: onFrom("resp_7") }, answered("resp_11")).session_id).not.toBe(middle.session_id);
  });

  it("is the same agent's, unless the request says otherwise", () => {
    const memory = new ResponseCache();
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
    const memory = new ResponseCache();
    exchange(memory, { body: PROMPT }, answered("resp_1", bash));
    expect(finderFor(memory, { body: onFrom("resp_1"), ...more }).atRequest()).toBeUndefined();
  });

  it("does not hold long arguments", () => {
    const memory = new ResponseCache();
    exchange(memory, { body: PROMPT }, answered("resp_1", { ...bash, arguments: "x".repeat(5000) }));
    const { before } = finderFor(memory, { body: onFrom("resp_1") }).atRequest() as Thread;
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash" }]);
  });
});

describe("where the memory does not know, the store is asked", () => {
  /** A store that has every answer which was recorded, and notes what it was asked for. */
  function beside(isShared: boolean) {
    const asked: StoredResponseKey[] = [];
    const stored = new Map<string, StoredTurn>();
    const threadOfResponse = async (key: StoredResponseKey): Promise<StoredTurn | undefined> => {
      asked.push(key);
      return stored.get(key.key);
    };
    const held = new StoredConversations({
      reader: { threadOfResponse },
      isShared,
      stored: async () => undefined,
      timeoutMs: 60,
    });
    const record = (thread: Thread, recorded: StoredResponseRef | undefined, calls: StoredTurn["calls"]): void => {
      const { session_id, agent_id, conversation } = thread;
      const turn = { session_id, agent_id, conversation, ended_at: 0, calls, ...recorded };
      for (const key of [recorded?.answer_key, recorded?.conversation_key])
        if (key !== undefined) stored.set(key, turn);
    };
    return { held, asked, record };
  }

  type Beside = ReturnType<typeof beside>;

  function seen({ held, record }: Beside, sent: Sent, answer: DecodedResponse): Thread {
    const finder = finderFor(new ResponseCache(), sent, held);
    const thread = finder.atRequest() ?? finder.atEnd(answer);
    if (thread === undefined) throw new Error("only the store could tell");
    const calls = answer.calls.map(({ id, name }) => ({ id, name }));
    record(thread, finder.remember(thread, answer, new Map([["call_0", 2]]), { count: 1 }, 0), calls);
    return thread;
  }

  /** At a server that has seen nothing before. */
  async function elsewhere({ held }: Beside, sent: Sent): Promise<Thread> {
    const finder = finderFor(new ResponseCache(), sent, held);
    expect(finder.atRequest()).toBeUndefined();
    expect(finder.atEnd(undefined)).toBeUndefined();
    return await new Promise((resolve) => finder.lookUp(undefined, { size: 1 }, resolve));
  }

  it("and gives thread, calls and counts, as the memory would", async () => {
    const store = beside(true);
    const first = seen(store, { body: PROMPT }, answered("resp_1", bash));
    const { before, ...thread } = await elsewhere(store, { body: onFrom("resp_1") });
    expect(thread).toEqual(first);
    expect(before).toMatchObject({ calls: [{ id: "call_x", name: "bash" }], promptPosition: { count: 1 } });
    expect(before?.counts).toEqual(new Map([["call_0", 2]]));
  });

  it.each([
    ["key", { headers: { authorization: "Bearer other" } }],
    ["provider", { provider: "vllm" }],
    ["project", { headers: { "x-toolmend-project": "other" } }],
  ])("but not for another %s", async (_what, more) => {
    const store = beside(true);
    const first = seen(store, { body: PROMPT }, answered("resp_1", bash));
    const other = await elsewhere(store, { body: onFrom("resp_1"), ...more });
    expect(other.before).toBeUndefined();
    expect(other.session_id).not.toBe(first.session_id);
  });

  it("under a name that says nothing of key or answer", async () => {
    const store = beside(true);
    await elsewhere(store, { body: onFrom("resp_1"), headers: { authorization: "Bearer sk-secret" } });
    expect(store.asked[0]).toEqual({
      project: "default",
      kind: "answer",
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("also for the last answer of a conversation", async () => {
    const store = beside(false);
    const body = { conversation: "conv_1", input: [] };
    const { held } = store;
    const unknown = finderFor(new ResponseCache(), { body }, held);
    expect(unknown.atRequest()).toBeUndefined();
    const first = await new Promise<Thread>((resolve) => unknown.lookUp(undefined, { size: 1 }, resolve));
    expect(first).toMatchObject({ session_id: "conv_1" });
    store.record(first, unknown.remember(first, answered("resp_1", bash), new Map(), { count: 0 }, 0), []);
    expect((await elsewhere(store, { body })).before).toBeDefined();
    expect(store.asked.map(({ kind }) => kind)).toEqual(["conversation", "conversation"]);
  });

  it("not for one that this server answered last, as its results say; nor where no other server could have", async () => {
    const conversation = { conversation: "conv_1" };
    const result = { type: "function_call_output", call_id: "call_x", output: "ok" };
    const known = (isShared: boolean, input: readonly object[], call: object = bash): Thread | undefined => {
      const memory = new ResponseCache();
      const { held } = beside(isShared);
      const first = finderFor(memory, { body: { ...conversation, input: [] } }, undefined);
      first.remember(first.atRequest() as Thread, answered("resp_1", call), new Map(), { count: 0 }, 0);
      return finderFor(memory, { body: { ...conversation, input } }, held).atRequest();
    };
    expect(known(true, [result])?.before).toBeDefined();
    expect(known(true, [{ ...result, call_id: "call_elsewhere" }])).toBeUndefined();
    expect(known(true, [{ ...result, call_id: "call_0" }], { ...bash, call_id: "call_0" })).toBeUndefined();
    expect(known(true, [{ role: "user", content: "and now?" }])).toBeUndefined();
    expect(known(false, [{ role: "user", content: "and now?" }])?.before).toBeDefined();
  });
});

describe("an answer that nobody can go on from", () => {
  it.each([
    ["is an error", openaiResponses.decodeResponse({ error: { message: "overloaded" } })],
    ["has an id that no request could name", answered(`resp ${"x".repeat(300)}`, bash)],
  ])("is not remembered: it %s", (_why, answer) => {
    const memory = new ResponseCache();
    const finder = finderFor(memory, { body: { conversation: "conv_1", input: "go" } });
    const thread = finder.atRequest() as Thread;
    finder.remember(thread, answered("resp_1", bash), new Map(), { count: 0 }, 0);
    expect(finder.remember(thread, answer as DecodedResponse, new Map(), { count: 0 }, 0)).toBeUndefined();
    const next = finderFor(memory, { body: { conversation: "conv_1", input: [] } }).atRequest();
    expect(next?.before?.calls).toMatchObject([{ id: "call_x" }]);
  });
});

describe("the thread of a client that sends no id", () => {
  it("is the same at its first answer and in its next request", () => {
    const memory = new ResponseCache();
    const first = exchange(memory, { body: PROMPT }, answered("resp_1", bash, { ...bash, call_id: "call_y" }));
    const history = [{ role: "user", content: "go" }, bash, { ...bash, call_id: "call_y" }];
    expect(finderFor(memory, { body: { input: history } }).atRequest()).toEqual(first);
  });
});
