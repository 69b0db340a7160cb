import { describe, expect, it } from "vitest";
import { bad, call, good, PROMPT, run, stored, toolOf } from "../../../test/support/agent-run.ts";
import { policies } from "../policy/policy.ts";
import type { ScriptedTurn } from "../testing/index.ts";
import { type ConversationItem, createConversationView } from "./conversation.ts";

const short = (items: readonly ConversationItem[]) =>
  items.map((item) => (item.kind === "text" ? `${item.role}: ${item.text}` : `${item.name} ${item.state}`));

/** The same run, live and after a reload. */
async function bothViews(...[tools, turns, options, registryOptions]: Parameters<typeof run>) {
  const { events } = await run(tools, turns, options, registryOptions);
  const live = createConversationView();
  live.add(PROMPT);
  for (const event of events) live.apply(event);
  const reloaded = createConversationView();
  reloaded.load(JSON.parse(JSON.stringify([PROMPT, ...stored(events)])));
  return { live: live.list(), reloaded: reloaded.list() };
}

describe("the view of a conversation", () => {
  it("lists texts and calls in the order in which they happened, live and after a reload", async () => {
    const turns = [
      { text: "Let me look. ", calls: [call("good", {}, "a"), call("bad", {}, "b")] },
      { text: "Once more.", calls: [call("good", { n: 2 }, "a")] },
      "Done.",
    ];
    const { live, reloaded } = await bothViews([good, bad], turns);
    expect(short(live)).toEqual([
      "user: Please.",
      "assistant: Let me look. ",
      "good ok",
      "bad error",
      "assistant: Once more.",
      "good ok",
      "assistant: Done.",
    ]);
    expect(live).toEqual(reloaded);
  });

  const endings: readonly (readonly [string, readonly ScriptedTurn[], object])[] = [
    ["a limit", [{ text: "Hm.", calls: [call("good")] }], { policy: { maxRounds: 1, onLimit: "stop" } }],
    ["failures", [1, 2, 3].map((n) => ({ calls: [call("bad", { n })] })), { policy: { onLimit: "stop" } }],
    ["a model error", [{ text: "Half", error: new Error("x") }], {}],
    ["a refusal", [{ text: "", finish: "refusal" }], {}],
    [
      "a summary",
      [{ text: "Hm.", calls: [call("bad")] }, "No."],
      {
        policy: { history: { ...policies.balanced.history, execution: "summarize" } },
      },
    ],
    ["an approval", [{ text: "Hm.", calls: [call("good")] }], {}],
  ];
  it.each(endings)(
    "the view is the same live and after a reload if the run ends with %s",
    async (ending, turns, options) => {
      const hooks = ending === "an approval" ? { hooks: { approve: () => "suspend" as const } } : {};
      const { live, reloaded } = await bothViews([good, bad], turns, options, hooks);
      expect(live.length).toBeGreaterThan(1);
      expect(live).toEqual(reloaded);
    },
  );

  it("shows a pending call as pending, and its result after a later run", async () => {
    const view = createConversationView();
    const first = await run([good], [{ calls: [call("good", {}, "a")] }], {}, { hooks: { approve: () => "suspend" } });
    for (const event of first.events) view.apply(event);
    expect(short(view.list())).toEqual(["good pending"]);
    const next = await run([good], ["Done."], { messages: first.messages, approvals: { a: true } });
    for (const event of next.events) view.apply(event);
    expect(short(view.list())).toEqual(["good ok", "assistant: Done."]);
  });

  it("shows the latest progress of a running call", async () => {
    const view = createConversationView();
    const seen: unknown[] = [];
    const copying = toolOf("copy", (_, { progress }) => {
      progress({ done: 1 });
      progress({ done: 2 });
      return "copied";
    });
    const { events } = await run([copying], [{ calls: [call("copy")] }, "Done."]);
    for (const event of events) {
      view.apply(event);
      for (const item of view.list()) if (item.kind === "call" && item.state === "running") seen.push(item.progress);
    }
    expect(seen).toContainEqual({ done: 1 });
    expect(seen.at(-1)).toEqual({ done: 2 });
    expect(view.list().every((item) => item.kind === "text" || item.progress === undefined)).toBe(true);
  });
});
