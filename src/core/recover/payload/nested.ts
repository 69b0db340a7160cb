import { skipWhitespace } from "../json/read-string.ts";
import { no, type Payload, type Source } from "./payload.ts";

/** Another envelope directly inside: wrappers, `<tool_call>` around `<function=f>`, an opener written twice. */
export const nestedEnvelope: Payload = {
  starts: (source, at) => {
    if (at >= source.text.length) return source.final ? false : undefined;
    return "<]f".includes(source.text[at] as string);
  },
  read: (source, at, envelope) => source.open(source, at, envelope.depth + 1) ?? no(at),
};

/** The same behind a few words: Inkling writes the name in the header too, GigaChat `function call`. */
export const wordThenNested: Payload = {
  starts: (source, at) => (at >= source.text.length ? (source.final ? false : undefined) : true),
  read: (source, at, envelope) => {
    const inner = skipWord(source, at);
    if (inner === undefined) return { kind: "more" };
    return source.open(source, inner, envelope.depth + 1) ?? no(at);
  },
};

function skipWord(source: Source, at: number): number | undefined {
  const stop = Math.min(source.text.length, at + 100);
  let i = at;
  while (i < stop && /[^\n<{]/.test(source.text[i] as string)) i += 1;
  i = skipWhitespace(source.text, i, stop);
  return i >= stop && stop === source.text.length && !source.final ? undefined : i;
}
