import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/model/tool-call.ts";
import { ClaudeTranscript } from "./claude-transcript.ts";
import { basePayload } from "./hook-session.ts";
import { runCommand } from "./run-command.ts";
import { startBoth } from "./running.ts";
import type { Script } from "./upstream/script.ts";
import { call, respond } from "./upstream/turn.ts";

/** A Claude Code session of sequential calls that can be recorded into a data folder through any source. */
export interface SourceSession {
  readonly session: string;
  readonly prompt: string;
  readonly steps: readonly SourceStep[];
}

export interface SourceStep {
  readonly tool: string;
  readonly input: JsonObject;
  readonly text: string;
  readonly fails: boolean;
}

const idOf = (at: number): string => `toolu_01Step${String(at).padStart(4, "0")}`;

/**
 * Sends its client's requests through the real proxy. Calls before `from` were made without the proxy and are only in
 * the history.
 */
export async function recordByProxy({ session, prompt, steps }: SourceSession, data: string, from = 0): Promise<void> {
  const script: Script = ({ messages }) => {
    const done = JSON.stringify(messages).match(/"tool_result"/g)?.length ?? 0;
    const step = steps[done];
    return step === undefined ? respond("Done.") : respond(call(step.tool, step.input, idOf(done)));
  };
  const running = await startBoth(script, { data });
  const results = ({ text, fails }: SourceStep, at: number): object => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: idOf(at), content: text, is_error: fails }],
  });
  const messages: unknown[] = [
    { role: "user", content: prompt },
    ...steps.slice(0, from).flatMap((step, at) => {
      const toolUse = { type: "tool_use", id: idOf(at), name: step.tool, input: step.input };
      return [{ role: "assistant", content: [toolUse] }, results(step, at)];
    }),
  ];
  for (let at = from; at <= steps.length; at += 1) {
    const response = await fetch(`${running.url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "claude-cli/2.1.0 (external, cli)",
        "x-claude-code-session-id": session,
      },
      body: JSON.stringify({ model: "m", max_tokens: 9, messages }),
    });
    const { content } = (await response.json()) as { content: unknown };
    const step = steps[at];
    if (step !== undefined) messages.push({ role: "assistant", content }, results(step, at));
  }
  await running.close();
}

/** The output of a successful Bash call. */
const ran = (stdout: string): object => ({ stdout, stderr: "", interrupted: false, isImage: false });

/** Sends its hook events to a server. */
export async function recordByHooks({ session, prompt, steps }: SourceSession, data: string): Promise<void> {
  // Two events in one millisecond would have no order.
  let clock = Date.now();
  const now = (): number => {
    clock += 1;
    return clock;
  };
  const running = await startBoth(() => respond("Unused."), { data, now });
  const events = steps.flatMap(({ tool, input, text, fails }, at) => {
    const toolUse = { tool_name: tool, tool_input: input, tool_use_id: idOf(at) };
    const base = (event: string): object => ({ ...basePayload(event, { session }), ...toolUse });
    const after = fails
      ? { ...base("PostToolUseFailure"), error: text, is_interrupt: false }
      : { ...base("PostToolUse"), tool_response: tool === "Bash" ? ran(text) : text };
    return [base("PreToolUse"), after];
  });
  const promptEvent = { ...basePayload("UserPromptSubmit", { session }), prompt };
  for (const event of [promptEvent, ...events, basePayload("Stop", { session })]) {
    const response = await fetch(`${running.url}/hooks/claude-code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
    });
    if (response.status !== 200) throw new Error(`the hook endpoint responded with ${response.status}`);
  }
  await running.close();
}

/** Writes its transcript and reads it with `toolmend import`, without a server. */
export async function recordByTranscript({ session, prompt, steps }: SourceSession, data: string): Promise<void> {
  const transcript = new ClaudeTranscript({ session }).prompt(prompt);
  for (const [at, { tool, input, text, fails }] of steps.entries()) {
    transcript.calls([{ id: idOf(at), name: tool, input }]);
    if (fails) transcript.failed(idOf(at), text);
    else transcript.ok(idOf(at), text);
  }
  const file = join(data, "session.jsonl");
  writeFileSync(file, transcript.text());
  const { code, err } = await runCommand(["import", file, "--data", data], { now: Date.now });
  if (code !== 0 || err !== "") throw new Error(`the import exited with ${code}: ${err}`);
}

export const SOURCES = [
  ["raw proxy traffic", recordByProxy],
  ["hook payloads", recordByHooks],
  ["a transcript", recordByTranscript],
] as const;
