import type { JsonObject } from "../../model/tool-call.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { envelopeRegions } from "./nearby.ts";
import { squeeze } from "./squeeze.ts";
import { withoutSeparators } from "./unread-call.ts";
import { viewsOf } from "./views.ts";

/** Reads the calls out of a text without judging them: echoes are found with the same readers as calls. */
export type ReadAll = (text: string) => readonly { readonly name: string; readonly arguments: JsonObject }[];

/** What a part of a text holds, in all its views. */
export interface PartContent {
  /** How much was read. */
  readonly chars: number;
  readonly calls: readonly CallFacts[];
  /** Its views, squeezed. */
  readonly views: readonly string[];
  /** The same, without what separates the words of a name. */
  readonly bareViews: readonly string[];
  /** What of them may belong to a call that cannot be read. */
  readonly regions: readonly string[];
}

export function readPart(text: string, readAll: ReadAll): PartContent {
  const views = viewsOf(text);
  const squeezed = [...new Set(views.map(squeeze))];
  return {
    chars: views.reduce((sum, view) => sum + view.length, 0),
    calls: distinct(views.flatMap((view) => readNested(view, readAll))),
    views: squeezed,
    bareViews: [...new Set(squeezed.map(withoutSeparators))],
    regions: squeezed.flatMap(envelopeRegions),
  };
}

/** A call in an argument of a call in an argument: deeper than any transcript. */
const MAX_LEVELS = 3;
/** Shorter than any call. */
const MIN_NESTED_CHARS = 24;

/** The calls of a text and those in their arguments, which a reader passes over. */
function readNested(text: string, readAll: ReadAll): readonly CallFacts[] {
  const calls: CallFacts[] = [];
  let level: readonly string[] = [text];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const found = level.flatMap((one) => readAll(one));
    for (const { name, arguments: args } of found) calls.push(factsOf(name, args));
    level = found.flatMap(({ arguments: args }) => Object.values(args).filter(mayHoldCall));
  }
  return calls;
}

function mayHoldCall(value: unknown): value is string {
  return typeof value === "string" && value.length >= MIN_NESTED_CHARS && /[<{[]|Action:/.test(value);
}

/** Views share most of their calls. */
function distinct(calls: readonly CallFacts[]): readonly CallFacts[] {
  const byContent = new Map<string, CallFacts>();
  for (const call of calls) byContent.set(JSON.stringify([call.tool, [...call.args].sort()]), call);
  return [...byContent.values()];
}
