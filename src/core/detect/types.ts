import type { Json } from "../model/tool-call.ts";
import type { UserRule } from "./user-rules.ts";

/** Clients whose result format is known. `plain` covers all others. */
export type ClientProfileName =
  | "claude-code"
  | "codex"
  | "opencode"
  | "qwen-code"
  | "gemini-cli"
  | "pi"
  | "copilot"
  | "continue"
  | "cline"
  | "zed"
  | "cursor"
  | "crush"
  | "goose"
  | "langchain"
  | "openai-agents"
  | "ai-sdk"
  | "openai-sdk"
  | "anthropic-sdk"
  | "plain";

/** The API that carried the result. */
export type DetectApi = "anthropic" | "chat" | "responses" | "gemini" | "ollama";

/** The call of a result, as far as it is known. */
export interface DetectCall {
  readonly name?: string;
  /** An object, or the raw text written by the model. */
  readonly arguments?: unknown;
}

/** A tool declared in the request. */
export interface DeclaredTool {
  readonly name: string;
  /** Its JSON schema, if the request contains one. */
  readonly parameters?: Json;
}

/**
 * The context of a result. All fields are optional: less context lowers the confidence, but is never an error.
 *
 * @example
 * const context: DetectContext = { client: "codex", api: "responses" };
 */
export interface DetectContext {
  readonly client?: ClientProfileName;
  readonly api?: DetectApi;
  /** `false`: only the protocol's flag and an explicit exit code decide; the text is not searched for errors. */
  readonly heuristics?: boolean;
  readonly tools?: readonly DeclaredTool[];
  readonly rules?: readonly UserRule[];
  /** Duration of the tool run, if measured. */
  readonly durationMs?: number;
}

/**
 * Input of {@link classifyToolResult}: a `ToolResult`, a `tool_result` block of Anthropic or a result of MCP. The content
 * is a text, or parts.
 */
export interface DetectResult {
  readonly callId?: string;
  readonly content?: unknown;
  /** The protocol's flag, as MCP and `ToolResult` spell it. */
  readonly isError?: boolean;
  /** The same flag, as Anthropic spells it. `isError` wins. */
  readonly is_error?: boolean;
  /** The exit code of the command, if it is known apart from the text. It decides like one that a client printed. */
  readonly exitCode?: number;
}
