import { describe, expect, it } from "vitest";
import { basePayload, SESSION } from "../../../test/support/hook-session.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import type { Observation } from "../../core/model/observation.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { createMemoryStore } from "../../store/memory/memory-store.ts";
import { readEvent, toObservations } from "../observe-event.ts";

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

/** The only call of what some payloads tell, each in a batch of its own, as a process per event would have it. */
async function callAfter(...payloads: readonly unknown[]): Promise<CallRecord> {
  const store = createMemoryStore();
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

describe("the events of Claude Code", () => {
  it("a call that is about to run is known by name and arguments, and is open", async () => {
    const record = await callAfter(pre);
    expect(record.facts.name?.value).toBe("Bash");
    expect(record.facts.asked?.value).toBe(true);
    expect(record.facts.prompt?.value).toBe("prompt-1");
    expect(record.facts.result).toBeUndefined();
  });

  it("PostToolUse says that it worked, and how long it took", async () => {
    const record = await callAfter(ok({ stdout: "done", stderr: "", interrupted: false }));
    expect(outcomeOf(record)).toMatchObject({ status: "ok", flag: "ok", soft: false });
    expect(record.facts.execution_time_ms?.value).toBe(12);
    expect(record.facts.wire_result).toBeUndefined();
  });

  it("a command that prints the words of a failure and worked has worked", async () => {
    const record = await callAfter(ok({ stdout: "Exit code 3", stderr: "", interrupted: false }));
    expect(outcomeOf(record)?.status).toBe("ok");
  });

  it("K2: PostToolUseFailure says that it ran and failed, with the category of its text and its duration", async () => {
    const record = await callAfter(failed("Exit code 127\n/bin/bash: line 1: frob: command not found"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run", flag: "failed", exit_code: 127 });
    expect(record.facts.execution_time_ms?.value).toBe(34);
  });

  it("a failed call shows its arguments also when PreToolUse told of them before", async () => {
    const record = await callAfter(pre, failed("Exit code 1"));
    expect(record.facts.preview?.value).toContain("make");
  });

  it("K2: what the user interrupted is cancelled", async () => {
    const record = await callAfter(failed("Exit code 137", true));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run", category: "cancelled", severity: 0.3 });
  });

  it("an event that says it ran is believed over words that sound like a wrong call", async () => {
    const record = await callAfter(failed("InputValidationError: the server did not like it"));
    expect(outcomeOf(record)?.phase).toBe("run");
  });

  it("K5: a response that flags itself an error is a failure", async () => {
    const record = await callAfter(ok({ isError: true, content: [{ type: "text", text: "no such ticket" }] }));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "run" });
  });

  it("K5: a plain text is judged by what it says", async () => {
    expect(outcomeOf(await callAfter(ok("Error: it broke")))?.status).toBe("failed");
    expect(outcomeOf(await callAfter(ok("3 files changed")))?.status).toBe("ok");
  });

  it("K6: a timeout that is a setting is no event", async () => {
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
  ])("a response that states its failure is believed: %j", async (response, category, severity) => {
    expect(outcomeOf(await callAfter(ok(response)))).toMatchObject({ status: "failed", category, severity });
  });

  it("K3: what only the batch tells of never ran: a wrong call by its words", async () => {
    const record = await callAfter(batch("<tool_use_error>Error: No such tool available: Frob</tool_use_error>"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "call", category: "unknown_tool" });
  });

  it("K3: what only the batch tells of, in words that nobody knows, was refused; they are kept nowhere", async () => {
    const record = await callAfter(batch("policy 7 applies"));
    expect(outcomeOf(record)).toMatchObject({ status: "failed", phase: "gate", category: "permission_denied" });
    expect(JSON.stringify(record)).not.toContain("policy 7");
  });

  it.each([
    ["before", [pre, batch("<tool_use_error>frob</tool_use_error>")]],
    ["behind", [batch("<tool_use_error>frob</tool_use_error>"), pre]],
  ])("a call that was in order and did not run was stopped at the gate: PreToolUse %s the batch", async (_, events) => {
    expect(outcomeOf(await callAfter(...events))).toMatchObject({ phase: "gate", category: "permission_denied" });
  });

  it.each([
    ["before", [ok({ stdout: "x" }), batch("Exit code 1")]],
    ["behind", [batch("Exit code 1"), ok({ stdout: "x" })]],
  ])("who saw it run knows better than the batch: PostToolUse %s it", async (_, events) => {
    const record = await callAfter(...events);
    expect(outcomeOf(record)?.status).toBe("ok");
    expect(record.facts.turn?.value).toBe("toolu_bbMake00001");
    expect(record.facts.turn_index?.value).toBe(0);
  });

  it("what the client appends to a failed MCP call is not read", async () => {
    const record = await callAfter(
      batch("Error: HTTP 503 from the tracker\n\nThis tool's input schema was not in your prompt: permission denied"),
    );
    expect(outcomeOf(record)).toMatchObject({ category: "http_server_error" });
    expect(outcomeOf(record)?.status_message).not.toContain("schema");
  });

  it("K12: a subagent's call is its own thread of its own session", async () => {
    const record = await callAfter({ ...ok("x"), agent_id: "a1b2c3", agent_type: "explorer" });
    expect(record.key).toMatchObject({ session_id: SESSION, agent_id: "a1b2c3" });
  });

  it("K17: prompts count by their id; two with one text are two, one delivered twice is one", () => {
    const prompt = (prompt_id: string) => ({ ...basePayload("UserPromptSubmit"), prompt: "again", prompt_id });
    const ids = [prompt("p1"), prompt("p2"), prompt("p1")].flatMap(read).map((one) => "prompt" in one && one.prompt);
    expect(new Set(ids)).toEqual(new Set(["p1", "p2"]));
  });

  it("K17: without ids, different words are different prompts and the same words one", () => {
    const prompt = (words: string) => ({ ...basePayload("UserPromptSubmit"), prompt: words, prompt_id: undefined });
    const ids = [prompt("a"), prompt("b"), prompt("a")].flatMap(read).map((one) => "prompt" in one && one.prompt);
    expect(new Set(ids).size).toBe(2);
  });

  it("a prompt's words go no further than its kind of work", () => {
    const seen = read({ ...basePayload("UserPromptSubmit"), prompt: "Fix the crash near the zebra" });
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain("zebra");
  });

  it("what the client writes when a background task ends is not a prompt", () => {
    expect(read({ ...basePayload("UserPromptSubmit"), prompt: "<task-notification>\n<task-id>1" })).toEqual([]);
  });

  it("K9: Stop is the end of a turn, SessionEnd that of the session, SubagentStop of neither", () => {
    const event = (name: string) => read(basePayload(name)).map((one) => "event" in one && one.event);
    expect(event("Stop")).toEqual(["stopped"]);
    expect(event("SessionEnd")).toEqual(["ended"]);
    expect(event("SubagentStop")).toEqual([]);
    expect(event("SessionStart")).toEqual(["started"]);
  });

  it("K16: an event over several lines, with or without an end of line, is read whole", () => {
    const text = JSON.stringify(ok("x"), null, 2);
    expect(unreadable(text)).toBe("read");
    expect(unreadable(`${text}\n`)).toBe("read");
  });

  it("events of versions to come are read and show nothing", () => {
    expect(read(basePayload("MoonPhaseChanged"))).toEqual([]);
  });

  it.each([
    ["", "the payload is not JSON"],
    ["[]", "the payload is not an object"],
    ["{}", "hook_event_name is missing"],
    ['{"hook_event_name":"Stop"}', "the session's id is not valid"],
    ['{"hook_event_name":"Stop","session_id":"../../etc"}', "the session's id is not valid"],
    ['{"hook_event_name":"Stop","session_id":"s","agent_id":7}', "the agent's id is not valid"],
    ['{"hook_event_name":"PostToolUse","session_id":"s"}', "PostToolUse: tool_use_id is missing"],
    ['{"hook_event_name":"PostToolBatch","session_id":"s"}', "PostToolBatch: tool_calls is not a list"],
  ])("%s cannot be read, and says why", (body, reason) => {
    expect(unreadable(body)).toBe(reason);
  });

  it("K19: sessions whose ids look alike are two", async () => {
    const store = createMemoryStore();
    for (const session of ["a/b", "a_b"]) {
      const lines = read({ ...ok("x"), session_id: session }).map((one) => `${JSON.stringify(one)}\n`);
      await store.apply({ journal: "j", position: "1", live: true, lines: lines.join("") });
    }
    expect(store.records().map(({ key }) => key.session_id)).toEqual(["a/b", "a_b"]);
  });

  it("transcripts are spoken of by every event and due when a turn ends", () => {
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
