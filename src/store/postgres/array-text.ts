/** Where JSON and PostgreSQL write a text in quotes differently: control characters, and halves of characters. */
const WRITTEN_OTHERWISE = /[\p{Cc}\p{Cs}]/u;

/** A list as PostgreSQL reads one. Long texts full of quotes (records) are most of what is written: JSON.stringify quotes them twice as fast as replacing does. */
export function arrayText(values: readonly (string | number | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += typeof value === "string" ? quoted(value) : String(value ?? "NULL");
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return WRITTEN_OTHERWISE.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : JSON.stringify(text);
}
