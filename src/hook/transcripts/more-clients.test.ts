import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { type Checkpoint, kindOfLine, readTranscript, type TranscriptBatch } from "./read-transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "toolmend-more-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = { project: "default", seenAt: NOON, isLive: () => false };
const observer = new CallObserver({ capture: "errors", salt: "s" });
const at = (seconds: number): string => new Date(NOON + seconds * 1000).toISOString();
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function batches(path: string, from?: Checkpoint): Promise<readonly TranscriptBatch[]> {
  const all: TranscriptBatch[] = [];
  for await (const batch of readTranscript({ path, context, from, chunkBytes: 200 })) all.push(batch);
  return all;
}

/**
 * Every call as `session/agent model name status category ms`, every prompt as its workflow, every usage as its sum.
 */
async function told(path: string): Promise<readonly string[]> {
  return (await batches(path)).flatMap(({ rawObservations }) =>
    rawObservations.map((raw) => {
      const observation = raw.kind === "call" ? observer.observe(raw.call) : raw.observation;
      const who = `${observation.client} ${observation.session_id}/${observation.agent_id}`;
      switch (observation.kind) {
        case "call": {
          const { status, category, exit_code } = observation.result?.outcome ?? { status: "open" };
          const more = [category, exit_code, observation.execution_time_ms].filter((part) => part !== undefined);
          return [who, observation.model, observation.tool_call_id, observation.name, status, ...more].join(" ");
        }
        case "usage":
          return `${who} ${observation.usage.input_tokens}+${observation.usage.output_tokens}`;
        default:
          return `${who} ${observation.kind}`;
      }
    }),
  );
}

const PI = lines(
  { type: "session", version: 3, id: "s-pi", timestamp: at(0), cwd: "/srv" },
  {
    type: "message",
    id: "a1",
    parentId: null,
    timestamp: at(1),
    message: { role: "user", content: [{ type: "text", text: "Fix it" }] },
  },
  {
    ...{ type: "message", id: "a2", parentId: "a1", timestamp: at(2) },
    message: {
      ...{ role: "assistant", model: "m", provider: "local", responseId: "r1" },
      content: [
        { type: "toolCall", id: "call_pi1", name: "bash", arguments: { command: "make" } },
        { type: "toolCall", id: "call_pi2", name: "read", arguments: { path: "a" } },
      ],
      usage: { input: 10, output: 2, cacheRead: 5, cacheWrite: 0 },
    },
  },
  {
    ...{ type: "message", id: "a3", parentId: "a2", timestamp: at(3) },
    message: {
      role: "toolResult",
      toolCallId: "call_pi1",
      content: [{ type: "text", text: "bent\n\nCommand exited with code 2" }],
      isError: true,
    },
  },
  {
    ...{ type: "message", id: "a4", parentId: "a3", timestamp: at(4) },
    message: { role: "toolResult", toolCallId: "call_pi2", content: [{ type: "text", text: "line" }], isError: false },
  },
);

describe("tokens that a client writes before the calls of their response", () => {
  const session = { type: "session.start", data: { sessionId: "s-early" }, timestamp: at(0) };
  const tokens = {
    ...{ type: "session.usage_record", timestamp: at(1) },
    data: { usage: { inputTokens: 7, outputTokens: 3, apiCallId: "r1" } },
  };
  const call = {
    ...{ type: "assistant.message", timestamp: at(2) },
    data: { messageId: "m", toolRequests: [{ toolCallId: "call_a1b2", name: "bash", arguments: {} }] },
  };
  const turns = async (path: string): Promise<readonly (string | undefined)[]> =>
    (await batches(path)).flatMap(({ rawObservations }) =>
      rawObservations.flatMap((raw) =>
        raw.kind === "observation" && raw.observation.kind === "usage" ? [raw.observation.turn] : [],
      ),
    );

  it("tokens before their calls belong to the turn of these calls", async () => {
    expect(await turns(write("early.jsonl", lines(session, tokens, call)))).toEqual(["call_a1b2"]);
  });

  it("tokens before their calls are reported without a turn if there are no calls", async () => {
    expect(await turns(write("no-calls.jsonl", lines(session, tokens)))).toEqual([undefined]);
  });
});

describe("a transcript of pi", () => {
  it("a transcript of pi gives its prompt, calls with their outcomes, and tokens", async () => {
    expect(await told(write("pi.jsonl", PI))).toEqual([
      "pi s-pi/root prompt",
      "pi s-pi/root 15+2",
      "pi s-pi/root m call_pi1 bash failed exit_code 2",
      "pi s-pi/root m call_pi2 read ok",
    ]);
  });

  it("a transcript of pi can be read on from its checkpoint", async () => {
    const path = write("pi-grown.jsonl", PI);
    const checkpoint = (await batches(path)).at(-1)?.checkpoint;
    const more = lines({
      type: "message",
      id: "a5",
      parentId: "a4",
      timestamp: at(5),
      message: {
        role: "assistant",
        model: "m",
        content: [{ type: "toolCall", id: "call_pi3", name: "bash", arguments: {} }],
      },
    });
    writeFileSync(path, more, { flag: "a" });
    const grown = (await batches(path, checkpoint)).flatMap(({ rawObservations }) => rawObservations);
    expect(grown).toMatchObject([
      { kind: "call", call: { session_id: "s-pi", tool_call_id: "call_pi3", turn: "call_pi3" } },
    ]);
  });
});

it("a transcript of Copilot gives exit codes beside a success, and calls of subagents", async () => {
  const event = (type: string, data: object, more: object = {}) => ({
    type,
    data,
    id: type,
    timestamp: at(1),
    ...more,
  });
  const path = write(
    "events.jsonl",
    lines(
      event("session.start", { sessionId: "s-co", selectedModel: "m", producer: "copilot-agent" }),
      event("user.message", { content: "Fix it", interactionId: "i1" }),
      event("user.message", {
        content: "<system_notification>\nShell done\n</system_notification>",
        interactionId: "i1",
      }),
      event("assistant.message", {
        messageId: "m1",
        model: "m",
        toolRequests: [{ toolCallId: "call_co1", name: "bash", arguments: { command: "make" } }],
      }),
      event("tool.execution_complete", {
        toolCallId: "call_co1",
        success: true,
        shellExecution: { exitCode: 4 },
        result: { content: "bent" },
      }),
      event(
        "assistant.message",
        { messageId: "m2", model: "m", toolRequests: [{ toolCallId: "call_co2", name: "view", arguments: {} }] },
        { agentId: "sub-1" },
      ),
      event(
        "tool.execution_complete",
        { toolCallId: "call_co2", success: false, error: { message: '"path": Required', code: "failure" } },
        { agentId: "sub-1" },
      ),
      event("session.usage_record", { usage: { inputTokens: 7, outputTokens: 3 } }),
    ),
  );
  expect(await told(path)).toEqual([
    "copilot s-co/root prompt",
    "copilot s-co/root m call_co1 bash failed exit_code 4",
    "copilot s-co/sub-1 m call_co2 view failed invalid_arguments",
    "copilot s-co/root 7+3",
  ]);
});

it("a transcript of Gemini CLI gives calls under their ids on the wire, once although their message is written twice", async () => {
  const message = {
    id: "g1",
    timestamp: at(2),
    type: "gemini",
    content: "",
    model: "g",
    tokens: { input: 9, output: 1, thoughts: 2, cached: 0 },
  };
  const call = (id: string, name: string, response: object, status: string) => ({
    ...{ id: `${name}__${id}`, name, args: { command: "frob" }, status, timestamp: at(3) },
    result: [{ functionResponse: { id: `${name}__${id}`, name, response } }],
  });
  const block = "<untrusted_context>\nOutput: bent\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>";
  const path = write(
    "session-g.jsonl",
    lines(
      { sessionId: "s-ge", projectHash: "h", startTime: at(0), lastUpdated: at(0), kind: "main" },
      { id: "u0", timestamp: at(0), type: "user", content: [{ text: "<session_context>\nToday\n</session_context>" }] },
      { id: "u1", timestamp: at(1), type: "user", content: [{ text: "Fix it" }] },
      message,
      { $set: { lastUpdated: at(3) } },
      {
        ...message,
        toolCalls: [
          call("call_ge1", "run_shell_command", { output: block }, "success"),
          call("call_ge2", "read_file", { error: "File not found: /a" }, "error"),
        ],
      },
      {
        id: "u2",
        timestamp: at(4),
        type: "user",
        content: [{ functionResponse: { id: "x", response: { output: "" } } }],
      },
    ),
  );
  expect(await told(path)).toEqual([
    "gemini-cli s-ge/root prompt",
    "gemini-cli s-ge/root 9+3",
    "gemini-cli s-ge/root g call_ge1 run_shell_command failed exit_code 3",
    "gemini-cli s-ge/root g call_ge2 read_file failed not_found",
  ]);
});

describe("a transcript of Qwen Code", () => {
  const line = (type: string, more: object) => ({
    ...{ uuid: `u-${type}`, parentUuid: null, sessionId: "s-qw", timestamp: at(1), cwd: "/srv", version: "0.24.4" },
    ...{ type, provenance: type === "user" ? "real_user" : type, ...more },
  });
  const block = (code: number) =>
    `Command: frob\nDirectory: (root)\nOutput: bent\nError: (none)\nExit Code: ${code}\nSignal: (none)`;

  it("a transcript of Qwen Code is not taken for one of Claude Code, although its lines have the same fields", () => {
    expect(kindOfLine(line("user", { message: { role: "user", parts: [] } }))).toBe("qwen-code");
    expect(kindOfLine({ type: "user", sessionId: "s", uuid: "u", message: { role: "user", content: "x" } })).toBe(
      "claude-code",
    );
  });

  it("a transcript of Qwen Code gives the status and the duration that only it contains", async () => {
    const path = write(
      "qwen.jsonl",
      lines(
        line("user", { message: { role: "user", parts: [{ text: "Fix it" }] } }),
        line("user", { provenance: "system", message: { role: "user", parts: [{ text: "a reminder" }] } }),
        line("assistant", {
          model: "q",
          message: {
            role: "model",
            parts: [{ functionCall: { id: "call_qw1", name: "run_shell_command", args: { command: "frob" } } }],
          },
          usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2 },
        }),
        line("system", {
          subtype: "ui_telemetry",
          systemPayload: { uiEvent: { "event.name": "qwen-code.tool_call", call_id: "call_qw1", duration_ms: 35 } },
        }),
        line("tool_result", {
          message: {
            role: "user",
            parts: [{ functionResponse: { id: "call_qw1", name: "run_shell_command", response: { error: block(2) } } }],
          },
          toolCallResult: { callId: "call_qw1", status: "error" },
        }),
      ),
    );
    expect(await told(path)).toEqual([
      "qwen-code s-qw/root prompt",
      "qwen-code s-qw/root 8+2",
      "qwen-code s-qw/root q call_qw1 run_shell_command failed exit_code 2 35",
    ]);
  });
});

it("a document of Cline gives a call that failed although it has no flag", async () => {
  const document = {
    ...{ version: 1, updated_at: at(9), agent: "lead", sessionId: "1_ab", origin: { source: "cli" } },
    messages: [
      {
        id: "m0",
        role: "user",
        content: [{ type: "text", text: '<user_input mode="act">Fix it</user_input>' }],
        ts: NOON,
      },
      {
        id: "m1",
        role: "assistant",
        content: [{ type: "tool_use", id: "call_cl1", name: "run_commands", input: { commands: ["make"] } }],
        ts: NOON + 1000,
        modelInfo: { id: "c", provider: "local" },
        metrics: { inputTokens: 4, outputTokens: 1 },
      },
      {
        id: "m2",
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_cl1",
            content: [
              {
                query: "make",
                result: "[Command exited with code 2]\n\n[stderr]\nbent\n",
                error: "Command exited with code 2",
                success: false,
              },
            ],
          },
        ],
        ts: NOON + 2000,
      },
    ],
  };
  expect(await told(write("1_ab.messages.json", JSON.stringify(document)))).toEqual([
    "cline 1_ab/root prompt",
    "cline 1_ab/root 4+1",
    "cline 1_ab/root c call_cl1 run_commands failed exit_code 2",
  ]);
});

describe("a document of Continue", () => {
  const state = (id: string, status: string, content: string) => ({
    ...{ toolCallId: id, status, output: [{ content, name: "Tool Result" }] },
    toolCall: { id, type: "function", function: { name: "Bash", arguments: '{"command":"make"}' } },
  });
  const document = {
    ...{ sessionId: "s-cn", title: "t", workspaceDirectory: "/srv" },
    history: [
      { message: { role: "user", content: "Fix it" }, contextItems: [] },
      {
        message: { role: "assistant", content: "", usage: { prompt_tokens: 6, completion_tokens: 1, model: "k" } },
        toolCallStates: [
          state("call_cn1", "errored", "Error executing tool Bash: Error (exit code 2): bent"),
          state("call_cn2", "done", "fine"),
        ],
      },
    ],
  };

  it("a document of Continue gives its calls in order although it has no times", async () => {
    expect(await told(write("continue.json", JSON.stringify(document, null, 2)))).toEqual([
      "continue s-cn/root prompt",
      "continue s-cn/root k call_cn1 Bash failed exit_code 2",
      "continue s-cn/root k call_cn2 Bash unknown",
      "continue s-cn/root 6+1",
    ]);
  });

  it("a document of Continue is unfinished if the client is just writing it, and other JSON is not a transcript", async () => {
    const half = await batches(write("half.json", JSON.stringify(document).slice(0, -20)));
    expect(half).toMatchObject([{ kind: undefined, unfinished: true, rawObservations: [] }]);
    const other = await batches(write("other.json", '{"sessionId":"x"}'));
    expect(other).toMatchObject([{ kind: undefined, unfinished: false, rawObservations: [] }]);
  });
});

it("the database of opencode gives exit codes, real names of invalid calls, and durations", async () => {
  const path = join(folder, "opencode.db");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)");
  database.exec("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT)");
  const message = database.prepare("INSERT INTO message VALUES (?, 'ses_1', ?, ?)");
  message.run("msg_0", NOON, '{"role":"user"}');
  message.run("msg_1", NOON, '{"role":"assistant","modelID":"o","providerID":"local"}');
  const part = database.prepare("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?)");
  const tool = (id: string, name: string, state: object) =>
    JSON.stringify({ type: "tool", callID: id, tool: name, state });
  const time = { start: NOON, end: NOON + 40 };
  part.run("p0", "msg_0", NOON, '{"type":"text","text":"Fix it"}');
  part.run(
    "p1",
    "msg_1",
    NOON + 1,
    tool("call_oc1", "bash", {
      status: "completed",
      input: { command: "make" },
      output: "bent",
      metadata: { exit: 2 },
      time,
    }),
  );
  part.run(
    "p2",
    "msg_1",
    NOON + 2,
    tool("call_oc2", "bash", {
      status: "completed",
      input: { command: "grep x a" },
      output: "(no output)",
      metadata: { exit: 1 },
      time,
    }),
  );
  part.run(
    "p3",
    "msg_1",
    NOON + 3,
    tool("call_oc3", "invalid", {
      status: "completed",
      input: { tool: "frob", error: "no" },
      output: "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'frob'.",
      time,
    }),
  );
  part.run(
    "p4",
    "msg_1",
    NOON + 4,
    tool("call_oc4", "read", {
      status: "error",
      input: {},
      error: 'The read tool was called with invalid arguments: SchemaError(Missing key\n  at ["filePath"]).',
      time,
    }),
  );
  part.run("p5", "msg_1", NOON + 5, tool("call_oc5", "bash", { status: "running", input: { command: "make" } }));
  database.close();
  expect(await told(path)).toEqual([
    "opencode ses_1/root prompt",
    "opencode ses_1/root o call_oc1 bash failed exit_code 2 40",
    "opencode ses_1/root o call_oc2 bash ok 1 40",
    "opencode ses_1/root o call_oc3 frob failed unknown_tool 40",
    "opencode ses_1/root o call_oc4 read failed invalid_arguments 40",
    "opencode ses_1/root o call_oc5 bash open",
  ]);
});

it("the database of opencode is read from a time on: only the sessions that changed since, each whole", async () => {
  const path = join(folder, "opencode-times.db");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)");
  database.exec(
    "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)",
  );
  for (const session of ["ses_1", "ses_2"]) {
    database.prepare("INSERT INTO message VALUES (?, ?, ?)").run(`m-${session}`, session, '{"role":"user"}');
    const part = database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)");
    for (const n of [1, 2])
      part.run(`${session}-${n}`, `m-${session}`, session, NOON, NOON + n, '{"type":"text","text":"Fix it"}');
  }
  const read = async (since?: number) => {
    let changedAt = 0;
    const sessions: string[] = [];
    const onChangedAt = (time: number): void => {
      changedAt = time;
    };
    const options = { since, onChangedAt };
    for await (const { rawObservations } of readTranscript({ path, context, database: options }))
      for (const raw of rawObservations) if (raw.kind === "observation") sessions.push(raw.observation.session_id);
    return { changedAt, sessions };
  };
  expect(await read()).toEqual({ changedAt: NOON + 2, sessions: ["ses_1", "ses_1", "ses_2", "ses_2"] });
  database.prepare("UPDATE part SET time_updated = ? WHERE id = 'ses_2-1'").run(NOON + 9);
  database.close();
  expect(await read(NOON + 3)).toEqual({ changedAt: NOON + 9, sessions: ["ses_2", "ses_2"] });
  expect(await read(NOON + 10)).toEqual({ changedAt: NOON + 9, sessions: [] });
});
