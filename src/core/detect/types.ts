import type { Json } from "../model/tool-call.ts";
import type { UserRule } from "./user-rules.ts";

/** The clients whose way of writing results is known. `plain` is everybody else. */
export type ClientProfileName = "claude-code" | "codex" | "opencode" | "qwen-code" | "gemini-cli" | "ai-sdk" | "plain";

/** Which API carried the result. */
export type DetectApi = "anthropic" | "chat" | "responses";

/** The call a result answers, as far as it is known. */
export interface DetectCall {
  readonly name?: string;
  /** An object, or the raw text the model wrote. */
  readonly arguments?: unknown;
}

/** A tool the request declared. */
export interface DeclaredTool {
  readonly name: string;
  /** Its JSON schema, where the request carried one. */
  readonly parameters?: Json;
}

/**
 * What is known around a result. Everything is optional: less context gives a less sure verdict, never an error.
 *
 * @example
 * const context: DetectContext = { client: "codex", api: "responses" };
 */
export interface DetectContext {
  readonly client?: ClientProfileName;
  readonly api?: DetectApi;
  /** `false`: only the protocol's flag and a stated exit status decide; texts are not read for wording. */
  readonly heuristics?: boolean;
  readonly tools?: readonly DeclaredTool[];
  readonly rules?: readonly UserRule[];
  /** How long the tool ran, where somebody measured it. */
  readonly durationMs?: number;
}

/** What {@link classifyToolResult} reads: a `ToolResult`, or one whose content is still in parts. */
export interface DetectResult {
  readonly callId?: string;
  readonly content?: unknown;
  readonly isError?: boolean;
}
