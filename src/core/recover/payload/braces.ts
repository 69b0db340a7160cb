import { closeTruncated } from "../json/read-json.ts";
import { skipWhitespace } from "../json/read-string.ts";
import type { Repair } from "../json/repairs.ts";
import { readTolerant } from "../json/tolerant.ts";
import { isPlainObject } from "../schema.ts";
import { damagedBodyEnd } from "./data-end.ts";
import { type Envelope, MORE, no, type Payload, type RawCall, type Read, type Source } from "./payload.ts";

const QUOTES = ['<|"|>', "<escape>", "<|'|>"];

/** Gemma's `call:f{a:<|"|>x<|"|>}`: bare keys, and a token for a quote. */
export const gemmaBraces: Payload = { starts: startsCall, read: readBraces };

function startsCall(source: Source, at: number): boolean | undefined {
  const head = source.text.slice(at, at + 5);
  if (head === "call:") return true;
  return !source.final && "call:".startsWith(head) ? undefined : false;
}

function readBraces(source: Source, at: number, envelope: Envelope): Read {
  const { text, final } = source;
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>();
  let i = at;
  let end = at;
  for (;;) {
    const head = /^call:\s{0,4}([^\s{}<>"'`()]{1,200})\s{0,4}/.exec(text.slice(i, i + 220));
    const brace = head === null ? -1 : i + head[0].length;
    if (head === null || brace >= text.length)
      return !final && text.length - i < 220 ? MORE : calls.length > 0 ? done() : no(i + 1);
    const name = head[1] as string;
    if (text[brace] !== "{") return calls.length > 0 ? done() : no(brace);
    const read = readTolerant(text, brace, text.length, { quoteTokens: QUOTES });
    if (!final && (read.touched || (read.kind === "read" && read.end >= text.length))) {
      // Complete braces at the very end are complete; only a token cut in two could change them.
      if (read.kind !== "read" || read.open || read.touched) return MORE;
    }
    if (read.kind === "unread") {
      // The quote of this dialect is a token: a call that is quoted with its quotes ends the text around it.
      const dataEnd = damagedBodyEnd(source, brace, { ...envelope, boundary: "\u0000" });
      if (dataEnd === "more") return MORE;
      if (calls.length === 0) return no(read.at, "malformed", name, dataEnd);
      return dataEnd === undefined ? done() : { ...done(), dataEnd };
    }
    if (read.open) {
      if (calls.length > 0) return read.inString ? { ...done(), dataEnd: text.length } : done();
      if (!source.eager) return no(text.length, "truncated", name, read.inString ? text.length : undefined);
      const value = closeTruncated(text, brace, text.length, { quoteTokens: QUOTES });
      const args = isPlainObject(value) ? value : {};
      return {
        kind: "done",
        calls: [{ name, args, rawArguments: text.slice(brace), complete: false }],
        end: text.length,
        repairs: ["truncated"],
      };
    }
    if (!isPlainObject(read.value)) return no(brace, "not-an-object", name);
    for (const repair of read.repairs) repairs.add(repair);
    calls.push({
      name,
      args: read.value,
      rawArguments: text.slice(brace, read.end),
      complete: true,
      ...(read.keyDoubts.size === 0 ? {} : { doubts: { keys: read.keyDoubts } }),
    });
    end = read.end;
    i = skipWhitespace(text, end, text.length);
    if (i >= text.length && !final) return MORE;
    if (text[i] === "," || text[i] === ";") i = skipWhitespace(text, i + 1, text.length);
    const again = startsCall(source, i);
    if (again === undefined) return MORE;
    if (!again) return done();
  }
  function done(): Extract<Read, { kind: "done" }> {
    return { kind: "done", calls, end, repairs: [...repairs] };
  }
}
