import { Edits, itemSpans, memberSpans } from "../repair/json/json-spans.ts";
import { jsonOf } from "../repair/stream/sse-frame.ts";
import type { StreamFrame } from "../repair/types.ts";
import { count, isObject, parseJson } from "../wire/json.ts";
import type { AttemptCall } from "./types.ts";

/** Appends JSON texts to a list of a request. Undefined if the list is missing or empty. */
export function appendToList(source: string, field: string, added: readonly string[]): string | undefined {
  const start = memberSpans(source, 0)?.get(field)?.start;
  const last = start === undefined ? undefined : itemSpans(source, start)?.at(-1);
  if (last === undefined) return undefined;
  const edits = new Edits();
  edits.insert(last.end, added.map((one) => `,${one}`).join(""));
  return edits.apply(source);
}

/** Arguments that an API accepts in a history: the source of a JSON object, or an empty one. */
export function acceptableArguments({ arguments: written }: AttemptCall): string {
  return isObject(parseJson(written)) ? written : "{}";
}

/** Whether an API accepts the call in a history: servers check names and ids. */
export function isAcceptable({ id, name }: AttemptCall): boolean {
  return id !== "" && /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}

/** A number in an event. */
export function numberIn(frame: StreamFrame | undefined, name: string): number | undefined {
  const event = frame === undefined ? undefined : jsonOf(frame);
  return isObject(event) ? count(event[name]) : undefined;
}
