import type { RecoveredCall } from "../types.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { squeeze } from "./characters.ts";
import { withoutSeparators } from "./unread-call.ts";
import { viewsOf } from "./views.ts";

/** Extracts the calls of a text without any gates. Echoes are found with the same parsers as calls. */
export type ReadAll = (
  text: string,
) => readonly Pick<RecoveredCall, "name" | "arguments" | "format" | "rawArguments">[];

/** The content of a part of a text, in all its views. */
export interface PartContent {
  /** How many characters were parsed. */
  readonly chars: number;
  readonly calls: readonly CallFacts[];
  /** The squeezed views. */
  readonly views: readonly string[];
  /** The squeezed views without separators in names. */
  readonly bareViews: readonly string[];
}

export function readPart(text: string, readAll: ReadAll): PartContent {
  const views = viewsOf(text);
  const squeezed = [...new Set(views.map(squeeze))];
  return {
    chars: views.reduce((sum, view) => sum + view.length, 0),
    calls: distinct(views.flatMap((view) => readNested(view, readAll))),
    views: squeezed,
    bareViews: [...new Set(squeezed.map(withoutSeparators))],
  };
}

/** Nesting of calls in arguments of calls; transcripts are not deeper. */
const MAX_LEVELS = 3;
/** Shorter than any call. */
const MIN_NESTED_CHARS = 24;

/** Returns the calls of a text and the calls inside their arguments, which a parser skips. */
function readNested(text: string, readAll: ReadAll): readonly CallFacts[] {
  const calls: CallFacts[] = [];
  let level: readonly string[] = [text];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const found = level.flatMap((one) => readAll(one));
    for (const { name, arguments: args, format, rawArguments } of found)
      calls.push({
        ...factsOf(name, args),
        ...(format === "call-line" && rawArguments === "" && { isParenthesized: true }),
      });
    level = found.flatMap(({ arguments: args }) => Object.values(args).filter(mayHoldCall));
  }
  return calls;
}

function mayHoldCall(value: unknown): value is string {
  return typeof value === "string" && value.length >= MIN_NESTED_CHARS && /[<{[]|Action:/.test(value);
}

/** Removes duplicates, because views share most of their calls. */
function distinct(calls: readonly CallFacts[]): readonly CallFacts[] {
  const byContent = new Map<string, CallFacts>();
  for (const call of calls) byContent.set(JSON.stringify([call.tool, [...call.args].sort()]), call);
  return [...byContent.values()];
}
