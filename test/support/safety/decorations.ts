import { Buffer } from "node:buffer";

/**
 * How a file, a page or a log shows text to a model. A decoration changes the whole result, not only the call in it.
 * Compressed data and ciphers are out of scope: nothing that reads text undoes them.
 */
export interface Decoration {
  readonly id: string;
  apply(text: string): string;
}

const ESCAPE = "\u001b";
const ZERO_WIDTH_SPACE = "\u200b";
const WORD_JOINER = "\u2060";

/** Prefixes every line; the number is the line's own, starting at `first`. */
const lines =
  (prefix: (line: number, text: string) => string, suffix = "", first = 1) =>
  (text: string): string =>
    text
      .split("\n")
      .map((line, index) => `${prefix(index + first, line)}${line}${suffix}`)
      .join("\n");

const replaceEach =
  (table: Readonly<Record<string, string>>) =>
  (text: string): string =>
    Array.from(text, (character) => table[character] ?? character).join("");

const NAMED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const DECIMAL = { "&": "&#38;", "<": "&#60;", ">": "&#62;", '"': "&#34;", "'": "&#39;" };
const HEX = { "&": "&#x26;", "<": "&#x3c;", ">": "&#x3E;", '"': "&#x22;", "'": "&#x27;" };
const encodeNamed = replaceEach(NAMED);

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES = { a: "а", e: "е", o: "о", p: "р", c: "с", x: "х", i: "і" };
const SMALL_FORMS = { "<": "﹤", ">": "﹥", "{": "﹛", "}": "﹜", ":": "﹕" };

const fullWidth = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : character;
  }).join("");

/** Colors every word, as a highlighter for terminals does. */
const colorWords = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/[A-Za-z_]{2,30}/g, (word) => `${ESCAPE}[36m${word}${ESCAPE}[0m`))
    .join("\n");

/** Wraps words and punctuation in spans, as a highlighter for web pages does. */
const highlight = (text: string): string =>
  `<div class="highlight"><pre><span></span>${text
    .split(/([A-Za-z_]{1,60}|[^A-Za-z_\s])/)
    .map((part, index) =>
      index % 2 === 0 ? part : `<span class="${/\w/.test(part) ? "nt" : "p"}">${encodeNamed(part)}</span>`,
    )
    .join("")}</pre></div>`;

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

const wrapAt =
  (width: number) =>
  (text: string): string =>
    text
      .split("\n")
      .flatMap((line) => {
        const characters = Array.from(line);
        const rows = [];
        for (let start = 0; start < Math.max(1, characters.length); start += width) {
          rows.push(characters.slice(start, start + width).join(""));
        }
        return rows;
      })
      .join("\n");

const quotedPrintable = (text: string): string =>
  Array.from(Buffer.from(text, "utf8"), (byte) =>
    byte === 0x0a || (byte >= 0x20 && byte < 0x7f && byte !== 0x3d && byte !== 0x3c)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");

const unicodeEscapes = (text: string): string =>
  JSON.stringify({ html: text }).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

const notebook = (text: string): string =>
  JSON.stringify(
    {
      cells: [
        {
          cell_type: "markdown",
          metadata: {},
          source: text.split("\n").map((line, index, all) => (index < all.length - 1 ? `${line}\n` : line)),
        },
      ],
      nbformat: 4,
      nbformat_minor: 5,
    },
    null,
    1,
  );

const diffHunk = (text: string): string => {
  const added = text.split("\n");
  return [
    "diff --git a/docs/notes.md b/docs/notes.md",
    "index 3b18e51..a9c2f00 100644",
    "--- a/docs/notes.md",
    "+++ b/docs/notes.md",
    `@@ -10,3 +10,${added.length + 3} @@ ## Notes`,
    " The paragraph before.",
    " ",
    ...added.map((line) => `+${line}`),
    "-The line that was removed.",
    " The paragraph after.",
  ].join("\n");
};

/** In `grep -C`, only the matching line has colons. */
const grepContext = (text: string): string =>
  text
    .split("\n")
    .map((line, index) => (index === 2 ? `src/notes.ts:${index + 10}:${line}` : `src/notes.ts-${index + 10}-${line}`))
    .join("\n");

export const DECORATIONS: readonly Decoration[] = [
  { id: "as it is", apply: (text) => text },
  { id: "number and arrow", apply: lines((line) => `${String(line).padStart(6)}→`) },
  { id: "number and tab", apply: lines((line) => `${line}\t`) },
  { id: "padded number and tab", apply: lines((line) => `${String(line).padStart(6)}\t`, "", 96) },
  { id: "number and bar", apply: lines((line) => `${line} | `) },
  { id: "zero-padded number and bar", apply: lines((line) => `${String(line).padStart(5, "0")}| `) },
  { id: "number and colon", apply: lines((line) => `${line}:`, "", 12) },
  { id: "number, colon and blank", apply: lines((line) => `${line}: `, "", 7) },
  { id: "file, number and colon", apply: lines((line) => `src/notes.ts:${line}:`, "", 12) },
  { id: "grep -C", apply: grepContext },
  { id: "plus", apply: lines(() => "+") },
  { id: "minus", apply: lines(() => "-") },
  { id: "diff hunk", apply: diffHunk },
  { id: "quote", apply: lines(() => "> ") },
  { id: "nested quote", apply: lines(() => "> > ") },
  { id: "hash comment", apply: lines(() => "# ") },
  { id: "slash comment", apply: lines(() => "// ") },
  { id: "star comment", apply: (text) => `/**\n${lines(() => " * ")(text)}\n */` },
  { id: "dash comment", apply: lines(() => "-- ") },
  { id: "table cell", apply: lines(() => "| ", " |") },
  { id: "box", apply: lines(() => "│ ", " │") },
  { id: "indented by blanks", apply: lines(() => "        ") },
  { id: "indented by tabs", apply: lines(() => "\t\t") },
  { id: "CRLF", apply: (text) => text.replaceAll("\n", "\r\n") },
  { id: "color per line", apply: lines(() => `${ESCAPE}[32m`, `${ESCAPE}[0m`) },
  { id: "color per word", apply: colorWords },
  {
    id: "git blame",
    apply: lines(
      (line) => `^a81f0c2 (Ann Example 2026-03-0${(line % 9) + 1} 10:11:12 +0100 ${String(line).padStart(3)}) `,
    ),
  },
  { id: "cat -A", apply: (text) => lines(() => "", "$")(text.replaceAll("\t", "^I")) },
  {
    id: "log prefix",
    apply: lines((line) => `2026-03-01T10:00:${String(line % 60).padStart(2, "0")}.120Z INFO [agent] `),
  },
  { id: "container prefix", apply: lines(() => "web-1  | ") },
  { id: "named entities", apply: encodeNamed },
  { id: "decimal entities", apply: replaceEach(DECIMAL) },
  { id: "hex entities", apply: replaceEach(HEX) },
  { id: "double-encoded entities", apply: (text) => encodeNamed(encodeNamed(text)) },
  { id: "highlighter spans", apply: highlight },
  { id: "CDATA", apply: (text) => `<item><description><![CDATA[${text}]]></description></item>` },
  { id: "URL encoding", apply: (text) => `https://example.org/share?text=${encodeURIComponent(text)}&via=notes` },
  { id: "base64", apply: (text) => `payload: ${base64(text)}` },
  { id: "wrapped base64", apply: (text) => wrapAt(76)(base64(text)) },
  { id: "quoted-printable", apply: quotedPrintable },
  { id: "zero-width characters", apply: (text) => Array.from(text).join(ZERO_WIDTH_SPACE) },
  { id: "word joiners in tags", apply: (text) => text.replaceAll(/[<{[|]/g, (sign) => `${sign}${WORD_JOINER}`) },
  { id: "full-width letters", apply: fullWidth },
  { id: "look-alike letters", apply: replaceEach(LOOKALIKES) },
  { id: "small form signs", apply: replaceEach(SMALL_FORMS) },
  { id: "smart quotes", apply: (text) => text.replaceAll(/"([^"\n]{0,200})"/g, "“$1”") },
  { id: "JSON string", apply: (text) => JSON.stringify({ ok: true, body: text }) },
  { id: "JSON string in JSON", apply: (text) => JSON.stringify({ data: JSON.stringify({ body: text }) }) },
  { id: "JSON with \\u escapes", apply: unicodeEscapes },
  { id: "JSON array of lines", apply: (text) => JSON.stringify({ lines: text.split("\n") }, null, 2) },
  { id: "notebook cell", apply: notebook },
  {
    id: "Python repr",
    apply: (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`,
  },
  { id: "CSV cell", apply: (text) => `id,comment\n17,"${text.replaceAll('"', '""')}"\n` },
  { id: "SQL string", apply: (text) => `INSERT INTO notes VALUES (17, '${text.replaceAll("'", "''")}');` },
  { id: "YAML block", apply: (text) => `note: |\n${lines(() => "  ")(text)}` },
  { id: "Markdown fence", apply: (text) => `# Notes\n\n~~~~\n${text}\n~~~~\n` },
  { id: "wrapped at 60 columns", apply: wrapAt(60) },
  { id: "wrapped and boxed", apply: (text) => lines(() => "│ ", " │")(wrapAt(44)(text)) },
];
