import { describe, expect, it } from "vitest";
import { bash, ClaudeTranscript, type ClaudeTranscriptOptions } from "../../../test/support/claude-transcript.ts";
import { NOON } from "../../../test/support/observations.ts";
import { CallObserver, type RawCallObservation } from "../../ingest/observe/observe-call.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import type { RawTranscriptObservation, ReaderMemory } from "./transcript-reader.ts";

const context = { project: "default", seenAt: NOON, isLive: () => false, fallbackTime: NOON };

function rawObservations(transcript: ClaudeTranscript): readonly RawTranscriptObservation[] {
  const reader = new ClaudeCodeReader(context);
  const observations = transcript.lines.flatMap((line) =>
    reader.isRelevant(Buffer.from(line)) ? reader.push(JSON.parse(line) as Record<string, unknown>) : [],
  );
  return [...observations, ...reader.open()];
}

const calls = (transcript: ClaudeTranscript): readonly RawCallObservation[] =>
  rawObservations(transcript).flatMap((one) => (one.kind === "call" ? [one.call] : []));

const transcriptOf = (options?: ClaudeTranscriptOptions): ClaudeTranscript => new ClaudeTranscript(options);

it("the name of the folder and the branch are observed when they change, but not those of a subagent", () => {
  const at = { sessionId: "s1", timestamp: new Date(NOON).toISOString(), message: { role: "user", content: "go" } };
  const reader = new ClaudeCodeReader(context);
  const folders = [
    { ...at, type: "user", cwd: "/home/ann/shop", gitBranch: "main" },
    { ...at, type: "user", cwd: "/home/ann/shop", gitBranch: "main" },
    { ...at, type: "user", cwd: "/tmp/elsewhere", gitBranch: "main", isSidechain: true },
    { ...at, type: "user", cwd: "/home/ann/shop", gitBranch: "fix-login" },
    { ...at, type: "user", gitBranch: "" },
  ].flatMap((line) =>
    reader.push(line).filter((one) => one.kind === "observation" && one.observation.kind === "session"),
  );
  expect(folders).toMatchObject([
    { observation: { event: "started", folder: "shop", branch: "main" } },
    { observation: { event: "started", folder: "shop", branch: "fix-login" } },
  ]);
  expect(JSON.stringify(reader.memory())).not.toContain("shop");
});

describe("reading calls from a Claude Code transcript", () => {
  it("emits a call with its result and the time of the call", () => {
    const transcript = transcriptOf()
      .prompt("fix the crash")
      .calls([bash("toolu_a", "ls /x")]);
    const call = {
      v: 1,
      project: "default",
      session_id: "5e551011-0000-4000-8000-000000000001",
      agent_id: "root",
      source: "transcript",
      occurred_at: NOON + 2000,
      seen_at: NOON,
      live: false,
      provider: "anthropic",
      client: "claude-code",
      api: "anthropic",
      tool_call_id: "toolu_a",
      place: { kind: "exact", n: 0 },
      name: "Bash",
      arguments: { command: "ls /x" },
      model: "claude-test-5",
      turn: "toolu_a",
      turn_index: 0,
      prompt: "prompt-1",
      workflow: "bug_fix",
    };
    expect(calls(transcript)).toEqual([call]);
    transcript.ok("toolu_a", "a b");
    expect(calls(transcript)).toEqual([{ ...call, turnaround_ms: 1000, result: { content: "a b" } }]);
  });

  it("assigns all calls of a message to one turn, even with a result in between", () => {
    const transcript = transcriptOf()
      .calls([bash("toolu_a")], "m1")
      .ok("toolu_a")
      .calls([bash("toolu_b"), bash("toolu_c")], "m1")
      .ok("toolu_c")
      .ok("toolu_b")
      .calls([bash("toolu_d")], "m2");
    const turns = Object.fromEntries(calls(transcript).map((one) => [one.tool_call_id, [one.turn, one.turn_index]]));
    expect(turns).toEqual({
      toolu_a: ["toolu_a", 0],
      toolu_b: ["toolu_a", 1],
      toolu_c: ["toolu_a", 2],
      toolu_d: ["toolu_d", 0],
    });
  });

  it("treats a repeated random id as the same call and a repeated reusable id as a new one", () => {
    const twice = transcriptOf()
      .calls([bash("toolu_a1b2")], "m1")
      .calls([bash("toolu_a1b2")], "m2")
      .ok("toolu_a1b2");
    expect(calls(twice).map(({ place }) => place)).toEqual(Array(2).fill({ kind: "exact", n: 0 }));
    const counter = transcriptOf()
      .calls([bash("call_0")], "m1")
      .ok("call_0")
      .calls([bash("call_0")], "m2")
      .ok("call_0");
    expect(calls(counter).map(({ place }) => (place.kind === "exact" ? place.n : -1))).toEqual([0, 1]);
  });

  it("finds several calls in one line, as in older files", () => {
    const blocks = ["toolu_a", "toolu_b"].map((id) => ({ type: "tool_use", id, name: "x", input: {} }));
    const line = { type: "assistant", sessionId: "s", message: { id: "m1", content: blocks } };
    expect(
      calls(transcriptOf().raw(JSON.stringify(line))).map((one) => [one.tool_call_id, one.turn, one.turn_index]),
    ).toEqual([
      ["toolu_a", "toolu_a", 0],
      ["toolu_b", "toolu_a", 1],
    ]);
  });

  it("numbers the turn when the id of its first call is reused", () => {
    const transcript = transcriptOf()
      .calls([bash("call_0"), bash("call_1")], "m1")
      .ok("call_0")
      .calls([bash("call_0"), bash("call_1")], "m2");
    expect(calls(transcript).map(({ turn }) => turn)).toEqual(["call_0", "call_0", "call_0/1", "call_0/1"]);
  });

  it("assigns a subagent's call to the subagent and to the caller's prompt", () => {
    const transcript = transcriptOf({ agent: "a0123456789abcdef" })
      .prompt("look there")
      .calls([bash("toolu_a")]);
    expect(calls(transcript)).toMatchObject([{ agent_id: "a0123456789abcdef", prompt: "prompt-1" }]);
    expect(rawObservations(transcript)).toHaveLength(1);
  });

  it("assigns a call that a fork copied to the original session", () => {
    const fork = transcriptOf();
    fork.calls([bash("toolu_a")]);
    const line = { ...(JSON.parse(fork.lines[0] as string) as object), forkedFrom: { sessionId: "origin-1" } };
    expect(calls(transcriptOf().raw(JSON.stringify(line)))).toMatchObject([{ session_id: "origin-1" }]);
  });

  it("sets a duration only if the tool measured it", () => {
    const transcript = transcriptOf()
      .calls([bash("toolu_a"), bash("toolu_b"), bash("toolu_c")])
      .ok("toolu_a", "x", { toolUseResult: { durationMs: 41 } })
      .ok("toolu_b", "x", { toolUseResult: { totalDurationMs: 5000 } })
      .ok("toolu_c", "x", { toolUseResult: { durationMs: -1, stdout: "" } });
    expect(calls(transcript).map((one) => one.execution_time_ms)).toEqual([41, 5000, undefined]);
  });

  it("emits a call without a name if the transcript contains only its result", () => {
    expect(calls(transcriptOf().failed("toolu_gone", "Exit code 1"))).toMatchObject([
      { tool_call_id: "toolu_gone", place: { kind: "exact", n: 0 }, result: { is_error: true } },
    ]);
  });
});

describe("the phase of a failed call in a Claude Code transcript", () => {
  const phases = (transcript: ClaudeTranscript): readonly unknown[] => {
    const observer = new CallObserver({ capture: "none", salt: "s" });
    return calls(transcript).flatMap((call) => {
      const outcome = observer.observe(call).result?.outcome;
      return outcome === undefined ? [] : [[outcome.status, outcome.phase, outcome.category]];
    });
  };

  it("the phase follows the permission decisions in the transcript, not the text", () => {
    const transcript = transcriptOf()
      .calls([bash("toolu_a"), bash("toolu_b"), bash("toolu_c"), bash("toolu_d")])
      .ok("toolu_a")
      .failed("toolu_b", "policy says no", "reject")
      .failed("toolu_c", "policy says no", "none")
      .failed("toolu_d", "policy says no", "accept");
    expect(phases(transcript).map((one) => (one as string[]).slice(0, 2))).toEqual([
      ["ok", undefined],
      ["failed", "gate"],
      ["failed", "call"],
      ["failed", "run"],
    ]);
    expect(phases(transcript)[1]).toEqual(["failed", "gate", "permission_denied"]);
  });

  it("the phase follows the text if the client version writes no permission decisions", () => {
    const transcript = transcriptOf({ decides: false })
      .calls([bash("toolu_a"), bash("toolu_b"), bash("toolu_c")])
      .failed("toolu_a", "<tool_use_error>Error: No such tool available: Bsh</tool_use_error>")
      .failed("toolu_b", "Permission to use Bash with command x has been denied.")
      .failed("toolu_c", "Exit code 2\nls: cannot access 'x': No such file or directory");
    expect(phases(transcript)).toEqual([
      ["failed", "call", "unknown_tool"],
      ["failed", "gate", "permission_denied"],
      ["failed", "run", "not_found"],
    ]);
  });
});

describe("user prompts in a Claude Code transcript", () => {
  const prompts = (transcript: ClaudeTranscript): readonly unknown[] =>
    rawObservations(transcript).flatMap((one) =>
      one.kind === "observation" && one.observation.kind === "prompt" ? [one.observation.prompt] : [],
    );

  it("prompts get the client's id or a number, and their text is stored only if texts are captured", () => {
    expect(prompts(transcriptOf().prompt("fix it").prompt("and this"))).toEqual(["prompt-1", "prompt-3"]);
    expect(prompts(transcriptOf({ promptIds: false }).prompt("fix it").prompt("and this"))).toEqual(["1", "2"]);
    const stored = (capture: "errors" | "full"): string => {
      const observer = new CallObserver({ capture, salt: "s" });
      return JSON.stringify(
        rawObservations(transcriptOf().prompt("PRIVATE WORDS")).flatMap((one) =>
          one.kind === "observation" ? [observer.admit(one.observation)] : [],
        ),
      );
    };
    expect(stored("errors")).not.toContain("PRIVATE");
    expect(stored("full")).toContain("PRIVATE WORDS");
  });

  it("messages that the client wrote in the user's role are no prompts", () => {
    const transcript = transcriptOf()
      .prompt("<task-notification>\n<task-id>x</task-id>")
      .prompt("[Request interrupted by user]")
      .prompt("a summary", { isCompactSummary: true })
      .prompt("a reminder", { isMeta: true });
    expect(prompts(transcript)).toEqual([]);
  });
});

describe("unexpected lines in a Claude Code transcript", () => {
  it.each([
    ["no session", { type: "assistant", message: { content: [{ type: "tool_use", id: "t", name: "x" }] } }],
    ["a session id that is a path", { type: "user", sessionId: "../../x", message: { content: "hi" } }],
    ["an unknown type", { type: "progress", sessionId: "s", data: { message: { type: "tool_use" } } }],
    ["no message", { type: "assistant", sessionId: "s" }],
    [
      "blocks that are not objects",
      { type: "assistant", sessionId: "s", message: { content: [null, 1, "tool_use", []] } },
    ],
    [
      "a call without an id",
      { type: "assistant", sessionId: "s", message: { content: [{ type: "tool_use", id: 7 }] } },
    ],
    ["a result without an id", { type: "user", sessionId: "s", message: { content: [{ type: "tool_result" }] } }],
  ])("skips a line with %s", (_what, line) => {
    expect(new ClaudeCodeReader(context).push(line)).toEqual([]);
  });

  it("accepts property names of Object.prototype as agent and call ids", () => {
    const transcript = transcriptOf({ agent: "constructor" })
      .failed("toString", "x")
      .calls([bash("__proto__")], "m1")
      .ok("__proto__");
    const reader = new ClaudeCodeReader(context);
    const observations = transcript.lines.flatMap((line) => reader.push(JSON.parse(line) as Record<string, unknown>));
    expect(observations).toMatchObject([
      { call: { tool_call_id: "toString" } },
      { call: { tool_call_id: "__proto__", result: {} } },
    ]);
    expect(reader.isSettled).toBe(true);
    expect(new ClaudeCodeReader(context, JSON.parse(JSON.stringify(reader.memory())) as ReaderMemory).isSettled).toBe(
      true,
    );
  });

  it("lines without a timestamp get the time of the line before, or of the file", () => {
    const line = (id: string, timestamp: unknown): Record<string, unknown> => ({
      type: "assistant",
      sessionId: "s",
      timestamp,
      message: { id: "m1", content: [{ type: "tool_use", id, name: "x", input: {} }] },
    });
    const reader = new ClaudeCodeReader({ ...context, fallbackTime: 5 });
    for (const one of [line("a", undefined), line("b", "1970-01-01T00:00:09Z"), line("c", "yesterday")])
      reader.push(one);
    const times = reader.open().map((one) => (one.kind === "call" ? one.call.occurred_at : -1));
    expect(times).toEqual([5, 9000, 9000]);
  });
});

describe("reading tokens from a Claude Code transcript", () => {
  const usageOf = (transcript: ClaudeTranscript): readonly unknown[] =>
    rawObservations(transcript).flatMap((one) =>
      one.kind === "observation" && one.observation.kind === "usage"
        ? [[one.observation.response_id, one.observation.turn, one.observation.model, one.observation.usage]]
        : [],
    );
  const line = (id: string, block: object, usage: object, model = "claude-test-5"): object => ({
    ...{ type: "assistant", timestamp: new Date(NOON).toISOString() },
    message: { id, type: "message", role: "assistant", model, content: [block], usage },
  });
  const text = { type: "text", text: "I look." };
  const call = { type: "tool_use", id: "toolu_a", name: "Bash", input: {} };
  const usage = { input_tokens: 10, cache_read_input_tokens: 700, cache_creation_input_tokens: 90, output_tokens: 25 };

  it("tokens are emitted once for all lines of a message, and again when the line with the call names its turn", () => {
    const transcript = transcriptOf();
    for (const block of [text, text, call, call]) transcript.other({ ...line("msg_1", block, usage) });
    const expected = { input_tokens: 800, output_tokens: 25, cached_tokens: 700, cache_write_tokens: 90 };
    expect(usageOf(transcript)).toEqual([
      ["msg_1", undefined, "claude-test-5", expected],
      ["msg_1", "toolu_a", "claude-test-5", expected],
    ]);
  });

  it("tokens of a message without calls are emitted", () => {
    const transcript = transcriptOf().other({ ...line("msg_2", text, { input_tokens: 3, output_tokens: 1 }) });
    expect(usageOf(transcript)).toEqual([["msg_2", undefined, "claude-test-5", { input_tokens: 3, output_tokens: 1 }]]);
  });

  it("messages that the client wrote itself have no tokens", () => {
    const none = { input_tokens: 0, output_tokens: 0 };
    expect(usageOf(transcriptOf().other({ ...line("msg_3", text, none, "<synthetic>") }))).toEqual([]);
  });
});
