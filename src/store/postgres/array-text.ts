/** Characters that JSON and PostgreSQL quote differently: control characters and lone surrogates. */
const QUOTED_DIFFERENTLY = /[\p{Cc}\p{Cs}]/u;

/**
 * Formats a PostgreSQL array. Uses JSON.stringify for long texts with many quotes (records): it is twice as fast as
 * replacing.
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += typeof value === "string" ? quoted(value) : String(value ?? "NULL");
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return QUOTED_DIFFERENTLY.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(text);
}
