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
const continuing = (previous_response_id: string) => ({ previous_response_id, input: [] });

function finderFor(
  cache: ResponseCache,
  { body, headers = {}, provider = "openai" }: Sent,
  conversations?: StoredConversations,
): ThreadFinder {
  const head = (name: string): string | undefined => headers[name];
  const request = openaiResponses.decodeRequest(body);
  if (request === undefined) throw new Error("not a request");
  const results = () => request.calls.flatMap(({ id, name }) => (name === undefined ? [id] : []));
  return new ThreadFinder(
    { api: "responses", head, provider, responses: cache, hash, now: () => 0, storedConversations: conversations },
    request,
    readIdentity(head, body),
    results,
  );
}

const decodedResponse = (id: string, ...output: readonly object[]): DecodedResponse =>
  openaiResponses.decodeResponse({ id, output }) as DecodedResponse;
const bash = { type: "function_call", call_id: "call_x", name: "bash", arguments: "{}" };

/** Runs a complete exchange. Returns its thread. */
function exchange(cache: ResponseCache, sent: Sent, response: DecodedResponse): Thread {
  const finder = finderFor(cache, sent);
  const thread = finder.atRequest() ?? finder.atEnd(response);
  if (thread === undefined) throw new Error("The store must be queried.");
  finder.remember(thread, response, () => new Map(), { count: 0 }, 0);
  return thread;
}

describe("ThreadFinder for a request that continues a stored response", () => {
  it("finds the thread of that response with the request", () => {
    const cache = new ResponseCache();
    const first = exchange(cache, { body: PROMPT }, decodedResponse("resp_1", bash));
    const { before, ...thread } = finderFor(cache, { body: continuing("resp_1") }).atRequest() as Thread;
    expect(thread).toEqual(first);
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash", arguments: "{}" }]);
  });

  it("finds the thread at the end when the earlier response was still being read", () => {
    const cache = new ResponseCache();
    const early = finderFor(cache, { body: continuing("resp_1") });
    expect(early.atRequest()).toBeUndefined();
    const first = exchange(cache, { body: PROMPT }, decodedResponse("resp_1", bash));
    expect(early.atEnd(decodedResponse("resp_2"))).toMatchObject(first);
  });

  it("waits for the end even with a session id, because the earlier calls are unknown", () => {
    const sent = { body: continuing("resp_1"), headers: { "session-id": "s" } };
    const finder = finderFor(new ResponseCache(), sent);
    expect(finder.atRequest()).toBeUndefined();
    expect(finder.atEnd(undefined)).toMatchObject({ session_id: "s", agent_id: "root" });
  });

  it("derives a stable session when the response is unknown", () => {
    const cache = new ResponseCache();
    const middle = exchange(cache, { body: continuing("resp_8") }, decodedResponse("resp_9", bash));
    expect(middle.session_id).toMatch(/^derived-[0-9a-f]{24}$/);
    expect(exchange(cache, { body: continuing("resp_9") }, decodedResponse("resp_10"))).toMatchObject(middle);
    expect(exchange(cache, { body: continuing("resp_7") }, decodedResponse("resp_11")).session_id).not.toBe(
      middle.session_id,
    );
  });

  it("keeps the agent of the response unless the request names another", () => {
    const cache = new ResponseCache();
    const first = exchange(
      cache,
      { body: PROMPT, headers: { "x-toolmend-agent": "helper" } },
      decodedResponse("resp_1", bash),
    );
    const next = (headers: Readonly<Record<string, string>>) =>
      finderFor(cache, { body: continuing("resp_1"), headers }).atRequest();
    expect(next({})).toMatchObject({ session_id: first.session_id, agent_id: "helper" });
    expect(next({ "x-toolmend-agent": "other" })).toMatchObject({ agent_id: "other" });
    expect(next({ "x-toolmend-session": "s" })).toMatchObject({ session_id: "s", agent_id: "root" });
  });

  it.each([
    ["key", { headers: { authorization: "Bearer other" } }],
    ["provider", { provider: "vllm" }],
    ["project", { headers: { "x-toolmend-project": "other" } }],
  ])("does not find a response of another %s", (_what, more) => {
    const cache = new ResponseCache();
    exchange(cache, { body: PROMPT }, decodedResponse("resp_1", bash));
    expect(finderFor(cache, { body: continuing("resp_1"), ...more }).atRequest()).toBeUndefined();
  });

  it("does not cache long arguments", () => {
    const cache = new ResponseCache();
    exchange(cache, { body: PROMPT }, decodedResponse("resp_1", { ...bash, arguments: "x".repeat(5000) }));
    const { before } = finderFor(cache, { body: continuing("resp_1") }).atRequest() as Thread;
    expect(before?.calls).toEqual([{ id: "call_x", name: "bash" }]);
  });
});

describe("ThreadFinder for a response that is only in the store", () => {
  /** A store with all recorded responses. Keeps its queries. */
  function createSharedStore(isShared: boolean) {
    const queries: StoredResponseKey[] = [];
    const stored = new Map<string, StoredTurn>();
    const threadOfResponse = async (key: StoredResponseKey): Promise<StoredTurn | undefined> => {
      queries.push(key);
      return stored.get(key.key);
    };
    const conversations = new StoredConversations({
      reader: { threadOfResponse },
      isShared,
      waitUntilStored: async () => undefined,
      timeoutMs: 60,
    });
    const record = (thread: Thread, recorded: StoredResponseRef | undefined, calls: StoredTurn["calls"]): void => {
      const { session_id, agent_id, conversation } = thread;
      const turn = { session_id, agent_id, conversation, ended_at: 0, calls, ...recorded };
      for (const key of [recorded?.answer_key, recorded?.conversation_key])
        if (key !== undefined) stored.set(key, turn);
    };
    return { conversations, queries, record };
  }

  type SharedStore = ReturnType<typeof createSharedStore>;

  function recordExchange({ conversations, record }: SharedStore, sent: Sent, response: DecodedResponse): Thread {
    const finder = finderFor(new ResponseCache(), sent, conversations);
    const thread = finder.atRequest() ?? finder.atEnd(response);
    if (thread === undefined) throw new Error("The store must be queried.");
    const calls = response.calls.map(({ id, name }) => ({ id, name }));
    record(
      thread,
      finder.remember(thread, response, () => new Map([["call_0", 2]]), { count: 1 }, 0),
      calls,
    );
    return thread;
  }

  /** Finds the thread on a server with an empty cache. */
  async function findOnNewServer({ conversations }: SharedStore, sent: Sent): Promise<Thread> {
    const finder = finderFor(new ResponseCache(), sent, conversations);
    expect(finder.atRequest()).toBeUndefined();
    expect(finder.atEnd(undefined)).toBeUndefined();
    return await new Promise((resolve) => finder.lookUp(undefined, { size: 1 }, resolve));
  }

  it("finds the same thread, calls and counts as with a cache", async () => {
    const store = createSharedStore(true);
    const first = recordExchange(store, { body: PROMPT }, decodedResponse("resp_1", bash));
    const { before, ...thread } = await findOnNewServer(store, { body: continuing("resp_1") });
    expect(thread).toEqual(first);
    expect(before).toMatchObject({ calls: [{ id: "call_x", name: "bash" }], promptPosition: { count: 1 } });
    expect(before?.counts).toEqual(new Map([["call_0", 2]]));
  });

  it.each([
    ["key", { headers: { authorization: "Bearer other" } }],
    ["provider", { provider: "vllm" }],
    ["project", { headers: { "x-toolmend-project": "other" } }],
  ])("does not find a stored response of another %s", async (_what, more) => {
    const store = createSharedStore(true);
    const first = recordExchange(store, { body: PROMPT }, decodedResponse("resp_1", bash));
    const other = await findOnNewServer(store, { body: continuing("resp_1"), ...more });
    expect(other.before).toBeUndefined();
    expect(other.session_id).not.toBe(first.session_id);
  });

  it("uses a store key that reveals neither the credential nor the response id", async () => {
    const store = createSharedStore(true);
    await findOnNewServer(store, { body: continuing("resp_1"), headers: { authorization: "Bearer sk-secret" } });
    expect(store.queries[0]).toEqual({
      project: "default",
      kind: "answer",
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("finds the latest response of a conversation", async () => {
    const store = createSharedStore(false);
    const body = { conversation: "conv_1", input: [] };
    const { conversations } = store;
    const unknown = finderFor(new ResponseCache(), { body }, conversations);
    expect(unknown.atRequest()).toBeUndefined();
    const first = await new Promise<Thread>((resolve) => unknown.lookUp(undefined, { size: 1 }, resolve));
    expect(first).toMatchObject({ session_id: "conv_1" });
    store.record(
      first,
      unknown.remember(first, decodedResponse("resp_1", bash), () => new Map(), { count: 0 }, 0),
      [],
    );
    expect((await findOnNewServer(store, { body })).before).toBeDefined();
    expect(store.queries.map(({ kind }) => kind)).toEqual(["conversation", "conversation"]);
  });

  it("uses the cache when the results belong to the cached response, or the store is not shared", async () => {
    const conversation = { conversation: "conv_1" };
    const result = { type: "function_call_output", call_id: "call_x", output: "ok" };
    const known = (isShared: boolean, input: readonly object[], call: object = bash): Thread | undefined => {
      const cache = new ResponseCache();
      const { conversations } = createSharedStore(isShared);
      const first = finderFor(cache, { body: { ...conversation, input: [] } }, undefined);
      first.remember(first.atRequest() as Thread, decodedResponse("resp_1", call), () => new Map(), { count: 0 }, 0);
      return finderFor(cache, { body: { ...conversation, input } }, conversations).atRequest();
    };
    expect(known(true, [result])?.before).toBeDefined();
    expect(known(true, [{ ...result, call_id: "call_elsewhere" }])).toBeUndefined();
    expect(known(true, [{ ...result, call_id: "call_0" }], { ...bash, call_id: "call_0" })).toBeUndefined();
    expect(known(true, [{ role: "user", content: "and now?" }])).toBeUndefined();
    expect(known(false, [{ role: "user", content: "and now?" }])?.before).toBeDefined();
  });
});

describe("ThreadFinder.remember", () => {
  it.each([
    ["is an error", openaiResponses.decodeResponse({ error: { message: "overloaded" } })],
    ["has an invalid id", decodedResponse(`resp ${"x".repeat(300)}`, bash)],
  ])("does not cache a response that %s", (_why, response) => {
    const cache = new ResponseCache();
    const finder = finderFor(cache, { body: { conversation: "conv_1", input: "go" } });
    const thread = finder.atRequest() as Thread;
    finder.remember(thread, decodedResponse("resp_1", bash), () => new Map(), { count: 0 }, 0);
    expect(finder.remember(thread, response as DecodedResponse, () => new Map(), { count: 0 }, 0)).toBeUndefined();
    const next = finderFor(cache, { body: { conversation: "conv_1", input: [] } }).atRequest();
    expect(next?.before?.calls).toMatchObject([{ id: "call_x" }]);
  });
});

describe("ThreadFinder for a client that sends no id", () => {
  it("derives the same thread from the first response and from the next request", () => {
    const cache = new ResponseCache();
    const first = exchange(cache, { body: PROMPT }, decodedResponse("resp_1", bash, { ...bash, call_id: "call_y" }));
    const history = [{ role: "user", content: "go" }, bash, { ...bash, call_id: "call_y" }];
    expect(finderFor(cache, { body: { input: history } }).atRequest()).toEqual(first);
  });
});
