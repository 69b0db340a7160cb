import fc from "fast-check";
import type { RecoverOptions } from "../../src/core/recover/index.ts";
import { FIRST_LEAKS, FIRST_NO_LEAKS } from "../fixtures/leaks/first/index.ts";
import { LEAK_TOOLS } from "../fixtures/leaks/leak.ts";
import { SECOND_LEAKS, SECOND_NO_LEAKS } from "../fixtures/leaks/second/index.ts";
import { FIXTURES, TOOLS } from "./recover-fixtures.ts";

/** All valid leaks. */
export const LEAK_TEXTS: readonly string[] = [
  ...FIXTURES.map((fixture) => fixture.text),
  ...[...FIRST_LEAKS, ...SECOND_LEAKS].flatMap(([, leaks]) => leaks.map(([, text]) => text)),
];
const NO_LEAK_TEXTS: readonly string[] = [...FIRST_NO_LEAKS, ...SECOND_NO_LEAKS].flatMap(([, texts]) =>
  texts.map(([, text]) => text),
);

/** The markers of all formats, taken from the leaks themselves, so that a new format adds its own. */
const MARKS: readonly string[] = [
  ...new Set(
    LEAK_TEXTS.flatMap((text) => text.match(/<[^<>\s]{1,40}>|\[\/?[A-Z_]{2,20}\]|✿\w+✿:?|\]<\]\w+\[>\[/gu) ?? []),
  ),
  ...["```", "```json\n", "```tool_code\n", "~~~\n", "`", "> ", ">>>", "\n", "\n\n", "\r\n", "    ", " ", "\t", ":"],
  ...["{", "}", "[", "]", '"', "'", "\\", ",", ";", "<", ">", "|", "｜", "/", "=", "(", ")", "&lt;", "&amp;", "<!--"],
  ...["<think>", "</think>", "[THINK]", "[/THINK]", "<|channel|>analysis<|message|>", "<|end|>", "to=self<|message|>"],
  ...[
    "Observation:",
    "<tool_response>",
    "[TOOL_RESULTS]",
    "court\n",
    "call\n",
    "count\n",
    "Action:",
    "call:",
    "to=functions.",
  ],
  ...[
    "functools",
    "search",
    "list_tasks",
    "wait()",
    "{}",
    "<|im_end|>",
    "</s>",
    "<|start|>",
    "<|call|>",
    "assistantcommentary ",
  ],
];
const PROSE: readonly string[] = [
  ...[
    "Let me see. ",
    "The court\nwill call.",
    "a < b && c > d",
    "naïve 🐑 text — 東京 ",
    "é",
    "\ud83d",
    "\udc11",
    "count ",
  ],
  ...[
    "- item\n- `code` here\n",
    "## Heading\n\n",
    "| a | b |\n|---|---|\n",
    "See [1](https://x.example/<y>).\n",
    "analysis",
  ],
  ...[
    "```ts\nconst a = f(1);\n```\n",
    '<div class="a">x</div>\n',
    '{"name": "Ada"}\n',
    "[1, 2]\n",
    "assistant commentary ",
  ],
];

type Mutation =
  | { readonly kind: "cut"; readonly from: number; readonly length: number }
  | { readonly kind: "insert"; readonly at: number; readonly mark: string }
  | { readonly kind: "repeat"; readonly from: number; readonly length: number }
  | { readonly kind: "keep"; readonly from: number; readonly length: number };

/** A position in a text, as a fraction of its length, so that it shrinks well. */
const place = fc.nat(999);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), from: place, length: fc.nat(30) }),
  fc.record({ kind: fc.constant("insert" as const), at: place, mark: fc.constantFrom(...MARKS) }),
  fc.record({ kind: fc.constant("repeat" as const), from: place, length: fc.nat(60) }),
  fc.record({ kind: fc.constant("keep" as const), from: place, length: fc.nat(400) }),
);

function mutate(text: string, how: Mutation): string {
  const at = Math.floor(((how.kind === "insert" ? how.at : how.from) / 1000) * (text.length + 1));
  if (how.kind === "insert") return text.slice(0, at) + how.mark + text.slice(at);
  const end = at + how.length;
  if (how.kind === "cut") return text.slice(0, at) + text.slice(end);
  return how.kind === "keep" ? text.slice(at, end) : text.slice(0, end) + text.slice(at, end) + text.slice(end);
}

const leak = fc.constantFrom(...LEAK_TEXTS);
const mutated = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: leak }, { weight: 1, arbitrary: fc.constantFrom(...NO_LEAK_TEXTS) }),
    fc.array(mutation, { maxLength: 3 }),
  )
  .map(([text, mutations]) => mutations.reduce(mutate, text));
const wrapped = fc
  .tuple(
    fc.constantFrom(
      ["```\n", "\n```"],
      ["```json\n", "\n```\n"],
      ["<think>", "</think>"],
      ["`", "`"],
      ['"', '"'],
      ["> ", "\n"],
      ["~~~\n", "\n~~~\n"],
      ["    ", ""],
    ),
    mutated,
  )
  .map(([[open, close], text]) => open + text + close);
const piece = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 3, arbitrary: fc.constantFrom(...PROSE) },
  { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 1, arbitrary: wrapped },
);

/** Texts that are calls, almost calls, or fragments of calls, in any context. */
export const nearCall = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));

/** All modes and options except `newId`, which belongs to one run. */
export const anyOptions: fc.Arbitrary<RecoverOptions> = fc
  .record({
    mode: fc.constantFrom("safe" as const, "safe" as const, "eager" as const, "strict" as const),
    think: fc.constantFrom("whole" as const, "never" as const, "always" as const),
    startsInThink: fc.boolean(),
    tools: fc.constantFrom(LEAK_TOOLS, [...LEAK_TOOLS, ...TOOLS], []),
    maxCandidateChars: fc.constantFrom(4_000_000, 4_000_000, 120, 40),
    formats: fc.constantFrom(undefined, undefined, undefined, ["hermes-json"], ["harmony", "bare-json"]),
    context: fc.constantFrom([], [], ['Say <tool_call>{"name": "search", "arguments": {"query": "jam"}}</tool_call>']),
  })
  .map(({ formats, ...rest }) => (formats === undefined ? rest : { ...rest, formats }));
