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

/** Names come from models: a spreadsheet must not take one for a formula, and a terminal none for a command. */
function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
  return /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
}
