import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { StoredTurn } from "../../store/port.ts";
import type { CachedTurn } from "./response-cache.ts";
import {
  type ConversationLookup,
  StoredConversations,
  type StoredConversationsOptions,
} from "./stored-conversations.ts";

const stored = (session_id: string, fields: Partial<StoredTurn> = {}): StoredTurn => ({
  ...{ session_id, agent_id: "root", conversation: "c", ended_at: 10, calls: [] },
  ...fields,
});
const cached = (session_id: string, fields: Partial<CachedTurn> = {}): CachedTurn => ({
  ...{
    session_id,
    agent_id: "root",
    conversation: "c",
    at: 10,
    calls: [],
    counts: new Map(),
    promptPosition: { count: 0 },
  },
  ...fields,
});
const callsOf = (id: string) => [{ id, name: "read", arguments: undefined }];

/** Uses a store that returns these results in order, then always the last one. */
function createConversations(
  results: readonly (() => Promise<StoredTurn | undefined>)[],
  more: Partial<StoredConversationsOptions> = {},
) {
  let queries = 0;
  let flushes = 0;
  const threadOfResponse = (): Promise<StoredTurn | undefined> => {
    const next = results[Math.min(queries, results.length - 1)];
    queries += 1;
    return next?.() ?? Promise.resolve(undefined);
  };
  const conversations = new StoredConversations({
    reader: { threadOfResponse },
    isShared: true,
    timeoutMs: 150,
    async waitUntilStored() {
      flushes += 1;
    },
    ...more,
  });
  return { conversations, queries: () => queries, flushes: () => flushes };
}

const nothing = async (): Promise<undefined> => undefined;

function find(
  conversations: StoredConversations,
  lookup: Partial<ConversationLookup> = {},
): Promise<CachedTurn | undefined> {
  const key = { project: "p", kind: "answer", key: "k" } as const;
  return new Promise((resolve) =>
    conversations.find({ key, recall: () => undefined, results: [], size: 1, ...lookup }, resolve),
  );
}
const conversation = { project: "p", kind: "conversation", key: "k" } as const;

describe("StoredConversations.find", () => {
  it("waits for a lookup of the same response that is already in flight", async () => {
    const slow = async (): Promise<StoredTurn> => {
      await wait(20);
      return stored("s");
    };
    const { conversations } = createConversations([slow, nothing], { isShared: false });
    let cachedTurn: CachedTurn | undefined;
    void find(conversations).then((turn) => {
      cachedTurn = turn;
    });
    expect(await find(conversations, { recall: () => cachedTurn })).toMatchObject({ session_id: "s" });
  });

  it("finds a response in the store with its calls, counts and prompt", async () => {
    const { conversations } = createConversations([
      async () =>
        stored("s", {
          calls: [{ id: "call_0", name: "read", arguments: "{}" }],
          counts: { call_0: 2 },
          prompt_position: { count: 3, prompt: "2-a", workflow: "docs" },
        }),
    ]);
    expect(await find(conversations)).toEqual(
      cached("s", {
        calls: [{ id: "call_0", name: "read", arguments: "{}" }],
        counts: new Map([["call_0", 2]]),
        promptPosition: { count: 3, last: { prompt: "2-a", workflow: "docs" } },
      }),
    );
  });

  it("queries the store again until another server has stored the response", async () => {
    const { conversations, queries } = createConversations([nothing, nothing, async () => stored("s")], {
      timeoutMs: 5000,
    });
    expect((await find(conversations))?.session_id).toBe("s");
    expect(queries()).toBe(3);
  });

  it("returns a turn that is cached during the lookup", async () => {
    let known: CachedTurn | undefined;
    const { conversations } = createConversations([nothing], { timeoutMs: 5000 });
    const finding = find(conversations, { recall: () => known });
    await wait(20);
    known = cached("here");
    expect((await finding)?.session_id).toBe("here");
  });

  it("flushes the store after finding a response of another server", async () => {
    const { conversations, flushes } = createConversations([async () => stored("s")]);
    await find(conversations);
    await conversations.settled();
    expect(flushes()).toBe(1);
  });

  it.each([
    ["does not have the response", nothing],
    ["is down", () => Promise.reject(new Error("down"))],
    ["does not respond", () => new Promise<undefined>(() => undefined)],
  ])("returns undefined after the timeout when the store %s", async (_what, results) => {
    const { conversations } = createConversations([results]);
    const began = performance.now();
    expect(await find(conversations)).toBeUndefined();
    expect(performance.now() - began).toBeGreaterThan(140);
    await conversations.settled();
  });

  it("queries an unshared store once, after its own journal is stored", async () => {
    const { conversations, queries, flushes } = createConversations([nothing], { isShared: false, timeoutMs: 5000 });
    expect(await find(conversations)).toBeUndefined();
    expect([queries(), flushes()]).toEqual([1, 1]);
  });

  it("returns the cached turn immediately above its limits for pending lookups and bytes", async () => {
    const { conversations, queries } = createConversations([nothing], { timeoutMs: 50 });
    const pending = Array.from({ length: 1000 }, () => find(conversations));
    const before = queries();
    expect(await find(conversations, { recall: () => cached("s") })).toMatchObject({ session_id: "s" });
    expect(queries()).toBe(before);
    await Promise.all(pending);
    await conversations.settled();
    const after = queries();
    expect(await find(conversations, { size: (64 << 20) + 1 })).toBeUndefined();
    expect(queries()).toBe(after);
  });
});

describe("StoredConversations.find for a conversation", () => {
  it("returns the stored turn when another server continued the conversation", async () => {
    const { conversations } = createConversations([
      async () => stored("s", { ended_at: 20, calls: [{ id: "b", name: "list" }] }),
    ]);
    const recall = () => cached("s", { calls: callsOf("a") });
    expect((await find(conversations, { key: conversation, recall }))?.calls).toMatchObject([{ id: "b" }]);
  });

  it("returns the cached turn when the stored one is older", async () => {
    const { conversations } = createConversations([
      async () => stored("s", { ended_at: 5, calls: [{ id: "b", name: "list" }] }),
    ]);
    const recall = () => cached("s", { calls: callsOf("a") });
    expect((await find(conversations, { key: conversation, recall }))?.calls).toMatchObject([{ id: "a" }]);
  });

  it("waits while the request has results of unknown calls", async () => {
    const old = async () => stored("s", { ended_at: 99, calls: [{ id: "old", name: "list" }] });
    const fresh = async () => stored("s", { calls: [{ id: "new", name: "read" }] });
    const { conversations, queries } = createConversations([old, old, fresh], { timeoutMs: 5000 });
    expect((await find(conversations, { key: conversation, results: ["new"] }))?.calls).toMatchObject([{ id: "new" }]);
    expect(queries()).toBe(3);
  });

  it("does not wait for a request without results, which may be the first", async () => {
    const { conversations, queries } = createConversations([nothing], { timeoutMs: 5000 });
    expect(await find(conversations, { key: conversation })).toBeUndefined();
    expect(queries()).toBe(1);
  });
});
