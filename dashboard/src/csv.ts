/** Rows as CSV: one column per field, nested values as JSON. Cells that a spreadsheet would evaluate are escaped. */
export function csvOf(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => cell((row as Record<string, unknown>)[name])).join(","));
  return [names.join(","), ...lines, ""].join("\r\n");
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
