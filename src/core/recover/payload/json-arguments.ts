import type { JsonObject } from "../../model/tool-call.ts";
import { argumentsOf } from "../call-shape.ts";
import { readJson } from "../json/read-json.ts";
import { damagedBodyEnd, damagedDataEnd } from "./data-end.ts";
import { type Envelope, MORE, no, type RawCall, type Read, type Source } from "./payload.ts";

/** `<function=f>{"a": 1}</function>` */
export function readJsonArguments(source: Source, at: number, envelope: Envelope, name: string): Read {
  const { text, final, memo, origin } = source;
  const known = memo.get(at - origin);
  if (known !== undefined) return { kind: "done", calls: known.calls, end: origin + known.end, repairs: known.repairs };
  const read = readJson(text, at, text.length, { boundary: envelope.boundary, final });
  if (read.kind === "open") {
    if (!final) return MORE;
    return no(text.length, "truncated", name, read.inString ? text.length : undefined);
  }
  if (read.kind === "none") {
    const dataEnd = read.inString ? damagedDataEnd(source, envelope, at) : damagedBodyEnd(source, at, envelope);
    return dataEnd === "more" ? MORE : no(read.at, "malformed", name, dataEnd);
  }
  const args = argumentsOf(read.value);
  if (args === undefined) return no(at + 1, "not-an-object", name, read.end);
  const call: RawCall = {
    name,
    args: unwrapNamed(args.args, name) ?? args.args,
    rawArguments: text.slice(at, read.end),
    ...(envelope.id === undefined ? {} : { id: envelope.id }),
    complete: true,
    ...(read.keyDoubts.size === 0 ? {} : { doubts: { keys: read.keyDoubts } }),
  };
  const done = { calls: [call], end: read.end - origin, repairs: [...read.repairs, ...args.repairs] };
  memo.set(at - origin, done);
  return { kind: "done", ...done, end: read.end };
}

/** `{"name": "f", "arguments": {…}}` where the arguments of `f` were due. */
function unwrapNamed(args: JsonObject, name: string): JsonObject | undefined {
  const keys = Object.keys(args);
  if (keys.length !== 2 || args.name !== name) return undefined;
  const inner = args.arguments ?? args.parameters;
  return inner === undefined ? undefined : argumentsOf(inner)?.args;
}
