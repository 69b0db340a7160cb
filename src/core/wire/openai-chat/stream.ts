import { count, type Fields, isObject, objects, omitUndefined, parseJson, text } from "../json.ts";
import type { DecodedResponse, MadeCall, StreamDecoder, Usage } from "../turn.ts";
import { errorText, usageOf } from "./response.ts";

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  readonly parts: string[];
}

interface OpenChoice {
  readonly texts: string[];
  readonly calls: OpenCall[];
  /** The call that the next chunk with this index continues. */
  readonly newest: Map<unknown, OpenCall>;
  stopReason: string | undefined;
}

/** Assembles a streamed Chat Completions response. */
export function createStreamDecoder(): StreamDecoder {
  const choices = new Map<number, OpenChoice>();
  let id: string | undefined;
  let model: string | undefined;
  let usage: Usage = {};
  let error: string | undefined;
  let finished = false;

  const readChoice = ({ index, delta, finish_reason }: Fields): void => {
    const number = count(index) ?? 0;
    const choice: OpenChoice = choices.get(number) ?? {
      texts: [],
      calls: [],
      newest: new Map(),
      stopReason: undefined,
    };
    choices.set(number, choice);
    choice.stopReason ??= text(finish_reason);
    if (!isObject(delta)) return;
    if (typeof delta.content === "string") choice.texts.push(delta.content);
    for (const [at, call] of objects(delta.tool_calls).entries()) readCall(choice, call, at);
  };

  return {
    push(data, json) {
      if (data === "[DONE]") {
        finished = true;
        return;
      }
      const event = json ?? parseJson(data);
      if (!isObject(event)) return;
      if (event.error !== undefined && event.error !== null) error = errorText(event.error);
      id ??= text(event.id);
      model ??= text(event.model);
      if (isObject(event.usage)) usage = usageOf(event.usage);
      for (const choice of objects(event.choices)) readChoice(choice);
    },
    end(): DecodedResponse {
      const all = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
      return omitUndefined({
        id,
        model,
        stopReason: all[0]?.stopReason,
        text: all.map(({ texts }) => texts.join("")).join("\n"),
        calls: all.flatMap(({ calls }) => calls.flatMap(madeCall)),
        usage,
        error,
        // Some servers close the stream after a finish reason without sending `[DONE]`.
        finished: finished || all.some(({ stopReason }) => stopReason !== undefined),
      });
    },
  };
}

function readCall(choice: OpenChoice, call: Fields, at: number): void {
  const index = count(call.index) ?? at;
  const called = isObject(call.function) ? call.function : {};
  const [id, name] = [nonEmptyText(call.id), nonEmptyText(called.name)];
  const current = choice.newest.get(index);
  // Some servers repeat id and name in every chunk, some generate an id for each chunk, some give all parallel calls
  // the same index. A call is new only if the chunk has both a new id and a name.
  const isNew =
    current === undefined || (name !== undefined && id !== undefined && current.id !== undefined && id !== current.id);
  const open = isNew ? { id, name, parts: [] } : current;
  if (isNew) choice.calls.push(open);
  choice.newest.set(index, open);
  open.id ??= id;
  open.name ??= name;
  if (typeof called.arguments === "string") open.parts.push(called.arguments);
}

function nonEmptyText(value: unknown): string | undefined {
  return value === "" ? undefined : text(value);
}

function madeCall({ id, name, parts }: OpenCall): readonly MadeCall[] {
  return id === undefined || name === undefined ? [] : [{ id, name, arguments: parts.join("") }];
}
