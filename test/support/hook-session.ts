import type { Category, Phase } from "../../src/core/model/outcome.ts";
import { ClaudeTranscript } from "./claude-transcript.ts";

type Fields = { readonly [name: string]: unknown };

/** A call of a generated session, and how it ends. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
  /** `ok`, or the point where it fails. */
  readonly ends: "ok" | Phase;
  readonly category?: Category;
  /** The text that the model receives. */
  readonly text: string;
  /** The tool's own output on success. */
  readonly response?: unknown;
  /** The failure hook's text, if it differs from what the model receives. */
  readonly error?: string;
  readonly interrupted?: boolean;
}

export const SESSION = "5e551011-0000-4000-8000-00000000aaaa";

/** Turns of a session, each a list of parallel calls. Covers every way a call can end, with the client's own texts. */
export const TURNS: readonly (readonly ScriptedCall[])[] = [
  [
    {
      ...{ id: "toolu_aaListFiles01", tool: "Bash", input: { command: "ls src", description: "List" } },
      ...{
        ends: "ok",
        text: "main.ts",
        response: { stdout: "main.ts", stderr: "", interrupted: false, isImage: false },
      },
    },
    {
      ...{ id: "toolu_abReadGone02", tool: "Read", input: { file_path: "/srv/app/gone.ts" } },
      ...{
        ends: "run",
        category: "not_found",
        text: "File does not exist. Note: your current working directory is /srv/app.",
      },
    },
  ],
  [
    {
      ...{ id: "toolu_acFails03", tool: "Bash", input: { command: "make all" } },
      ...{ ends: "run", category: "build_failure", text: "Exit code 2\nmake: nothing to be done for 'everything'" },
    },
  ],
  [
    {
      ...{ id: "toolu_adSlow04", tool: "Bash", input: { command: "sleep 60", timeout: 2000 } },
      ...{ ends: "run", category: "timeout", text: "Exit code 143\nCommand timed out after 2s" },
    },
  ],
  [
    {
      ...{ id: "toolu_aeNoTool05", tool: "Telepathy", input: { thought: 1 } },
      ...{ ends: "call", category: "unknown_tool" },
      text: "<tool_use_error>Error: No such tool available: Telepathy</tool_use_error>",
    },
    {
      ...{ id: "toolu_afWrong06", tool: "Read", input: { filename: "a" } },
      ...{ ends: "call", category: "invalid_arguments" },
      text: "<tool_use_error>InputValidationError: Read failed due to the following issues:\nThe required parameter `file_path` is missing</tool_use_error>",
    },
  ],
  [
    {
      ...{
        id: "toolu_agEdit07",
        tool: "Edit",
        input: { file_path: "/srv/app/a.ts", old_string: "x", new_string: "y" },
      },
      ...{ ends: "call", category: "precondition" },
      text: "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>",
    },
  ],
  [
    {
      ...{ id: "toolu_ahDenied08", tool: "Bash", input: { command: "curl example.com" } },
      ...{ ends: "gate", category: "permission_denied" },
      text: "Permission to use Bash with command curl example.com has been denied.",
    },
  ],
  [
    {
      ...{ id: "toolu_aiMcp09", tool: "mcp__tickets__create", input: { title: "t" } },
      ...{ ends: "run", category: "http_server_error", error: "Error: HTTP 503 from the tracker" },
      text: "Error: HTTP 503 from the tracker\n\nThis tool's input schema was not in your prompt when you called it. The input schema is: {}",
    },
  ],
  [
    {
      ...{ id: "toolu_ajStopped10", tool: "Bash", input: { command: "npm test" } },
      ...{ ends: "run", category: "cancelled", interrupted: true, text: "[Request interrupted by user for tool use]" },
    },
  ],
  [
    {
      ...{ id: "toolu_akGrep11", tool: "Bash", input: { command: "grep -r nothing ." }, ends: "ok" },
      text: "(Bash completed with no output)",
      response: { stdout: "", stderr: "", interrupted: false, returnCodeInterpretation: "No matches found" },
    },
  ],
];

export const CALLS: readonly ScriptedCall[] = TURNS.flat();

export interface HookOptions {
  readonly session?: string;
  readonly transcript?: string;
  readonly prompt?: string;
}

/** The fields that every payload starts with. */
export function basePayload(event: string, options: HookOptions = {}): Fields {
  const session = options.session ?? SESSION;
  return {
    session_id: session,
    transcript_path: options.transcript ?? `/nowhere/.claude/projects/-srv-app/${session}.jsonl`,
    cwd: "/srv/app",
    prompt_id: options.prompt ?? "prompt-1",
    permission_mode: "default",
    hook_event_name: event,
  };
}

function callFields({ id, tool, input }: ScriptedCall): Fields {
  return { tool_name: tool, tool_input: input, tool_use_id: id };
}

/** Events before a call: none when the call itself is invalid. */
export function eventsBeforeCall(call: ScriptedCall, options?: HookOptions): readonly Fields[] {
  return call.ends === "call" ? [] : [{ ...basePayload("PreToolUse", options), ...callFields(call) }];
}

/** Events after a call that ran: none when it did not. */
export function eventsAfterCall(call: ScriptedCall, options?: HookOptions): readonly Fields[] {
  if (call.ends === "ok") {
    const result = { tool_response: call.response ?? call.text, duration_ms: 12 };
    return [{ ...basePayload("PostToolUse", options), ...callFields(call), ...result }];
  }
  if (call.ends !== "run") return [];
  const result = { error: call.error ?? call.text, is_interrupt: call.interrupted === true, duration_ms: 34 };
  return [{ ...basePayload("PostToolUseFailure", options), ...callFields(call), ...result }];
}

export function batchOf(turn: readonly ScriptedCall[], options?: HookOptions): Fields {
  const calls = turn.map((call) => ({ ...callFields(call), tool_response: call.text }));
  return { ...basePayload("PostToolBatch", options), tool_calls: calls };
}

/** A whole session as hook events. */
export function hookEvents(options: HookOptions & { readonly pre?: boolean } = {}): readonly Fields[] {
  const { prompt_id: _none, ...withoutPrompt } = basePayload("SessionStart", options);
  return [
    { ...withoutPrompt, source: "startup" },
    { ...basePayload("UserPromptSubmit", options), prompt: "Fix the crash in main.ts" },
    ...TURNS.flatMap((turn) => [
      ...(options.pre === true ? turn.flatMap((call) => eventsBeforeCall(call, options)) : []),
      ...turn.flatMap((call) => eventsAfterCall(call, options)),
      batchOf(turn, options),
    ]),
    { ...basePayload("Stop", options), stop_hook_active: false, background_tasks: [] },
    { ...basePayload("SessionEnd", options), reason: "other" },
  ];
}

/** The same session as its client's transcript. */
export function transcriptText(session = SESSION): string {
  const transcript = new ClaudeTranscript({ session }).prompt("Fix the crash in main.ts");
  for (const turn of TURNS) {
    transcript.calls(turn.map(({ id, tool, input }) => ({ id, name: tool, input })));
    for (const { id, ends, text } of turn) {
      if (ends === "ok") transcript.ok(id, text);
      else transcript.failed(id, text, ends === "run" ? "accept" : ends === "gate" ? "reject" : "none");
    }
  }
  return transcript.text();
}

/** The requests that deliver the results to the model: each resends the whole conversation. */
export function followUps(): readonly Fields[] {
  const messages: Fields[] = [{ role: "user", content: "Fix the crash in main.ts" }];
  return TURNS.map((turn) => {
    messages.push({
      role: "assistant",
      content: turn.map(({ id, tool, input }) => ({ type: "tool_use", id, name: tool, input })),
    });
    messages.push({
      role: "user",
      content: turn.map(({ id, text, ends }) => ({
        ...{ type: "tool_result", tool_use_id: id, content: text },
        ...(ends !== "ok" && { is_error: true }),
      })),
    });
    return { model: "claude-test-5", max_tokens: 64, messages: [...messages] };
  });
}
