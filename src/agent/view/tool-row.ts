import type { SafeError } from "../model/message.ts";

/** A call as shown on a page. */
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

/** Some servers reuse ids, so an id is unique only together with its turn. */
export function rowKey(turn: string, callId: string): string {
  return `${turn}/${callId}`;
}
