import type { Json, JsonObject } from "../../src/core/model/tool-call.ts";
import { resultCount } from "./scripted-model.ts";

/** What a request brought to the model. */
export interface RequestHistory {
  readonly results: number;
  /** Notes of the guard. */
  readonly notes: number;
  /** The messages, without the marks that clients move to the newest one in every request. */
  readonly text: string;
}

const NOTE = "[toolmend]";

export function historyOf(body: Buffer): RequestHistory {
  const parsed = parse(body);
  const messages = (parsed.messages ?? parsed.input ?? parsed.contents ?? []) as readonly Json[];
  const list = Array.isArray(messages) ? messages : [];
  const text = JSON.stringify(list, (key, value) => (key === "cache_control" ? undefined : value)).slice(0, -1);
  return { results: resultCount(list), notes: text.split(NOTE).length - 1, text };
}

function parse(body: Buffer): JsonObject {
  try {
    return JSON.parse(body.toString()) as JsonObject;
  } catch {
    return {};
  }
}
