import { checkArguments, compileSchema } from "../../calls/index.ts";
import { type CallIdApi, hasCallIds } from "../../wire/call-ids.ts";
import { type Fields, isArray, isObject, parseJson, parseJsonBody } from "../../wire/json.ts";
import { historyField } from "../../wire/turn.ts";
import { Edits, itemSpans, memberSpans, spanAt } from "../json/json-spans.ts";
import { rebuildObject } from "../json/rebuild-object.ts";
import type { Api } from "../types.ts";

/** The call has run or failed, so its arguments need not be valid, but they must be an object. */
const ANY_OBJECT = compileSchema({});

/**
 * Repairs arguments in a request's history that are not a JSON object. Strict servers reject every request with such a
 * call, so one of them ends the conversation. The result for a call depends only on the call, so the start of a
 * conversation is identical in every request. Returns undefined if there is nothing to repair.
 */
export function repairHistoryArguments(api: Api, source: string): string | undefined {
  if (!hasCallIds(api)) return undefined;
  const body = parseJsonBody(source);
  const field = historyField(api);
  const list = isObject(body) ? body[field] : undefined;
  if (!isArray(list)) return undefined;
  const edits = new Edits();
  let items: ReturnType<typeof itemSpans>;
  for (const [at, item] of list.entries()) {
    const calls = isObject(item) ? brokenCalls(api, item) : [];
    if (calls.length === 0) continue;
    items ??= itemSpans(source, memberSpans(source, 0)?.get(field)?.start ?? 0);
    const own = items?.[at];
    for (const { path, name, value } of calls) {
      const holder = path.length === 0 ? own : spanAt(source, path, own?.start);
      if (holder === undefined) continue;
      const old = spanAt(source, [name], holder.start);
      const written = old === undefined ? undefined : source.slice(old.start, old.end);
      const text = objectText(typeof value === "string" ? value : written);
      const isObjectHere = name === "input";
      edits.replace(
        holder,
        rebuildObject(source, holder.start, new Map([[name, isObjectHere ? text : JSON.stringify(text)]])),
      );
    }
  }
  return edits.hasEdits ? edits.apply(source) : undefined;
}

interface BrokenCall {
  /** Path of the object with the arguments, and their name in it. */
  readonly path: readonly (string | number)[];
  readonly name: "arguments" | "input";
  readonly value: unknown;
}

function brokenCalls(api: CallIdApi, item: Fields): readonly BrokenCall[] {
  switch (api) {
    case "chat":
      return (isArray(item.tool_calls) ? item.tool_calls : []).flatMap((call, at): readonly BrokenCall[] => {
        const called = isObject(call) ? call.function : undefined;
        if (!isObject(called) || isObjectText(called.arguments)) return [];
        return [{ path: ["tool_calls", at, "function"], name: "arguments", value: called.arguments }];
      });
    case "anthropic":
      return (isArray(item.content) ? item.content : []).flatMap((block, at): readonly BrokenCall[] => {
        if (!isObject(block) || block.type !== "tool_use" || isObject(block.input)) return [];
        return [{ path: ["content", at], name: "input", value: block.input }];
      });
    case "responses":
      if (item.type !== "function_call" || isObjectText(item.arguments)) return [];
      return [{ path: [], name: "arguments", value: item.arguments }];
  }
}

function isObjectText(value: unknown): boolean {
  return typeof value === "string" && isObject(parseJson(value));
}

/**
 * The only reading of the arguments as an object. Unreadable arguments become an empty object; the result of the call
 * contains the reason.
 */
function objectText(written = ""): string {
  const { kind, text } = checkArguments(written, ANY_OBJECT, "");
  return kind === "invalid" || !isObject(parseJson(text)) ? "{}" : text;
}
