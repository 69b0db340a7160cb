import type { ToolKind } from "../call/tool-kind.ts";
import { AHEAD, hintsIn, hintsOfBytes } from "../reason/hints.ts";
import { writeBytes } from "./char-bytes.ts";
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

/** The bytes of a head, and a 0 behind them. */
const bytes = new Uint8Array(HEAD_LENGTH + AHEAD + 1);

/** Scans both ends of a text for words that rules need. */
export function windowHints({ text, start, end }: TextWindow, kind: ToolKind): WindowHints {
  const stop = Math.min(end, start + HEAD_LENGTH);
  const newline = text.indexOf("\n", start);
  const lineEnd = newline === -1 || newline > stop ? stop : newline;
  const read = writeBytes(bytes, text, start, Math.min(text.length, stop + AHEAD));
  bytes[read] = 0;
  const first = hintsOfBytes(bytes, 0, lineEnd - start, read);
  const head = lineEnd === stop ? first : first | hintsOfBytes(bytes, lineEnd - start, stop - start, read);
  const length = kind === "shell" ? SHELL_TAIL_LENGTH : TAIL_LENGTH;
  return { first, head, tail: stop === end || SHOWS.has(kind) ? 0 : hintsIn(text, Math.max(stop, end - length), end) };
}
