import { describe, expect, it } from "vitest";
import { NOON } from "../../test/support/observations.ts";
import { CallObserver } from "../ingest/observe/observe-call.ts";
import type { HookAgent } from "./agent-names.ts";
import { readEvent } from "./agents.ts";
import { toObservations } from "./hook-event.ts";

const observer = new CallObserver({ capture: "errors", salt: "s" });
const context = { project: "default", at: NOON, now: NOON, hash: (text: string) => `${text.length}`.padEnd(32, "0") };

/** Calls as `id tool status category ms`, changes of sessions as their name; transcripts that are due. */
function told(
  agent: HookAgent,
  payload: object,
): { readonly facts: readonly string[]; readonly due: readonly string[] } {
  const reading = readEvent(agent, JSON.stringify(payload), context);
  if (reading.kind === "unreadable") return { facts: [reading.reason], due: [] };
  const facts = toObservations(reading.rawObservations, observer).map((one) => {
    if (one.kind === "session") return `${one.session_id} ${one.event}`;
    if (one.kind !== "call") return one.kind;
    const { status, category } = one.result?.outcome ?? { status: "open" };
    return [one.tool_call_id, one.name, status, category, one.execution_time_ms].filter(Boolean).join(" ");
  });
  return { facts, due: (reading.transcripts ?? []).filter(({ due }) => due).map(({ path }) => path) };
}

describe("hooks of Qwen Code", () => {
  const base = {
    session_id: "q1",
    transcript_path: "/t/q1.jsonl",
    cwd: "/srv",
    timestamp: new Date(NOON).toISOString(),
  };
  const entry = (id: string, status: string, response: object) => ({
    ...{
      tool_name: "read_file",
      tool_input: { file_path: id },
      tool_call_id: id,
      tool_use_id: "toolu_made_up",
      status,
    },
    tool_response: { response_parts: [{ functionResponse: { id, response } }] },
  });

  it("hooks of Qwen Code report every call of a batch with its status", () => {
    const calls = [
      entry("call_a", "success", { output: "what the file says" }),
      entry("call_b", "error", { error: "File not found: /srv/b" }),
      entry("call_c", "cancelled", { error: "User did not allow it" }),
    ];
    expect(told("qwen", { ...base, hook_event_name: "PostToolBatch", tool_calls: calls })).toEqual({
      facts: ["call_a read_file ok", "call_b read_file failed not_found", "call_c read_file failed cancelled"],
      due: [],
    });
  });

  it("hooks of Qwen Code make the transcript due when a turn ends", () => {
    expect(told("qwen", { ...base, hook_event_name: "Stop" })).toEqual({ facts: ["q1 stopped"], due: ["/t/q1.jsonl"] });
  });

  it("events of single calls are ignored, because they repeat the batch", () => {
    expect(told("qwen", { ...base, hook_event_name: "PostToolUse", tool_call_id: "call_a" }).facts).toEqual([]);
  });
});

describe("hooks of Copilot CLI", () => {
  const base = { sessionId: "c1", timestamp: NOON, cwd: "/srv" };

  it.each([
    ["starts", { source: "new", initialPrompt: "Fix it" }, ["c1 started"], []],
    ["ends", { reason: "complete" }, ["c1 ended"], []],
    ["ends a turn", { transcriptPath: "/t/e.jsonl", stopReason: "end_turn" }, ["c1 stopped"], ["/t/e.jsonl"]],
    ["called a tool", { toolName: "bash", toolArgs: {}, toolResult: {} }, [], []],
  ])("hooks of Copilot CLI report that the session %s", (_what, payload, facts, due) => {
    expect(told("copilot", { ...base, ...payload })).toEqual({ facts, due });
  });
});

describe("hooks of Cline CLI", () => {
  const base = {
    ...{
      sessionContext: { rootSessionId: "1_a" },
      agent_id: "agent_1",
      parent_agent_id: null,
      hookName: "tool_result",
    },
    timestamp: new Date(NOON).toISOString(),
  };
  const output = (success: boolean) => [
    { query: "ls", result: "", ...(!success && { error: "Command exited with code 2" }), success },
  ];

  it("hooks of Cline CLI report the outcome of a command by its output", () => {
    const call = (success: boolean) => ({
      id: "call_a",
      name: "run_commands",
      output: output(success),
      durationMs: 12,
    });
    // The event itself calls a failed command a success.
    const event = { ...base, postToolUse: { success: true } };
    expect(told("cline", { ...event, tool_result: call(true) }).facts).toEqual(["call_a run_commands ok 12"]);
    expect(told("cline", { ...event, tool_result: call(false) }).facts).toEqual([
      "call_a run_commands failed exit_code 12",
    ]);
  });

  it("Cline's events are unreadable without the id of the call or of the session", () => {
    expect(told("cline", { ...base, tool_result: {} }).facts).toEqual(["tool_result: the id of the call is missing"]);
    expect(told("cline", { ...base, sessionContext: undefined }).facts).toEqual(["the session id is invalid"]);
  });
});

describe("hooks of Gemini CLI", () => {
  const base = { session_id: "g1", timestamp: new Date(NOON).toISOString() };
  const call = { ...base, hook_event_name: "AfterTool", tool_name: "read_file", tool_response: { llmContent: "text" } };

  it("hooks of Gemini CLI leave calls to the transcript if they name it", () => {
    expect(told("gemini", { ...call, transcript_path: "/t/g.jsonl" })).toEqual({ facts: [], due: [] });
    expect(told("gemini", { ...base, hook_event_name: "AfterAgent", transcript_path: "/t/g.jsonl" })).toEqual({
      facts: ["g1 stopped"],
      due: ["/t/g.jsonl"],
    });
  });

  it("hooks of Gemini CLI report calls themselves if they name no transcript", () => {
    expect(told("gemini", call).facts).toHaveLength(1);
  });
});
