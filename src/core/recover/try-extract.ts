import type { ToolCall } from "../model/tool-call.ts";
import { extractToolCalls } from "./extract.ts";
import type { LeakMatch } from "./types.ts";

/** The result of `tryExtractLeakedToolCalls`. */
export interface LeakedToolExtractionResult {
  /** The remaining text, trimmed; `null` if there were only calls; the input itself if nothing was found. */
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
}

/** Formats of the five tags that are removed even if their body is not a call. */
const STRIPPED: ReadonlyMap<string, string> = new Map([
  ["tool_calls", "</tool_calls>"],
  ["tool_call", "</tool_call>"],
  ["tools", "</tools>"],
  ["function_call", "</function_call>"],
  ["function", "</function>"],
]);
const INVALID: ReadonlySet<string> = new Set([
  "malformed",
  "not-an-object",
  "invalid-name",
  "truncated",
  "ambiguous",
  "empty-argument",
]);

/**
 * Extracts the leaked tool calls of a message. There are three possible results: no calls and the input as content;
 * calls and the remaining content; calls and `null`. A block of the five tags whose body is not a call is removed.
 *
 * @example
 * tryExtractLeakedToolCalls('<tools>{"name": "foo", "arguments": {"bar": 1}}</tools>\n\nSome other text');
 * // { content: "Some other text", toolCalls: [{ id: "…", name: "foo", arguments: { bar: 1 }, … }] }
 */
export function tryExtractLeakedToolCalls(
  input: string,
  newId: () => string = () => globalThis.crypto.randomUUID(),
): LeakedToolExtractionResult {
  const { toolCalls, matches } = extractToolCalls(input, { newId: () => "" });
  const removed = [...removals(input, matches)];
  if (removed.length === 0) return { content: input, toolCalls: [] };
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of removed) {
    if (start > from) kept.push(input.slice(from, start));
    from = Math.max(from, end);
  }
  kept.push(input.slice(from));
  // Removes the whitespace before a block if more follows it, so that no gap is left.
  const content = kept.reduce((left, right) => (/^\s/.test(right) ? left.trimEnd() : left) + right, "").trim();
  const calls = toolCalls.map(({ name, arguments: args, origin, format, repairs }) => ({
    id: newId(),
    name,
    arguments: args,
    origin,
    format,
    repairs,
  }));
  return { content: content === "" && calls.length > 0 ? null : content, toolCalls: calls };
}

/**
 * Yields the ranges to remove, in order: calls, and blocks of the five tags without a valid call. Each closer is
 * searched once.
 */
function* removals(input: string, matches: readonly LeakMatch[]): Generator<readonly [number, number]> {
  const calls = matches.filter((match) => match.kind === "call");
  const nextClose = new Map<string, number>();
  const ordered = [...matches].sort((a, b) => a.span.start - b.span.start);
  let next = 0;
  let from = 0;
  for (const match of ordered) {
    if (match.kind === "call") {
      yield [match.span.start, match.span.end];
      from = match.span.end;
      continue;
    }
    if (!INVALID.has(match.reason) || match.span.start < from) continue;
    const close = closerOf(input, match.span.start);
    if (close === undefined) continue;
    const known = nextClose.get(close) ?? -1;
    const at = known < match.span.start ? indexOrEnd(input, close, match.span.start) : known;
    nextClose.set(close, at);
    while (next < calls.length && (calls[next]?.span.start ?? 0) < match.span.start) next += 1;
    // Does not remove past the next call: a block without a closer is left unchanged.
    if (at >= (calls[next]?.span.start ?? input.length)) continue;
    yield [match.span.start, at + close.length];
    from = at + close.length;
  }
}

function indexOrEnd(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? text.length : at;
}

/** The closer of the block at `start`, if its tag is one of the five. */
function closerOf(input: string, start: number): string | undefined {
  const tag = /^<([a-z_]{4,16})[>\s]/i.exec(input.slice(start, start + 24))?.[1]?.toLowerCase();
  return tag === undefined ? undefined : STRIPPED.get(tag);
}
