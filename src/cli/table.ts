import type { Colors, Style } from "./format.ts";

/** A column of a table for people. */
export interface Column<T> {
  readonly title: string;
  readonly align?: "right";
  readonly text: (row: T) => string;
  readonly style?: (row: T) => Style | undefined;
  /** May be left out where the terminal is narrow; the highest number goes first. */
  readonly drop?: number;
}

const GAP = 2;
/** So much of the first column is always shown. */
const LEAST = 8;
/** … and so much of it before a column that may go is shown. */
const COMFORTABLE = 24;
const plain: Colors = (_style, text) => text;

/** Lays out a table that fits the terminal: columns that may go are left out, then the first one gives way. */
export function renderTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number,
  paint: Colors = plain,
): string {
  const laid = fitting(
    columns.map((column) => {
      const cells = rows.map((row) => oneLineText(column.text(row)));
      const widest = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(column.title));
      return { column, cells, width: widest };
    }),
    width,
  );
  const line = (cells: readonly string[], styles: readonly (Style | undefined)[]): string => {
    const last = cells.findLastIndex((cell) => cell !== "");
    const padded = laid.slice(0, last + 1).map((one, at) => {
      const cut = shorten(cells[at] as string, one.width);
      const space = " ".repeat(Math.max(0, one.width - textWidth(cut)));
      const text = paint(styles[at], cut);
      return one.column.align === "right" ? space + text : at === last ? text : text + space;
    });
    return `${padded.join(" ".repeat(GAP))}\n`;
  };
  const head = line(
    laid.map(({ column }) => column.title),
    laid.map(() => "faint"),
  );
  const body = rows.map((row, at) =>
    line(
      laid.map(({ cells }) => cells[at] as string),
      laid.map(({ column }) => column.style?.(row)),
    ),
  );
  return [head, ...body].join("");
}

interface Laid<T> {
  readonly column: Column<T>;
  readonly cells: readonly string[];
  width: number;
}

function fitting<T>(all: Laid<T>[], width: number): readonly Laid<T>[] {
  let kept = all;
  const others = (): number => kept.slice(1).reduce((sum, one) => sum + one.width + GAP, 0);
  for (;;) {
    const first = kept[0] as Laid<T>;
    if (others() + Math.min(first.width, COMFORTABLE) <= width) break;
    const drops = kept.map(({ column }) => column.drop ?? 0);
    const most = Math.max(...drops);
    if (most === 0) break;
    kept = kept.filter((_one, at) => at !== drops.lastIndexOf(most));
  }
  // Even what should stay has no room.
  while (kept.length > 2 && others() + LEAST > width) kept = kept.slice(0, -1);
  const first = kept[0] as Laid<T>;
  first.width = Math.max(LEAST, Math.min(first.width, width - others()));
  return kept;
}

/** Names come from models: nothing that moves the cursor, ends the line or turns its direction reaches the terminal. Lines become one. */
export function oneLineText(text: string): string {
  const line = text.replace(/[\r\n\t][\s]*/g, " ");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "�");
}

/** Characters of East Asian scripts and pictures take two places. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu;

/** How many places a text takes in a terminal. */
export function textWidth(text: string): number {
  return text.replace(WIDE, "##").length;
}

/** As much of a text as has room, with a sign that there was more. */
export function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let taken = 1;
  for (const character of text) {
    taken += textWidth(character);
    if (taken > width) break;
    cut += character;
  }
  return `${cut}…`;
}
