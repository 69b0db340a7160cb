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
const remembered = (session_id: string, fields: Partial<CachedTurn> = {}): CachedTurn => ({
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
const called = (id: string) => [{ id, name: "read", arguments: undefined }];

/** A store that answers one after the other, and at last always the same. */
function threads(
  answers: readonly (() => Promise<StoredTurn | undefined>)[],
  more: Partial<StoredConversationsOptions> = {},
) {
  let asked = 0;
  let hurried = 0;
  const threadOfResponse = (): Promise<StoredTurn | undefined> => {
    const next = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return next?.() ?? Promise.resolve(undefined);
  };
  const held = new StoredConversations({
    reader: { threadOfResponse },
    isShared: true,
    timeoutMs: 150,
    async stored() {
      hurried += 1;
    },
    ...more,
  });
  return { held, asked: () => asked, hurried: () => hurried };
}

const nothing = async (): Promise<undefined> => undefined;

function find(held: StoredConversations, question: Partial<ConversationLookup> = {}): Promise<CachedTurn | undefined> {
  const key = { project: "p", kind: "answer", key: "k" } as const;
  return new Promise((resolve) =>
    held.find({ key, recall: () => undefined, results: [], size: 1, ...question }, resolve),
  );
}
const conversation = { project: "p", kind: "conversation", key: "k" } as const;

describe("an answer that the memory does not know", () => {
  it("may be the one that is just being looked for: that is waited for on a server of its own", async () => {
    const slow = async (): Promise<StoredTurn> => {
      await wait(20);
      return stored("s");
    };
    const { held } = threads([slow, nothing], { isShared: false });
    let memory: CachedTurn | undefined;
    void find(held).then((turn) => {
      memory = turn;
    });
    expect(await find(held, { recall: () => memory })).toMatchObject({ session_id: "s" });
  });

  it("is found in the store, with what the next request leaves out", async () => {
    const { held } = threads([
      async () =>
        stored("s", {
          calls: [{ id: "call_0", name: "read", arguments: "{}" }],
          counts: { call_0: 2 },
          asked: { count: 3, prompt: "2-a", workflow: "docs" },
        }),
    ]);
    expect(await find(held)).toEqual(
      remembered("s", {
        calls: [{ id: "call_0", name: "read", arguments: "{}" }],
        counts: new Map([["call_0", 2]]),
        promptPosition: { count: 3, last: { prompt: "2-a", workflow: "docs" } },
      }),
    );
  });

  it("is asked for again while another server's journal still has it", async () => {
    const { held, asked } = threads([nothing, nothing, async () => stored("s")], { timeoutMs: 5000 });
    expect((await find(held))?.session_id).toBe("s");
    expect(asked()).toBe(3);
  });

  it("may come to be known here meanwhile", async () => {
    let known: CachedTurn | undefined;
    const { held } = threads([nothing], { timeoutMs: 5000 });
    const finding = find(held, { recall: () => known });
    await wait(20);
    known = remembered("here");
    expect((await finding)?.session_id).toBe("here");
  });

  it("is stored at once where it was found elsewhere: the next server waits for it", async () => {
    const { held, hurried } = threads([async () => stored("s")]);
    await find(held);
    await held.settled();
    expect(hurried()).toBe(1);
  });

  it.each([
    ["is not there", nothing],
    ["is down", () => Promise.reject(new Error("down"))],
    ["does not answer", () => new Promise<undefined>(() => undefined)],
  ])("is unknown after a while when the store %s", async (_what, answers) => {
    const { held } = threads([answers]);
    const began = performance.now();
    expect(await find(held)).toBeUndefined();
    expect(performance.now() - began).toBeGreaterThan(140);
    await held.settled();
  });

  it("is asked for once where nobody else writes: after our own journal is stored", async () => {
    const { held, asked, hurried } = threads([nothing], { isShared: false, timeoutMs: 5000 });
    expect(await find(held)).toBeUndefined();
    expect([asked(), hurried()]).toEqual([1, 1]);
  });

  it("is not waited for by more, or by more bytes, than can be held", async () => {
    const { held, asked } = threads([nothing], { timeoutMs: 50 });
    const waiting = Array.from({ length: 1000 }, () => find(held));
    const before = asked();
    expect(await find(held, { recall: () => remembered("s") })).toMatchObject({ session_id: "s" });
    expect(asked()).toBe(before);
    await Promise.all(waiting);
    await held.settled();
    const after = asked();
    expect(await find(held, { size: (64 << 20) + 1 })).toBeUndefined();
    expect(asked()).toBe(after);
  });
});

describe("the last answer of a conversation", () => {
  it("is the store's where another server went on with it", async () => {
    const { held } = threads([async () => stored("s", { ended_at: 20, calls: [{ id: "b", name: "list" }] })]);
    const recall = () => remembered("s", { calls: called("a") });
    expect((await find(held, { key: conversation, recall }))?.calls).toMatchObject([{ id: "b" }]);
  });

  it("is ours where the store does not have it yet", async () => {
    const { held } = threads([async () => stored("s", { ended_at: 5, calls: [{ id: "b", name: "list" }] })]);
    const recall = () => remembered("s", { calls: called("a") });
    expect((await find(held, { key: conversation, recall }))?.calls).toMatchObject([{ id: "a" }]);
  });

  it("is waited for while results are for calls that nobody knows", async () => {
    const old = async () => stored("s", { ended_at: 99, calls: [{ id: "old", name: "list" }] });
    const fresh = async () => stored("s", { calls: [{ id: "new", name: "read" }] });
    const { held, asked } = threads([old, old, fresh], { timeoutMs: 5000 });
    expect((await find(held, { key: conversation, results: ["new"] }))?.calls).toMatchObject([{ id: "new" }]);
    expect(asked()).toBe(3);
  });

  it("is not waited for by a request that brings no result: it may be the first", async () => {
    const { held, asked } = threads([nothing], { timeoutMs: 5000 });
    expect(await find(held, { key: conversation })).toBeUndefined();
    expect(asked()).toBe(1);
  });
});
