import {
  type ClientProfileName,
  classifyToolResult,
  type DetectCall,
  type DetectContext,
  type DetectResult,
} from "../../src/core/detect/index.ts";
import type { Outcome } from "../../src/core/model/outcome.ts";

/** Classifies a result with an id, as clients send it. */
export const classify = (result: Omit<DetectResult, "callId">, call?: DetectCall, context?: DetectContext): Outcome =>
  classifyToolResult({ callId: "c1", ...result }, call, context);

/** Classifies the output of a shell command, without a flag. */
export const shell = (command: string, content: string): Outcome =>
  classifyToolResult({ content }, { name: "bash", arguments: { command } });

/** Classifies the answer of a tool, without a flag. */
export const answer = (name: string, content: string, args: unknown = {}): Outcome =>
  classifyToolResult({ content }, { name, arguments: args });

/** Classifies a result with the profile of a client. */
export const classifyFrom = (
  client: ClientProfileName,
  name: string,
  args: unknown,
  content: unknown,
  isError?: boolean,
): Outcome =>
  classify({ content, ...(isError === undefined ? {} : { isError }) }, { name, arguments: args }, { client });
