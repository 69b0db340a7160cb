import type { Frame } from "./frames.ts";
import type { JsonValue } from "./safety-case.ts";

/** Where a mentioned call appears: in the sentence, in code, in a quotation, in reasoning. */
export interface Container {
  readonly id: string;
  /** The column of the table: containers of one kind are counted together. */
  readonly family: string;
  compose(call: string, frame: Frame, variant: number): string;
}

const lines = (text: string, prefix: string, first = prefix): string =>
  text
    .split("\n")
    .map((line, index) => `${index === 0 ? first : prefix}${line}`)
    .join("\n");

const oneLine = (text: string): string => text.replaceAll("\n", " ");

/** A run of backticks longer than any in the text, so that the text cannot end the code. */
function backticks(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`{1,1000}/g) ?? []).map((run) => run.length));
  return "`".repeat(longest >= least ? longest + 1 : least);
}

const INFO_STRINGS = ["", "json", "xml", "text", "bash", "python", "markdown", "tool_call", "js {1,3}", "console"];

const pickInfo = (variant: number): string => INFO_STRINGS[variant % INFO_STRINGS.length] ?? "";

function sentence({ before, after }: Frame, call: string): string {
  return [before, call, after].filter((part) => part !== "").join(" ");
}

function blocks({ before, after }: Frame, call: string, separator: string): string {
  return [before, call, after].filter((part) => part !== "").join(separator);
}

const inline = (family: string, id: string, wrap: (call: string) => string): Container => ({
  id,
  family,
  compose: (call, frame) => sentence(frame, wrap(call)),
});

const block = (family: string, id: string, wrap: (call: string, variant: number) => string): Container => ({
  id,
  family,
  compose: (call, frame, variant) => blocks(frame, wrap(call, variant), variant % 3 === 0 ? "\n" : "\n\n"),
});

const around = (family: string, id: string, wrap: (text: string) => string): Container => ({
  id,
  family,
  compose: (call, frame, variant) => wrap(variant % 2 === 0 ? blocks(frame, call, "\n") : blocks(frame, call, "\n\n")),
});

const quotes = (id: string, open: string, close: string): Container =>
  inline("quotes", id, (call) => `${open}${call}${close}`);

const VISIBLE_TEXT = "\n\nThe answer is 42; nothing else is needed.";

export const THOUGHTS: readonly Container[] = [
  around("thought", "think", (text) => `<think>\n${text}\n</think>${VISIBLE_TEXT}`),
  around("thought", "think never closed", (text) => `<think>\n${text}`),
  around("thought", "orphan </think>", (text) => `${text}\n</think>${VISIBLE_TEXT}`),
  around("thought", "thinking", (text) => `<thinking>\n${text}\n</thinking>${VISIBLE_TEXT}`),
  around("thought", "[THINK]", (text) => `[THINK]${text}[/THINK]${VISIBLE_TEXT}`),
  around("thought", "◁think▷", (text) => `◁think▷${text}◁/think▷${VISIBLE_TEXT}`),
  around("thought", "START_THINKING", (text) => `<|START_THINKING|>${text}<|END_THINKING|>${VISIBLE_TEXT}`),
  around("thought", "seed:think", (text) => `<seed:think>\n${text}\n</seed:think>${VISIBLE_TEXT}`),
  around("thought", "scratchpad", (text) => `<scratchpad>\n${text}\n</scratchpad>${VISIBLE_TEXT}`),
  around("thought", "analysis", (text) => `<analysis>\n${text}\n</analysis>${VISIBLE_TEXT}`),
  around("thought", "reasoning", (text) => `<reasoning>\n${text}\n</reasoning>${VISIBLE_TEXT}`),
];

export const CONTAINERS: readonly Container[] = [
  inline("sentence", "in the sentence", (call) => call),
  { id: "own line", family: "own line", compose: (call, frame) => blocks(frame, call, "\n") },
  { id: "own paragraph", family: "own line", compose: (call, frame) => blocks(frame, call, "\n\n") },
  inline("emphasis", "bold", (call) => `**${call}**`),
  inline("emphasis", "italic", (call) => `*${call}*`),
  inline("inline code", "inline code", (call) => {
    const ticks = backticks(call, 1);
    return `${ticks}${ticks.length > 1 ? " " : ""}${call}${ticks.length > 1 ? " " : ""}${ticks}`;
  }),
  inline("inline code", "inline code on one line", (call) => {
    const ticks = backticks(call, 2);
    return `${ticks} ${oneLine(call)} ${ticks}`;
  }),
  block("fence", "three backticks", (call, variant) => {
    const ticks = backticks(call, 3);
    return `${ticks}${pickInfo(variant)}\n${call}\n${ticks}`;
  }),
  block("fence", "four backticks", (call, variant) => {
    const ticks = backticks(call, 4);
    return `${ticks}${pickInfo(variant)}\n${call}\n${ticks}`;
  }),
  block("fence", "tildes", (call, variant) => `~~~${pickInfo(variant)}\n${call}\n~~~`),
  block("fence", "fence in a list", (call) => {
    const ticks = backticks(call, 3);
    return `- Like this:\n${lines(`${ticks}\n${call}\n${ticks}`, "  ")}`;
  }),
  block("fence", "fence never closed", (call) => `${backticks(call, 3)}\n${call}`),
  block("indented code", "four blanks", (call) => lines(call, "    ")),
  block("indented code", "tab", (call) => lines(call, "\t")),
  block("blockquote", "blockquote", (call) => lines(call, "> ")),
  block("blockquote", "lazy blockquote", (call) => lines(call, "", "> ")),
  block("list", "bullet", (call) => lines(call, "  ", "- ")),
  block("list", "number", (call) => `${lines(call, "   ", "1. ")}\n2. Restart the server.`),
  block("table", "table cell", (call) => `| field | value |\n|---|---|\n| raw | ${oneLine(call)} |`),
  inline("HTML", "<code>", (call) => `<code>${call}</code>`),
  block("HTML", "<pre>", (call) => `<pre>\n${call}\n</pre>`),
  block("HTML", "<pre><code>", (call) => `<pre><code class="language-xml">${call}</code></pre>`),
  block("HTML", "<blockquote>", (call) => `<blockquote>\n${call}\n</blockquote>`),
  block("HTML", "comment", (call) => `<!-- ${call} -->`),
  block("HTML", "<details>", (call) => `<details>\n<summary>Raw output</summary>\n\n${call}\n\n</details>`),
  block("HTML", "<example>", (call) => `<example>\n${call}\n</example>`),
  around(
    "HTML",
    "page",
    (text) => `<!DOCTYPE html>\n<html>\n<head><title>Notes</title></head>\n<body>\n${text}\n</body>\n</html>`,
  ),
  block("LaTeX", "verbatim", (call) => `\\begin{verbatim}\n${call}\n\\end{verbatim}`),
  block("LaTeX", "lstlisting", (call) => `\\begin{lstlisting}[language=XML]\n${call}\n\\end{lstlisting}`),
  block("diff", "removed lines", (call) => lines(call, "-")),
  block("diff", "added lines", (call) => `@@ -1,2 +1,9 @@\n context\n${lines(call, "+")}`),
  quotes("straight quotes", '"', '"'),
  quotes("single quotes", "'", "'"),
  quotes("curly quotes", "“", "”"),
  quotes("single curly quotes", "‘", "’"),
  quotes("German quotes", "„", "“"),
  quotes("guillemets", "« ", " »"),
  quotes("reversed guillemets", "»", "«"),
  quotes("single guillemets", "‹", "›"),
  quotes("corner brackets", "「", "」"),
  quotes("white corner brackets", "『", "』"),
  quotes("book title marks", "《", "》"),
  quotes("parentheses", "(", ")"),
  quotes("square brackets", "[", "]"),
  ...THOUGHTS,
];

/** Values that documentation puts where the reader's own value belongs. */
export const PLACEHOLDERS: readonly string[] = [
  "<your terms here>",
  "…",
  "...",
  "your_api_key_here",
  "path/to/file",
  "{{value}}",
  "$VALUE",
  "string",
  "[INSERT VALUE]",
];

/** Replaces every text in a call's arguments. */
export function placeholdersIn(value: JsonValue, placeholder: string): JsonValue {
  if (typeof value === "string") return placeholder;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => placeholdersIn(item, placeholder));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placeholdersIn(item, placeholder)]));
}
