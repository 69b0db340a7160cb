import { NOON } from "./observations.ts";

type Fields = { readonly [name: string]: unknown };

/** Writes a rollout in the format that Codex uses since September 2025. */
export class CodexRollout {
  readonly lines: string[] = [];
  #at: number;

  constructor(meta: Fields = { id: "thread-1" }, start = NOON) {
    this.#at = start;
    this.line("session_meta", { cli_version: "0.166.0", model_provider: "openai", ...meta }, 0);
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  line(type: string, payload: Fields, afterMs = 1000): this {
    this.#at += afterMs;
    this.lines.push(JSON.stringify({ timestamp: new Date(this.#at).toISOString(), type, payload }));
    return this;
  }

  turn(turnId: string | undefined, text: string, model = "gpt-test", afterMs = 1000): this {
    this.line("turn_context", { ...(turnId !== undefined && { turn_id: turnId }), model }, afterMs);
    return this.line("event_msg", { type: "user_message", message: text }, 0);
  }

  item(payload: Fields, afterMs = 1000): this {
    return this.line("response_item", payload, afterMs);
  }

  call(id: string, cmd = "ls", afterMs = 1000): this {
    return this.item(
      { type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd }), call_id: id },
      afterMs,
    );
  }

  output(id: string, output: unknown = exited(0, "fine"), afterMs = 1000): this {
    return this.item({ type: "function_call_output", call_id: id, output }, afterMs);
  }
}

/** How the client formats a finished command. */
export function exited(code: number, output: string, seconds = "0.0512"): string {
  return `Chunk ID: 1a2b3c\nWall time: ${seconds} seconds\nProcess exited with code ${code}\nOriginal token count: 2\nOutput:\n${output}`;
}
