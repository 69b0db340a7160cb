/** A column of a table for people. */
export interface Column<T> {
  readonly title: string;
  readonly align?: "right";
  readonly text: (row: T) => string;
}

/** Lays out a table that fits the terminal: the first column gives way when it must. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], width: number): string {
  const cells = rows.map((row) => columns.map(({ text }) => oneLineText(text(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => (row[at] as string).length)),
  );
  const others = widths.slice(1).reduce((sum, one) => sum + one + 2, 0);
  widths[0] = Math.max(8, Math.min(widths[0] as number, width - others));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => {
        const cut = shorten(cell, widths[at] as number);
        return columns[at]?.align === "right" ? cut.padStart(widths[at] as number) : cut.padEnd(widths[at] as number);
      })
      .join("  ")
      .trimEnd();
  return [columns.map(({ title }) => title), ...cells].map((row) => `${line(row)}\n`).join("");
}

/** Names come from models: nothing that moves the cursor, ends the line or turns its direction reaches the terminal. */
export function oneLineText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "�");
}

function shorten(text: string, width: number): string {
  // Without the half of a character that the cut may leave.
  return text.length <= width ? text : `${text.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
