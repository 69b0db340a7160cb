import type { CallRecord } from "./call-record.ts";

/**
 * Clients that send no session id with their requests. The proxy derives one, which their transcripts do not contain.
 */
const WITHOUT_SESSION_ID: ReadonlySet<string> = new Set([
  ...["qwen-code", "gemini-cli", "copilot", "continue", "cline"],
  // Except on the Responses API, where both ids are the same.
  "pi",
]);

export function sendsNoSessionId(client: string | undefined): boolean {
  return client !== undefined && WITHOUT_SESSION_ID.has(client);
}

/**
 * Whether a call may also be recorded elsewhere, under another session or id. 0 if not.
 *
 * - 1: only the wrapper of an MCP server reported it, with the id of the model's call.
 * - 2: the same, without that id.
 * - 3: only a transcript or a hook reported it, of a client that sends no session id with its requests.
 */
export type Unjoined = 0 | 1 | 2 | 3;

export function unjoined({ sources, facts }: CallRecord): Unjoined {
  if (sources.length === 1 && sources[0] === "mcp") return facts.mcp?.value.inferred === true ? 2 : 1;
  if (!sendsNoSessionId(facts.client?.value)) return 0;
  return sources.every((source) => source === "transcript" || source === "hook") ? 3 : 0;
}

/** Whether only the wrapper of an MCP server reported the call. */
export function isWrapperOnly(record: CallRecord): boolean {
  const kind = unjoined(record);
  return kind === 1 || kind === 2;
}
