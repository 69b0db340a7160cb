import { describe, expect, it } from "vitest";
import { basePayload, SESSION } from "../../../test/support/hook-session.ts";
import { createTestStore } from "../../../test/support/test-store.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import type { Observation } from "../../core/model/observation.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { readEvent } from "../agents.ts";
import { toObservations } from "../hook-event.ts";

const observer = new CallObserver({ capture: "errors", salt: "salt" });
const context = { at: 1_000_000, now: 1_000_005, project: "default", hash: observer.hash };

function read(payload: unknown): readonly Observation[] {
  const reading = readEvent("claude-code", JSON.stringify(payload), context);
  if (reading.kind === "unreadable") throw new Error(reading.reason);
  return toObservations(reading.rawObservations, observer);
}

function unreadable(body: string): string {
  const reading = readEvent("claude-code", body, context);
  return reading.kind === "unreadable" ? reading.reason : "read";
}

/**
 * Returns the only call recorded from the payloads. Each is applied separately, as if every event had its own process.
 */
async function callAfter(...payloads: readonly unknown[]): Promise<CallRecord> {
  const store = createTestStore();
  for (const payload of payloads) {
    const lines = read(payload)
      .map((one) => `${JSON.stringify(one)}\n`)
      .join("");
    await store.apply({ journal: "j", position: "1", live: true, lines });
  }
  expect(store.records()).toHaveLength(1);
  return store.records()[0] as CallRecord;
}

const outcomeOf = (record: CallRecord) => record.facts.result?.value.outcome;
const CALL = { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "toolu_bbMake00001" };
const pre = { ...basePayload("PreToolUse"), ...CALL };
const ok = (tool_response: unknown) => ({ ...basePayload("PostToolUse"), ...CALL, tool_response, duration_ms: 12 });
const failed = (error: string, is_interrupt = false) => ({
  ...{ ...basePayload("PostToolUseFailure"), ...CALL },
  ...{ error, is_interrupt, duration_ms: 34 },
});
const batch = (tool_response: unknown) => ({
  ...basePayload("PostToolBatch"),
  tool_calls: [{ ...CALL, tool_response }],
});

describe("reading Claude Code hook events", () => {
  it("records name and arguments of a call from PreToolUse, without a result", async () => {
    const record = await callAfter(pre);
    expect(record.facts.name?.value).toBe("Bash");
    expect(record.facts.permission_requested?.value).toBe(true);
    expect(record.facts.prompt?.value).toBe("prompt-1");
    expect(record.facts.result).toBeUndefined();
  });

  it("PostToolUse marks the call as successful and sets its duration", async () => {
    const record = await callAfter(ok({ stdout: "done", stderr: "", interrupted: false }));
    expect(outcomeOf(record)).toMatchObject({ status: "ok", flag: "ok", soft: false });
    expect(record.facts.execution_time_ms?.value).toBe(12);
    expect(record.facts.wire_result).toBeUndefined();
  });

  it("a successful command stays ok when its output looks like a failure", async () => {
    const record = await callAfter(ok({ stdout: "Exit code 3", stderr: "", interrupted: false }));
    expect(outcomeOf(record)?.status).toBe("ok");
  });

  it("PostToolUseFailure marks a failed run, classified by its text, and sets its duration", async () => {
    const record = await callAfter(failed("Exit code 127\n/bin/bash: line 1: frob: command not found"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run", flag: "failed", exit_code: 127 });
    expect(record.facts.execution_time_ms?.value).toBe(34);
  });

  it("a failed call keeps an arguments preview when PreToolUse reported the arguments before", async () => {
    const record = await callAfter(pre, failed("Exit code 1"));
    expect(record.facts.preview?.value).toContain("make");
  });

  it("a call interrupted by the user is cancelled", async () => {
    const record = await callAfter(failed("Exit code 137", true));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run", category: "cancelled", severity: 0.3 });
  });

  it("PostToolUseFailure means phase run even if the text looks like an invalid call", async () => {
    const record = await callAfter(failed("InputValidationError: the server did not like it"));
    expect(outcomeOf(record)?.phase).toBe("run");
  });

  it("a response with an error flag is a failure", async () => {
    const record = await callAfter(ok({ isError: true, content: [{ type: "text", text: "no such ticket" }] }));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run" });
  });

  it("a plain-text response is classified by its text", async () => {
    expect(outcomeOf(await callAfter(ok("Error: it broke")))?.status).toBe("failed");
    expect(outcomeOf(await callAfter(ok("3 files changed")))?.status).toBe("ok");
  });

  it("a numeric timeout is a setting and not a failure", async () => {
    expect(outcomeOf(await callAfter(ok({ exit_code: 0, timeout: 120_000 })))?.status).toBe("ok");
    const happened = await callAfter(ok({ timedOut: true }));
    expect(outcomeOf(happened)).toMatchObject({ status: "failed", category: "timeout", severity: 0.75 });
  });

  it.each([
    [{ exit_code: 1, stderr: "error" }, "exit_code", 0.8],
    [{ error: "something broke" }, "error", 0.6],
    [{ success: false }, "failed", 0.5],
    [{ statusCode: 502 }, "http_server_error", 0.7],
    [{ statusCode: 404 }, "not_found", 0.4],
    [{ cancelled: true }, "cancelled", 0.3],
    [{ permissionDenied: true }, "permission_denied", 0.9],
  ])("a response with an explicit failure is failed: %j", async (response, category, severity) => {
    expect(outcomeOf(await callAfter(ok(response)))).toMatchObject({ status: "failed", category, severity });
  });

  it("a call that only the batch reports is an invalid call if its text says so", async () => {
    const record = await callAfter(batch("<tool_use_error>Error: No such tool available: Frob</tool_use_error>"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "call", category: "unknown_tool" });
  });

  it("a call that only the batch reports with unknown text was refused, and the text is not stored", async () => {
    const record = await callAfter(batch("policy 7 applies"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "gate", category: "permission_denied" });
    expect(JSON.stringify(record)).not.toContain("policy 7");
  });

  it.each([
    ["PreToolUse before the batch", [pre, batch("<tool_use_error>frob</tool_use_error>")]],
    ["PreToolUse after the batch", [batch("<tool_use_error>frob</tool_use_error>"), pre]],
  ])("a valid call that did not run failed in phase gate: %s", async (_, events) => {
    expect(outcomeOf(await callAfter(...events))).toMatchObject({ phase: "gate", category: "permission_denied" });
  });

  it.each([
    ["PostToolUse before the batch", [ok({ stdout: "x" }), batch("Exit code 1")]],
    ["PostToolUse after the batch", [batch("Exit code 1"), ok({ stdout: "x" })]],
  ])("PostToolUse overrides the batch's result: %s", async (_, events) => {
    const record = await callAfter(...events);
    expect(outcomeOf(record)?.status).toBe("ok");
    expect(record.facts.turn?.value).toBe("toolu_bbMake00001");
    expect(record.facts.turn_index?.value).toBe(0);
  });

  it("text that the client appends to a failed MCP call is ignored", async () => {
    const record = await callAfter(
      batch("Error: HTTP 503 from the tracker\n\nThis tool's input schema was not in your prompt: permission denied"),
    );
    expect(outcomeOf(record)).toMatchObject({ category: "http_server_error" });
    expect(outcomeOf(record)?.status_message).not.toContain("schema");
  });

  it("a subagent's call gets its own thread in the same session", async () => {
    const record = await callAfter({ ...ok("x"), agent_id: "a1b2c3", agent_type: "explorer" });
    expect(record.key).toMatchObject({ session_id: SESSION, agent_id: "a1b2c3" });
  });

  it("prompts are counted by id: equal texts with different ids are two, a repeated id is one", () => {
    const prompt = (prompt_id: string) => ({ ...basePayload("UserPromptSubmit"), prompt: "again", prompt_id });
    const ids = [prompt("p1"), prompt("p2"), prompt("p1")].flatMap(read).map((one) => "prompt" in one && one.prompt);
    expect(new Set(ids)).toEqual(new Set(["p1", "p2"]));
  });

  it("prompts without ids are counted by text", () => {
    const prompt = (text: string) => ({ ...basePayload("UserPromptSubmit"), prompt: text, prompt_id: undefined });
    const ids = [prompt("a"), prompt("b"), prompt("a")].flatMap(read).map((one) => "prompt" in one && one.prompt);
    expect(new Set(ids).size).toBe(2);
  });

  it("a prompt's text is not stored, only its workflow", () => {
    const observations = read({ ...basePayload("UserPromptSubmit"), prompt: "Fix the crash near the zebra" });
    expect(observations).toHaveLength(1);
    expect(JSON.stringify(observations)).not.toContain("zebra");
  });

  it("a task notification from the client is not a prompt", () => {
    expect(read({ ...basePayload("UserPromptSubmit"), prompt: "<task-notification>\n<task-id>1" })).toEqual([]);
  });

  it("Stop ends a turn, SessionEnd ends the session, SubagentStop ends neither", () => {
    const event = (name: string) => read(basePayload(name)).map((one) => "event" in one && one.event);
    expect(event("Stop")).toEqual(["stopped"]);
    expect(event("SessionEnd")).toEqual(["ended"]);
    expect(event("SubagentStop")).toEqual([]);
    expect(event("SessionStart")).toEqual(["started"]);
  });

  it("reads events that span several lines, with or without a final newline", () => {
    const text = JSON.stringify(ok("x"), null, 2);
    expect(unreadable(text)).toBe("read");
    expect(unreadable(`${text}\n`)).toBe("read");
  });

  it("accepts and ignores unknown events", () => {
    expect(read(basePayload("MoonPhaseChanged"))).toEqual([]);
  });

  it.each([
    ["", "the payload is not JSON"],
    ["[]", "the payload is not an object"],
    ["{}", "hook_event_name is missing"],
    ['{"hook_event_name":"Stop"}', "the session id is invalid"],
    ['{"hook_event_name":"Stop","session_id":"../../etc"}', "the session id is invalid"],
    ['{"hook_event_name":"Stop","session_id":"s","agent_id":7}', "the agent id is invalid"],
    ['{"hook_event_name":"PostToolUse","session_id":"s"}', "PostToolUse: tool_use_id is missing"],
    ['{"hook_event_name":"PostToolBatch","session_id":"s"}', "PostToolBatch: tool_calls is not a list"],
  ])("rejects %s with a reason", (body, reason) => {
    expect(unreadable(body)).toBe(reason);
  });

  it("similar session ids stay separate sessions", async () => {
    const store = createTestStore();
    for (const session of ["a/b", "a_b"]) {
      const lines = read({ ...ok("x"), session_id: session }).map((one) => `${JSON.stringify(one)}\n`);
      await store.apply({ journal: "j", position: "1", live: true, lines: lines.join("") });
    }
    expect(store.records().map(({ key }) => key.session_id)).toEqual(["a/b", "a_b"]);
  });

  it("every event mentions its transcripts, which are due when a turn ends", () => {
    const due = (payload: object) => {
      const reading = readEvent("claude-code", JSON.stringify(payload), context);
      return reading.kind === "read" ? reading.transcripts?.map(({ path, due: isDue }) => [path, isDue]) : undefined;
    };
    expect(due({ ...ok("x"), transcript_path: "/a.jsonl" })).toEqual([["/a.jsonl", false]]);
    const subagent = { ...basePayload("SubagentStop"), transcript_path: "/a.jsonl", agent_transcript_path: "/b.jsonl" };
    expect(due(subagent)).toEqual([
      ["/a.jsonl", true],
      ["/b.jsonl", true],
    ]);
  });
});
