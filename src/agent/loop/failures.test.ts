import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bad, call, done, good, PROMPT, run, toolOf } from "../../../test/support/agent-run.ts";
import type { ModelFunction } from "../model/model-function.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { ToolError } from "../outcome/tool-error.ts";
import { policies } from "../policy/policy.ts";
import { defineTool } from "../registry/define-tool.ts";
import { createToolRegistry } from "../registry/registry.ts";
import { collectRun, type ScriptedTurn } from "../testing/index.ts";
import { runToolLoop } from "./run-tool-loop.ts";

const SUMMARIZE = { history: { ...policies.balanced.history, execution: "summarise" } } as const;

describe("failures in the model's history", () => {
  it("the next request differs after a round in which every call failed, and a summary is exactly one note", async () => {
    const turns = [1, 1].map((n): ScriptedTurn => ({ calls: [call("bad", { n })] }));
    const { model } = await run([good, bad], [...turns, "I could not."], { policy: SUMMARIZE });
    const prompts = model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(new Set(prompts).size).toBe(3);
    for (const { messages } of model.requests.slice(1))
      expect(messages.filter(({ note }) => note === true)).toHaveLength(1);
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('- bad {"n":1} (2 times): the tool failed.');
    expect(prompts.join()).not.toContain("s3cret");
  });

  it("keeps a failed call next to a successful one, and disables its tool long before ten rounds", async () => {
    const turns = Array.from(
      { length: 9 },
      (_, n): ScriptedTurn => ({ calls: [call("good", { n }), call("bad", { n })] }),
    );
    let runs = 0;
    const failing = toolOf("bad", () => {
      runs += 1;
      throw new Error("x");
    });
    const { model, events } = await run([good, failing], [...turns, "Enough."]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(runs).toBe(3);
    expect(
      events
        .filter((event) => event.kind === "tool_failed")
        .map((event) => event.kind === "tool_failed" && event.error.category),
    ).toEqual(["execution", "execution", "execution", ...Array.from({ length: 6 }, () => "circuit_open")]);
    model.assertDone();
  });

  it("reports every outcome to the hook once, including calls that never reached the registry", async () => {
    const heard: string[] = [];
    const onOutcome = (outcome: ToolOutcome): void => {
      heard.push(outcome.ok ? "ok" : outcome.failure.kind);
    };
    const same = Array.from({ length: 4 }, () => call("good"));
    await run([good], [{ calls: [...same, call("nope")] }, "Ok."], {}, { hooks: { onOutcome } });
    expect(heard.toSorted()).toEqual(["ok", "ok", "ok", "repeated", "unknown_tool"]);
  });

  it("disables only the tool that failed permanently in a mixed round", async () => {
    let runs = 0;
    const gone = toolOf("gone", () => {
      runs += 1;
      return { error: "No such service", permanent: true };
    });
    const { model, reason } = await run(
      [good, gone],
      [
        { calls: [call("good", { n: 1 }), call("gone", { n: 1 })] },
        { calls: [call("good", { n: 2 }), call("gone", { n: 2 })] },
        "Ok.",
      ],
    );
    expect([runs, reason]).toEqual([1, "answer"]);
    expect(model.requests[2]?.messages.some(({ content }) => content.includes("it failed permanently"))).toBe(true);
  });

  it("limits the number of model calls for any mix of rounds", async () => {
    let n = 0;
    const model: ModelFunction = function* ({ toolChoice }) {
      n += 1;
      if (toolChoice === "none") yield { kind: "text", text: "That is it." };
      else yield { kind: "call", call: { id: `${n}`, name: n % 3 === 0 ? "good" : `bad${n}`, arguments: { n } } };
      yield { kind: "finish", reason: "stop" };
    };
    const { events, reason } = await collectRun(
      runToolLoop({ registry: createToolRegistry([good]), model, messages: [PROMPT] }),
    );
    expect(reason).toBe("model-call-limit");
    expect(n).toBe(20);
    expect(done(events).modelCalls).toBe(20);
  });

  it("the result of the call contains the message of a ToolError", async () => {
    const picky = toolOf("picky", () => {
      throw new ToolError("City not found");
    });
    const { model } = await run([picky], [{ calls: [call("picky")] }, "Ok."]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Error: City not found" });
  });

  it("drops a call together with its result, and a message that becomes empty", async () => {
    const history = { ...policies.balanced.history, execution: "drop" as const };
    const { model } = await run(
      [good, bad],
      [{ calls: [call("bad")] }, { text: "Hm.", calls: [call("bad", { n: 2 }), call("good", {}, "g")] }, "Ok."],
      { policy: { history } },
    );
    expect(model.requests[1]?.messages).toEqual([PROMPT]);
    expect(model.requests[2]?.messages.slice(1)).toMatchObject([
      { role: "assistant", content: "Hm.", toolCalls: [{ id: "g" }] },
      { role: "tool", toolCallId: "g" },
    ]);
  });

  it("keeps all calls of a turn with signed reasoning if one is kept, and drops the reasoning if none is", async () => {
    const provider = { sealed: true, blocks: [{ data: { type: "thinking", signature: "x" } }] };
    const { model } = await run(
      [good, bad],
      [
        { calls: [call("good", {}, "a"), call("bad", {}, "b")], provider },
        { calls: [call("bad", { n: 2 }, "c")], provider },
        "Ok.",
      ],
      { policy: SUMMARIZE },
    );
    const [, , after] = model.requests;
    expect(after?.messages.filter(({ role }) => role !== "user")).toMatchObject([
      { toolCalls: [{ id: "a" }, { id: "b" }], provider },
      { toolCallId: "a" },
      { toolCallId: "b", isError: true },
    ]);
  });

  it("drops reasoning with its call, unless it also belongs to a call that is kept", async () => {
    const blocks = (...groups: string[][]) => ({
      blocks: groups.map((callIds) => ({ data: callIds.join(), callIds })),
    });
    const { model } = await run(
      [good, bad],
      [
        {
          calls: [call("bad", {}, "a"), call("good", {}, "b"), call("bad", { n: 1 }, "c")],
          provider: blocks(["a", "b"], ["c"]),
        },
        "Ok.",
      ],
      { policy: SUMMARIZE },
    );
    expect(model.requests[1]?.messages[1]?.provider).toEqual({ blocks: [{ data: "a,b", callIds: ["b"] }] });
  });

  it("asks the user the tool's question after a failure and keeps the history valid", async () => {
    const asking = defineTool({
      name: "ask",
      input: z.object({ place: z.string() }),
      run: () => 1,
      question: "Which place?",
    });
    const { events, reason, messages } = await run(
      [asking, good],
      [{ calls: [call("ask", {}, "a"), call("good", {}, "b")] }],
    );
    expect(reason).toBe("clarify");
    expect(events.find(({ kind }) => kind === "clarify")).toMatchObject({ callId: "a", text: "Which place?" });
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Which place?" });
    expect(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId)).toEqual(["a", "b"]);
  });
});
