import { present } from "../core/model/narrow.ts";
import type { Colors, Style } from "./format.ts";

export interface Column<T> {
  readonly title: string;
  readonly align?: "right";
  readonly text: (row: T) => string;
  readonly style?: (row: T) => Style | undefined;
  /** May be dropped on a narrow terminal; the highest number first. */
  readonly drop?: number;
}

const GAP = 2;
/** Minimum width of the first column. */
const MIN_WIDTH = 8;
/** Width of the first column below which optional columns are dropped. */
const COMFORTABLE = 24;
const plain: Colors = (_style, text) => text;

/** Renders a table that fits the terminal: drops optional columns, then shortens the first one. */
export function renderTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  width: number,
  paint: Colors = plain,
): string {
  const layout = fitting(
    columns.map((column) => {
      const cells = rows.map((row) => oneLineText(column.text(row)));
      const widest = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(column.title));
      return { column, cells, width: widest };
    }),
    width,
  );
  const line = (cells: readonly string[], styles: readonly (Style | undefined)[]): string => {
    const last = cells.findLastIndex((cell) => cell !== "");
    const padded = layout.slice(0, last + 1).map((one, at) => {
      const cut = shorten(cells[at] ?? "", one.width);
      const space = " ".repeat(Math.max(0, one.width - textWidth(cut)));
      const text = paint(styles[at], cut);
      return one.column.align === "right" ? space + text : at === last ? text : text + space;
    });
    return `${padded.join(" ".repeat(GAP))}\n`;
  };
  const head = line(
    layout.map(({ column }) => column.title),
    layout.map(() => "faint"),
  );
  const body = rows.map((row, at) =>
    line(
      layout.map(({ cells }) => cells[at] ?? ""),
      layout.map(({ column }) => column.style?.(row)),
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
  let columns = all;
  const others = (): number => columns.slice(1).reduce((sum, one) => sum + one.width + GAP, 0);
  for (;;) {
    const first = present(columns[0]);
    if (others() + Math.min(first.width, COMFORTABLE) <= width) break;
    const drops = columns.map(({ column }) => column.drop ?? 0);
    const most = Math.max(...drops);
    if (most === 0) break;
    columns = columns.filter((_one, at) => at !== drops.lastIndexOf(most));
  }
  // Even the required columns do not fit.
  while (columns.length > 2 && others() + MIN_WIDTH > width) columns = columns.slice(0, -1);
  const first = present(columns[0]);
  first.width = Math.max(MIN_WIDTH, Math.min(first.width, width - others()));
  return columns;
}

/**
 * Makes untrusted text safe for one terminal line: tool names come from models. Replaces characters that move the
 * cursor, break the line or change the text direction.
 */
export function oneLineText(text: string): string {
  const line = text.replace(/[\r\n\t][\s]*/g, " ");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to remove
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "�");
}

/** East Asian characters and pictographs take 2 columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu;

/** Width of a text in terminal columns. */
export function textWidth(text: string): number {
  return text.replace(WIDE, "##").length;
}

/** Truncates a text to a width, with an ellipsis. */
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

/** Breaks a text into lines of at most a width, at blanks where possible. The last line may be truncated. */
export function wrapText(text: string, width: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (textWidth(rest) > width && lines.length + 1 < maxLines) {
    const line = fittingPart(rest, width);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return [...lines, shorten(rest, width)];
}

/** The longest start of a text that fits and ends before a word; a part of the first word if that is longer. */
function fittingPart(text: string, width: number): string {
  let fits = "";
  let taken = 0;
  for (const character of text) {
    taken += textWidth(character);
    if (taken > width) break;
    fits += character;
  }
  const blank = text[fits.length] === " " ? fits.length : fits.lastIndexOf(" ");
  return blank <= 0 ? fits : fits.slice(0, blank);
}
