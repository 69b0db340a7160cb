import { type Fields, isObject, objects, text } from "../../wire/json.ts";
import { isThinking } from "../json/messages-json.ts";
import type { Api } from "../types.ts";

/** Ids of results directly after a message that belong to no call. */
export function orphanResults(api: Api, list: readonly unknown[], index: number): readonly string[] {
  const knownIds = callIds(api, list, index);
  const results: string[] = [];
  for (const item of list.slice(index + 1)) {
    const ids = isObject(item) ? resultIds(api, item) : undefined;
    if (ids === undefined) break;
    for (const id of ids) if (!knownIds.has(id)) results.push(id);
    // A Messages request has all results of a turn in one message.
    if (api === "anthropic") break;
  }
  return [...new Set(results)];
}

/**
 * True if the turn continues after this message and contains reasoning: providers require such a turn back unchanged.
 * The items after a message never change, so this is the same in every request.
 */
export function isContinued(api: Api, list: readonly unknown[], index: number): boolean {
  const item = list[index] as Fields;
  const next = list[index + 1];
  if (api === "responses") {
    const before = list[index - 1];
    return isObject(before) && before.type === "reasoning";
  }
  const continues = isObject(next) && (resultIds(api, next)?.length ?? 0) > 0;
  if (api === "anthropic") return continues && objects(item.content).some(isThinking);
  return continues && [item.reasoning_content, item.reasoning, item.reasoning_details].some((value) => value != null);
}

/** Ids of the calls that the results after a message may belong to. */
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

/** Ids of the results in an item; undefined if this kind of item cannot contain results. */
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
