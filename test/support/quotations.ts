/**
 * Ways in which a text can reach a model again: numbered, marked, escaped, encoded or cut by the tool that shows it.
 */

const lines = (text: string, write: (line: string, at: number) => string): string =>
  text.split("\n").map(write).join("\n");

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

const wrapped = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");

const dumped = (text: string): string =>
  [
    ...Buffer.from(text, "utf8")
      .toString("hex")
      .matchAll(/.{1,32}/g),
  ]
    .map(([row], at) => `${(at * 16).toString(16).padStart(8, "0")}  ${row.replace(/../g, "$& ")}`)
    .join("\n");

const named = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");

const coded = (text: string, write: (code: number) => string): string =>
  text.replace(/[<>"'&{}[\]]/g, (mark) => write(mark.charCodeAt(0)));

const percent = (text: string): string => encodeURIComponent(text.toWellFormed());

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const imitated = (text: string, letters: string): string => {
  const imitations = [...letters];
  return text.replace(/[a-z]/g, (letter) => imitations[LETTERS.indexOf(letter)] ?? letter);
};

const CYRILLIC = "аbсdеfgһіјklmnорqrѕtuvwхуz";
const GREEK = "αbcdεfghιjklmnοpqrstυvwxyz";

const highlighted = (text: string): string =>
  named(text).replace(
    /[A-Za-z_]+|&(?:lt|gt|quot|apos|amp);/g,
    (token) => `<span class="hljs-${token.startsWith("&") ? "tag" : "name"}">${token}</span>`,
  );

/** Each returns the texts that the model is given: one, or several consecutive results. */
export const DECORATIONS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "as it is": (text) => [text],
  indented: (text) => [lines(text, (line) => `      ${line}`)],
  "numbered with an arrow": (text) => [lines(text, (line, at) => `${String(at + 1).padStart(6)}→${line}`)],
  "numbered with a tab": (text) => [lines(text, (line, at) => `${at + 1}\t${line}`)],
  "numbered with a bar": (text) => [lines(text, (line, at) => `${at + 1} | ${line}`)],
  "numbered with zeros": (text) => [lines(text, (line, at) => `${String(at + 1).padStart(5, "0")}| ${line}`)],
  "numbered with a colon": (text) => [lines(text, (line, at) => `${at + 12}:${line}`)],
  "numbered with a colon and a blank": (text) => [lines(text, (line, at) => `${at + 8}: ${line}`)],
  "found by grep": (text) => [lines(text, (line, at) => `src/docs/file.ts:${at + 12}:${line}`)],
  "found by grep, around a match": (text) => [lines(text, (line, at) => `src/file.ts-${at + 12}-${line}`)],
  "added in a diff": (text) => [`@@ -1,0 +1,9 @@\n${lines(text, (line) => `+${line}`)}`],
  "removed in a diff": (text) => [lines(text, (line) => `-${line}`)],
  "quoted in a mail": (text) => [lines(text, (line) => `> ${line}`)],
  "quoted twice": (text) => [lines(text, (line) => `>> ${line}`)],
  "commented out with #": (text) => [lines(text, (line) => `# ${line}`)],
  "commented out with //": (text) => [lines(text, (line) => `// ${line}`)],
  "in a block comment": (text) => [`/**\n${lines(text, (line) => ` * ${line}`)}\n */`],
  "in a table": (text) => [lines(text, (line) => `| ${line} |`)],
  "in a box": (text) => [`┌──────┐\n${lines(text, (line) => `│ ${line} │`)}\n└──────┘`],
  "blamed by git": (text) => [
    lines(text, (line, at) => `^1a2b3c4 (Jane Doe 2026-01-02 10:00:00 +0100 ${String(at + 1).padStart(3)}) ${line}`),
  ],
  "blamed by git with a path": (text) => [
    lines(text, (line, at) => `9f8e7d6c docs/page.md (J. Doe 2025-11-30 23:59:59 -0500 ${at + 1}) ${line}`),
  ],
  "shown by cat -A": (text) => [lines(text, (line, at) => `${String(at + 1).padStart(6)}^I${line}$`)],
  "in a log": (text) => [lines(text, (line) => `2026-01-02T10:00:00.123Z INFO ${line}`)],
  "in the log of a service": (text) => [lines(text, (line) => `web-1  | ${line}`)],
  "numbered and quoted": (text) => [lines(text, (line, at) => `> ${at + 1}: + ${line}`)],
  "named entities": (text) => [named(text)],
  "named entities, twice": (text) => [named(named(text))],
  "decimal entities": (text) => [coded(text, (code) => `&#${code};`)],
  "hexadecimal entities": (text) => [coded(text, (code) => `&#x${code.toString(16)};`)],
  "decimal entities, encoded again": (text) => [named(coded(text, (code) => `&#${code};`))],
  "highlighted page": (text) => [`<pre><code class="hljs">${highlighted(text)}</code></pre>`],
  "highlighted page with numbers": (text) => [
    `<table>${lines(text, (line, at) => `<tr><td class="num">${at + 1}</td><td>${highlighted(line)}</td></tr>`)}</table>`,
  ],
  "percent encoding": (text) => [percent(text)],
  "percent encoding of a form": (text) => [`text=${percent(text).replaceAll("%20", "+")}`],
  "percent encoding, twice": (text) => [percent(percent(text))],
  base64: (text) => [`Content: ${base64(text)}`],
  "base64 over lines": (text) => [wrapped(base64(text), 76)],
  "base64 over quoted lines": (text) => [lines(wrapped(base64(text), 60), (line) => `> ${line}`)],
  "base64 for URLs": (text) => [Buffer.from(text, "utf8").toString("base64url")],
  "base64 of escaped JSON": (text) => [base64(JSON.stringify({ text }))],
  "zero-width characters": (text) => [text.replace(/([a-z])([a-z])/gi, "$1\u200b$2")],
  "soft hyphens": (text) => [text.replace(/([a-z]{2})([a-z])/gi, "$1\u00ad$2")],
  "joiners and direction marks": (text) => [`\u202a${text.replace(/([a-z]{3})/gi, "$1\u2060\u200d")}\u202c`],
  "full-width forms": (text) => [
    text.replace(/[!-~]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + 0xfee0)).replaceAll(" ", "\u3000"),
  ],
  "Cyrillic letters": (text) => [imitated(text, CYRILLIC)],
  "Greek letters": (text) => [imitated(text, GREEK)],
  "mathematical letters": (text) => [
    text.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d41a + LETTERS.indexOf(letter))),
  ],
  "tags that nobody sees": (text) => [
    `Hello${text.replace(/[\n -~]/g, (mark) => String.fromCodePoint(0xe0000 + mark.charCodeAt(0)))}`,
  ],
  "typographic quotes": (text) => [text.replace(/"([^"\n]*)"/g, "“$1”").replace(/'([^'\n]*)'/g, "‘$1’")],
  "special spaces": (text) => [text.replaceAll(" ", "\u00a0")],
  colors: (text) => [text.replace(/[A-Za-z_]+/g, (word) => `\x1b[38;5;12m${word}\x1b[0m`)],
  "colors of cat -A": (text) => [text.replace(/[A-Za-z_]+/g, (word) => `^[[32m${word}^[[0m`)],
  "a string in JSON": (text) => [JSON.stringify({ stdout: text, exit: 0 })],
  "a string in JSON in JSON": (text) => [JSON.stringify({ output: JSON.stringify({ stdout: text }) })],
  "a list of lines in JSON": (text) => [JSON.stringify({ lines: text.split("\n") })],
  "a list of lines in JSON, over lines": (text) => [JSON.stringify({ lines: text.split("\n") }, undefined, 2)],
  "a cell of a notebook": (text) => [
    JSON.stringify({ cells: [{ cell_type: "raw", source: text.split(/(?<=\n)/) }] }, undefined, 1),
  ],
  "a part of JSON that is cut": (text) => [`{"stdout": ${JSON.stringify(text)}, "stderr": "…`],
  "escaped for Markdown": (text) => [text.replace(/[<>[\]_*{}#|`]/g, "\\$&")],
  "a hexadecimal dump": (text) => [dumped(text)],
  "broken in the middle of words": (text) => [wrapped(text, 23)],
  "broken in the middle of words, in a box": (text) => [lines(wrapped(text, 19), (line) => `│ ${line} │`)],
  "broken in the middle of words, numbered": (text) => [lines(wrapped(text, 31), (line, at) => `  ${at + 7}→${line}`)],
  "with a line about lines that were left out": (text) => [
    `${text.slice(0, text.length >> 1)}\n… 0 lines omitted …\n${text.slice(text.length >> 1)}`,
  ],
  "in a fence": (text) => [`See:\n\n~~~~yaml\n${text}\n~~~~\n`],
  "over two results": (text) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)],
  "over three results": (text) => [
    text.slice(0, text.length / 3),
    text.slice(text.length / 3, (2 * text.length) / 3),
    text.slice((2 * text.length) / 3),
  ],
  "over three pages that say so": (text) => [
    `page 1 of 3\n${text.slice(0, text.length / 3)}`,
    `page 2 of 3\n${text.slice(text.length / 3, (2 * text.length) / 3)}`,
    `page 3 of 3\n${text.slice((2 * text.length) / 3)}`,
  ],
  "over two numbered results": (text) => {
    const numbered = text.split("\n").map((line, at) => `${String(at + 1).padStart(6)}→${line}`);
    const half = Math.ceil(numbered.length / 2);
    return [`${numbered.slice(0, half).join("\n")}\n`, numbered.slice(half).join("\n")];
  },
};
