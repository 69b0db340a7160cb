/** Comma-separated values: a header, then a line per row. What is not there is an empty cell. */
export function renderCsv<T extends object>(fields: readonly (keyof T & string)[], rows: readonly T[]): string {
  return [fields.join(","), ...rows.map((row) => fields.map((name) => cell(row[name])).join(","))]
    .map((line) => `${line}\n`)
    .join("");
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? harmless(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Names come from models: a spreadsheet must not take one for a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
