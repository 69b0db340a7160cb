import type { SafeError } from "../model/message.ts";

/** One call on a page. */
export interface ToolRow {
  /** Unique on the page: the turn and the call's id. */
  readonly key: string;
  readonly callId: string;
  readonly turn: string;
  readonly name: string;
  readonly state: "running" | "ok" | "error";
  readonly input?: unknown;
  readonly result?: unknown;
  readonly error?: SafeError;
}

/** Ids are used again by some servers: only with its turn does one name a call. */
export function rowKey(turn: string, callId: string): string {
  return `${turn}/${callId}`;
}
