import type { Api } from "./turn.ts";

/** The APIs whose histories contain call ids, so that calls can be inserted and their arguments repaired. */
export const CALL_ID_APIS = ["anthropic", "chat", "responses"] as const satisfies readonly Api[];
export type CallIdApi = (typeof CALL_ID_APIS)[number];

export function hasCallIds(api: Api): api is CallIdApi {
  return api !== "gemini" && api !== "ollama";
}
