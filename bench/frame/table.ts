import { type Row, reachText } from "./row.ts";

const HEAD = ["", "what", "value", "", "ratio", "reach", "against"] as const;
const RIGHT = new Set([2, 4, 5]);

/** Formats the rows as text in columns. */
export function tableText(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => (line[at] as string).length)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => (RIGHT.has(at) ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number)))
      .join("  ")
      .trimEnd(),
  );
  const notes = rows.flatMap(({ name, note }) => (note === undefined ? [] : [`  ${name}: ${note}`]));
  return [...text, ...(notes.length === 0 ? [] : ["", ...notes])].join("\n");
}

function cells(row: Row): readonly string[] {
  const status = row.ok === undefined ? "" : row.ok === "void" ? "VOID" : row.ok ? "ok" : "MISSED";
  return [
    status,
    row.name,
    formatValue(row.value),
    row.unit,
    row.ratio === undefined ? "" : `${row.ratio.toFixed(2)}×`,
    reachText(row.reach),
    row.against,
  ];
}

function formatValue(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
