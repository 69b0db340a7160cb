import { type Fields, isObject, objects, text } from "../../wire/json.ts";
import { isThinking } from "../json/messages-json.ts";
import type { Api } from "../types.ts";

/** Results that stand directly behind a message and belong to no call. */
export function orphanResults(api: Api, list: readonly unknown[], index: number): readonly string[] {
  const known = callIds(api, list, index);
  const results: string[] = [];
  for (const item of list.slice(index + 1)) {
    const ids = isObject(item) ? resultIds(api, item) : undefined;
    if (ids === undefined) break;
    for (const id of ids) if (!known.has(id)) results.push(id);
    // All results of a Messages turn stand in one message.
    if (api === "anthropic") break;
  }
  return [...new Set(results)];
}

/**
 * Is this turn still going on, with what the model thought in it? Providers want such a turn back exactly as they wrote it. What follows a
 * message does not change any more, so that this is the same in every request.
 */
export function isContinued(api: Api, list: readonly unknown[], index: number): boolean {
  const item = list[index] as Fields;
  const next = list[index + 1];
  if (api === "responses") {
    const before = list[index - 1];
    return isObject(before) && before.type === "reasoning";
  }
  const goesOn = isObject(next) && (resultIds(api, next)?.length ?? 0) > 0;
  if (api === "anthropic") return goesOn && objects(item.content).some(isThinking);
  return goesOn && [item.reasoning_content, item.reasoning, item.reasoning_details].some((thought) => thought != null);
}

/** The calls that results behind a message may belong to. */
function callIds(api: Api, list: readonly unknown[], index: number): ReadonlySet<string> {
  const item = list[index] as Fields;
  switch (api) {
    case "anthropic":
      return new Set(objects(item.content).flatMap(({ type, id }) => (type === "tool_use" ? (text(id) ?? []) : [])));
    case "chat":
      return new Set(objects(item.tool_calls).flatMap(({ id }) => text(id) ?? []));
    case "responses":
      return new Set(
        objects(list).flatMap(({ type, call_id }) => (text(type)?.endsWith("_call") ? (text(call_id) ?? []) : [])),
      );
  }
}

/** The ids of the results that an item brings; undefined when it is not there for results. */
function resultIds(api: Api, item: Fields): readonly string[] | undefined {
  switch (api) {
    case "anthropic": {
      const results = objects(item.content).filter(({ type }) => type === "tool_result");
      return item.role === "user" ? results.flatMap(({ tool_use_id: id }) => text(id) ?? []) : undefined;
    }
    case "chat":
      return item.role === "tool" ? [text(item.tool_call_id) ?? ""] : undefined;
    case "responses":
      return item.type === "function_call_output" ? [text(item.call_id) ?? ""] : undefined;
  }
}
