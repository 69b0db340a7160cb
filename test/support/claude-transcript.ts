import { NOON } from "./observations.ts";

type Fields = { readonly [name: string]: unknown };

export interface ClaudeTranscriptOptions {
  readonly session?: string;
  /** For a subagent's own file. */
  readonly agent?: string;
  readonly model?: string;
  /** Newer versions record the permission decision for each call. */
  readonly decides?: boolean;
  readonly promptIds?: boolean;
  readonly start?: number;
}

export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
}

/** Writes a transcript in the format of Claude Code: one content block per line, results as user lines. */
export class ClaudeTranscript {
  readonly lines: string[] = [];
  readonly #options: Required<Omit<ClaudeTranscriptOptions, "agent">> & Pick<ClaudeTranscriptOptions, "agent">;
  #at: number;
  #count = 0;
  #prompt: string | undefined;

  constructor(options: ClaudeTranscriptOptions = {}) {
    this.#options = {
      session: "5e551011-0000-4000-8000-000000000001",
      model: "claude-test-5",
      decides: true,
      promptIds: true,
      start: NOON,
      ...options,
    };
    this.#at = this.#options.start;
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  /** Adds a user prompt. */
  prompt(text: string, fields: Fields = {}): this {
    if (this.#options.promptIds) this.#prompt = `prompt-${this.#next()}`;
    return this.#line({ type: "user", message: { role: "user", content: text }, ...fields });
  }

  /** Adds the model's calls of one response. */
  calls(calls: readonly MadeCall[], message = `msg_${this.#next()}`): this {
    for (const call of calls) {
      const block = { type: "tool_use", id: call.id, name: call.name, input: call.input };
      this.#line({
        type: "assistant",
        message: { id: message, type: "message", role: "assistant", model: this.#options.model, content: [block] },
      });
    }
    return this;
  }

  ok(id: string, content: unknown = "done", fields: Fields = {}): this {
    return this.#result({ tool_use_id: id, type: "tool_result", content }, "accept", fields);
  }

  failed(id: string, content: unknown, decision: "accept" | "reject" | "none" = "accept", fields: Fields = {}): this {
    return this.#result({ type: "tool_result", content, is_error: true, tool_use_id: id }, decision, fields);
  }

  /** Adds a line of the client itself. */
  other(fields: Fields): this {
    this.lines.push(JSON.stringify({ sessionId: this.#options.session, ...fields }));
    return this;
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  #result(block: Fields, decision: "accept" | "reject" | "none", fields: Fields): this {
    const decided = this.#options.decides && decision !== "none";
    return this.#line({
      type: "user",
      message: { role: "user", content: [block] },
      ...(decided && { permissionDecision: { decision, source: "config" } }),
      ...(decided && decision === "reject" && { toolDenialKind: "permission-rule" }),
      ...fields,
    });
  }

  #line(fields: Fields): this {
    this.#at += 1000;
    const { session, agent } = this.#options;
    this.lines.push(
      JSON.stringify({
        parentUuid: null,
        isSidechain: agent !== undefined,
        ...(agent !== undefined && { agentId: agent }),
        ...(fields.type === "user" && this.#prompt !== undefined && { promptId: this.#prompt }),
        ...fields,
        uuid: `uuid-${this.#next()}`,
        timestamp: new Date(this.#at).toISOString(),
        sessionId: session,
        version: "2.1.325",
        ...(fields.sessionId !== undefined && { sessionId: fields.sessionId }),
      }),
    );
    return this;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

export function bash(id: string, command = "true"): MadeCall {
  return { id, name: "Bash", input: { command } };
}
