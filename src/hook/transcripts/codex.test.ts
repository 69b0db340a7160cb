import { describe, expect, it } from "vitest";
import { CodexRollout, exited } from "../../../test/support/codex-rollout.ts";
import { NOON } from "../../../test/support/observations.ts";
import { CallObserver, type RawCallObservation } from "../../ingest/observe/observe-call.ts";
import { CodexReader } from "./codex.ts";
import { kindOfLine } from "./read-transcript.ts";
import type { RawTranscriptObservation } from "./transcript-reader.ts";

const context = { project: "default", seenAt: NOON, isLive: () => false, fallbackTime: NOON };

function rawObservations(lines: readonly string[]): readonly RawTranscriptObservation[] {
  const reader = new CodexReader(context);
  const observations = lines.flatMap((line) =>
    reader.isRelevant(Buffer.from(line)) ? reader.push(JSON.parse(line) as Record<string, unknown>) : [],
  );
  return [...observations, ...reader.open()];
}

const calls = ({ lines }: { readonly lines: readonly string[] }): readonly RawCallObservation[] =>
  rawObservations(lines).flatMap((one) => (one.kind === "call" ? [one.call] : []));

const outcomes = (rollout: { readonly lines: readonly string[] }): readonly unknown[] => {
  const observer = new CallObserver({ capture: "none", salt: "s" });
  return calls(rollout).flatMap((call) => {
    const outcome = observer.observe(call).result?.outcome;
    return outcome === undefined
      ? []
      : [[call.name, outcome.status, outcome.phase, outcome.category, outcome.exit_code]];
  });
};

/** Returns a UUID of version 7 created at that time. */
const idAt = (at: number): string => {
  const hex = at.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
};

it("the name of the folder and the branch of a rollout are observed", () => {
  const payload = { id: "thread-1", cwd: "/home/ann/shop", git: { branch: "main" } };
  const line = { type: "session_meta", timestamp: new Date(NOON).toISOString(), payload };
  expect(rawObservations([JSON.stringify(line)])).toMatchObject([
    { observation: { kind: "session", event: "started", session_id: "thread-1", folder: "shop", branch: "main" } },
  ]);
});

describe("reading calls from a Codex rollout", () => {
  it("emits a call with its result, the time of the call and the client's measured duration", () => {
    const rollout = new CodexRollout().turn("turn-1", "fix the crash").call("call_abc", "ls /x");
    const call = {
      v: 1,
      project: "default",
      session_id: "thread-1",
      agent_id: "root",
      source: "transcript",
      occurred_at: NOON + 2000,
      seen_at: NOON,
      live: false,
      provider: "openai",
      client: "codex",
      api: "responses",
      tool_call_id: "call_abc",
      place: { kind: "exact", n: 0 },
      name: "exec_command",
      arguments: '{"cmd":"ls /x"}',
      model: "gpt-test",
      turn: "call_abc",
      turn_index: 0,
      prompt: "turn-1",
      workflow: "bug_fix",
    };
    expect(calls(rollout)).toEqual([call]);
    rollout.output("call_abc", exited(0, "a"));
    const more = { turnaround_ms: 1000, execution_time_ms: 51, result: { content: exited(0, "a") } };
    expect(calls(rollout)).toEqual([{ ...call, ...more }]);
  });

  it("assigns all calls before the next result to one turn", () => {
    const rollout = new CodexRollout()
      .call("call_a")
      .item({ type: "reasoning", summary: [] })
      .call("call_b")
      .output("call_b")
      .output("call_a")
      .call("call_c");
    const turns = Object.fromEntries(calls(rollout).map((one) => [one.tool_call_id, [one.turn, one.turn_index]]));
    expect(turns).toEqual({ call_a: ["call_a", 0], call_b: ["call_a", 1], call_c: ["call_c", 0] });
  });

  it("classifies results by exit status, field or wording in every known rollout format", () => {
    const rollout = new CodexRollout()
      .call("call_a")
      .output("call_a", exited(3, "boom"))
      .item({ type: "function_call", name: "shell", arguments: '{"command":["false"]}', call_id: "call_b" })
      .output("call_b", '{"output":"","metadata":{"exit_code":1,"duration_seconds":0.4}}')
      .item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "call_c" })
      .item({
        type: "custom_tool_call_output",
        call_id: "call_c",
        output: "apply_patch verification failed: no such line",
      })
      .item({
        type: "local_shell_call",
        call_id: "call_d",
        status: "completed",
        action: { type: "exec", command: ["ls"] },
      })
      .output("call_d", { content: "it broke", success: false })
      .item({ type: "function_call", name: "search", namespace: "mcp__docs__", arguments: "{}", call_id: "call_e" })
      .output("call_e", [{ type: "input_text", text: "three pages found" }])
      .call("call_f")
      .output("call_f", "exec command rejected by user");
    expect(outcomes(rollout)).toEqual([
      ["exec_command", "failed", "run", "exit_code", 3],
      ["shell", "failed", "run", "exit_code", 1],
      ["apply_patch", "failed", "call", "precondition", undefined],
      ["local_shell", "failed", "run", "error", undefined],
      ["mcp__docs__search", "ok", undefined, undefined, undefined],
      ["exec_command", "failed", "gate", "cancelled", undefined],
    ]);
    expect(
      calls(rollout).find(({ tool_call_id, result }) => tool_call_id === "call_b" && result)?.execution_time_ms,
    ).toBe(400);
  });

  it("takes durations from the client's events, and ignores events of unknown calls", () => {
    const end = (id: string): object => ({ type: "exec_command_end", call_id: id, duration: { secs: 1, nanos: 5e8 } });
    const rollout = new CodexRollout().call("call_a");
    rollout.line("event_msg", end("call_a") as Record<string, unknown>);
    rollout.line("event_msg", end("exec-inner-1") as Record<string, unknown>);
    expect(calls(rollout).map((one) => [one.tool_call_id, one.execution_time_ms])).toEqual([["call_a", 1500]]);
  });

  it("reads the bare items of 2025 in file order", () => {
    const lines = [
      { id: "old-1", timestamp: "2025-07-01T10:00:00Z", instructions: null },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>x" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "fix it" }] },
      { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "call_a" },
      { type: "function_call_output", call_id: "call_a", output: '{"output":"","metadata":{"exit_code":2}}' },
    ];
    expect(lines.map((line) => kindOfLine(line))[0]).toBe("codex");
    const observations = calls({ lines: lines.map((line) => JSON.stringify(line)) });
    const start = Date.UTC(2025, 6, 1, 10);
    expect(observations).toMatchObject([
      { session_id: "old-1", name: "shell", prompt: "1", occurred_at: start + 3, turnaround_ms: 1, result: {} },
    ]);
  });
});

describe("the session and agent of a call in a Codex rollout", () => {
  const owner = (rollout: CodexRollout): unknown =>
    calls(rollout).map((one) => [one.tool_call_id, one.session_id, one.agent_id]);

  it.each([
    ["its session", { id: "t2", session_id: "t1" }],
    ["its parent", { id: "t2", parent_thread_id: "t1" }],
    ["how it was spawned", { id: "t2", source: { subagent: { thread_spawn: { parent_thread_id: "t1" } } } }],
  ])("a call belongs to a subagent if the file names %s", (_what, meta) => {
    expect(owner(new CodexRollout(meta).call("call_a"))).toEqual([["call_a", "t1", "t2"]]);
  });

  it("calls in copied lines belong to the origin, until a turn is newer than the fork", () => {
    const fork = idAt(NOON);
    const rollout = new CodexRollout({ id: fork, forked_from_id: "origin" })
      .line("session_meta", { id: "origin" }, 1)
      .turn(idAt(NOON - 60_000), "long ago", "gpt-test", 1)
      .call("call_old", "ls", 1)
      .output("call_old", "x", 5000)
      .turn(idAt(NOON + 9000), "now")
      .call("call_new");
    expect(owner(rollout)).toEqual([
      ["call_old", "origin", "root"],
      ["call_new", fork, "root"],
    ]);
  });

  it("calls belong to the fork after a pause if turn ids have no time, and when nothing was copied", () => {
    const paused = new CodexRollout({ id: "f", forked_from_id: "origin" })
      .call("call_old", "ls", 20)
      .call("call_new", "ls", 4000);
    expect(owner(paused)).toEqual([
      ["call_old", "origin", "root"],
      ["call_new", "f", "root"],
    ]);
    const fresh = new CodexRollout({ id: idAt(NOON), forked_from_id: "origin" })
      .turn(idAt(NOON + 1), "x", "m", 1)
      .call("call_a", "ls", 1);
    expect(owner(fresh)).toEqual([["call_a", idAt(NOON), "root"]]);
  });

  it("calls before the session line are skipped", () => {
    expect(calls({ lines: new CodexRollout().call("call_a").lines.slice(1) })).toEqual([]);
  });
});

describe("user prompts in a Codex rollout", () => {
  it("prompts get the client's turn id or a number, and their text is not stored by default", () => {
    const observations = rawObservations(
      new CodexRollout().turn("turn-1", "SECRET").turn(undefined, "SECRET too").lines,
    );
    expect(
      observations.map(
        (one) => one.kind === "observation" && one.observation.kind === "prompt" && one.observation.prompt,
      ),
    ).toEqual(["turn-1", "turn-1"]);
    const observer = new CallObserver({ capture: "errors", salt: "s" });
    const stored = observations.flatMap((one) => (one.kind === "observation" ? [observer.admit(one.observation)] : []));
    expect(JSON.stringify(stored)).not.toContain("SECRET");
    const numbered = rawObservations(new CodexRollout().turn(undefined, "a").turn(undefined, "b").lines);
    expect(numbered.map((one) => one.kind === "observation" && one.observation)).toMatchObject([
      { prompt: "1" },
      { prompt: "2" },
    ]);
  });
});

describe("user prompts that are only messages of the history", () => {
  const message = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });

  it("prompts in the history are read once per turn, without what the client wrote", () => {
    const rollout = new CodexRollout()
      .line("turn_context", { turn_id: "t1", model: "m" })
      .item(message("<environment_context>\n<cwd>/srv</cwd>\n</environment_context>"))
      .item(message("Fix the crash"))
      .line("turn_context", { turn_id: "t2", model: "m" })
      .item(message("Now add a test"));
    expect(promptsIn(rollout)).toEqual(["t1", "t2"]);
  });

  it("prompts in the history are not read a second time where the client also writes events", () => {
    const rollout = new CodexRollout()
      .line("turn_context", { turn_id: "t1", model: "m" })
      .item(message("Fix the crash"))
      .line("event_msg", { type: "user_message", message: "Fix the crash" })
      .line("turn_context", { turn_id: "t2", model: "m" })
      .line("event_msg", { type: "user_message", message: "Now add a test" })
      .item(message("Now add a test"));
    expect(promptsIn(rollout)).toEqual(["t1", "t2"]);
  });

  function promptsIn(rollout: CodexRollout): readonly unknown[] {
    const reader = new CodexReader({ project: "default", seenAt: NOON, isLive: () => false, fallbackTime: NOON });
    return rollout.lines
      .flatMap((line) => reader.push(JSON.parse(line)))
      .flatMap((raw) =>
        raw.kind === "observation" && raw.observation.kind === "prompt" ? [raw.observation.prompt] : [],
      );
  }
});

describe("reading tokens from a Codex rollout", () => {
  const usageOf = ({ lines }: CodexRollout): readonly unknown[] =>
    rawObservations(lines).flatMap((one) =>
      one.kind === "observation" && one.observation.kind === "usage"
        ? [[one.observation.turn, one.observation.model, one.observation.usage]]
        : [],
    );
  const tokenCount = (input: number, total: number): { readonly [name: string]: unknown } => ({
    type: "token_count",
    info: {
      last_token_usage: {
        ...{ input_tokens: input, cached_input_tokens: 8, output_tokens: 5, reasoning_output_tokens: 3 },
        total_tokens: input + 5,
      },
      total_token_usage: { total_tokens: total },
    },
    rate_limits: null,
  });
  const tokens = (input: number): object => ({
    ...{ input_tokens: input, output_tokens: 5, cached_tokens: 8, reasoning_tokens: 3 },
  });

  it("tokens of each response are emitted, with the turn of its calls", () => {
    const rollout = new CodexRollout().turn("turn-1", "fix it").call("call_a").call("call_b");
    rollout.line("event_msg", tokenCount(10, 15)).output("call_a").output("call_b");
    rollout.call("call_c").output("call_c").line("event_msg", tokenCount(20, 40));
    rollout.line("event_msg", tokenCount(30, 75));
    expect(usageOf(rollout)).toEqual([
      ["call_a", "gpt-test", tokens(10)],
      ["call_c", "gpt-test", tokens(20)],
      [undefined, "gpt-test", tokens(30)],
    ]);
  });

  it("a line that repeats the total, and one without counts, have no tokens", () => {
    const rollout = new CodexRollout().turn("turn-1", "fix it").line("event_msg", { type: "token_count", info: null });
    rollout.line("event_msg", tokenCount(10, 15)).call("call_a").line("event_msg", tokenCount(10, 15));
    rollout.line("event_msg", tokenCount(20, 40));
    expect(usageOf(rollout)).toEqual([
      [undefined, "gpt-test", tokens(10)],
      ["call_a", "gpt-test", tokens(20)],
    ]);
  });
});
