import type { ToolKind } from "../call/tool-kind.ts";
import { hintsInPlace } from "../reason/hints.ts";
import type { TextWindow } from "./text-window.ts";

/** The hints in both ends of a text. */
export interface WindowHints {
  /** Of the first line alone, as far as it belongs to the head. */
  readonly first: number;
  readonly head: number;
  readonly tail: number;
}

/** Characters that are searched for hints. A client's own lines are short; a program prints its reason at the end. */
const HEAD_LENGTH = 200;
const TAIL_LENGTH = 240;
const SHELL_TAIL_LENGTH = 400;

/** Kinds of tools that show text of others: only the head can be their own. */
const SHOWS: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search", "prose"]);

/** Scans both ends of a text for words that rules need. */
export function windowHints({ text, start, end }: TextWindow, kind: ToolKind): WindowHints {
  const stop = Math.min(end, start + HEAD_LENGTH);
  const newline = text.indexOf("\n", start);
  const lineEnd = newline === -1 || newline > stop ? stop : newline;
  const first = hintsInPlace(text, start, lineEnd);
  const head = lineEnd === stop ? first : first | hintsInPlace(text, lineEnd, stop);
  const length = kind === "shell" ? SHELL_TAIL_LENGTH : TAIL_LENGTH;
  return {
    first,
    head,
    tail: stop === end || SHOWS.has(kind) ? 0 : hintsInPlace(text, Math.max(stop, end - length), end),
  };
}
