import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect } from "../../src/core/recover/extract.ts";
import {
  createLeakScanner,
  type Extraction,
  extractToolCalls,
  type RecoverOptions,
} from "../../src/core/recover/index.ts";
import { FIXTURES, TOOLS } from "./recover-fixtures.ts";

function options(): RecoverOptions {
  let id = 0;
  return { tools: TOOLS, newId: () => `id-${id++}` };
}

function streamed(text: string, cuts: readonly number[]): Extraction {
  const scanner = createLeakScanner(options());
  const events = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    events.push(...scanner.push(text.slice(from, cut)));
    from = cut;
  }
  return collect([...events, ...scanner.end()]);
}

/** Text deltas and the spans of calls, concatenated. */
function rebuilt(text: string, got: Extraction): string {
  const spans = got.matches.filter((match) => match.kind === "call").map((match) => match.span);
  let out = "";
  let used = 0;
  let at = 0;
  for (const span of spans) {
    const before = span.start - at;
    out += got.content.slice(used, used + before) + text.slice(span.start, span.end);
    used += before;
    at = span.end;
  }
  return out + got.content.slice(used);
}

/** Fragments of openers, closers and bodies, so that random texts resemble calls. */
const PIECES = [
  ...[
    "<tool_call>",
    "</tool_call>",
    "<function=open_door>",
    "</function>",
    "<parameter=room>",
    "</parameter>",
    '<invoke name="wait">',
    "</invoke>",
    "<think>",
    "</think>",
    "<tools>",
    "<",
  ],
  ...[
    '{"name": "open_door", "arguments": {"room": "hall"}}',
    '{"name": "wait"}',
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "\\",
    ":",
    ",",
    "```json\n",
    "```\n",
    "`",
    "~~~\n",
    "> ",
    "\n",
    "\n\n",
    "    ",
    " ",
    "\t",
  ],
  ...[
    "<｜DSML｜",
    "<|tool_call_begin|>",
    "functions.wait:0",
    "<|tool_call_argument_begin|>",
    "[TOOL_CALLS]",
    "functools",
    "call:wait{}",
    "wait()",
    "[wait()]",
    "Action: wait\n",
    "Action Input: {}",
    "Observation:",
    "court\n",
  ],
  ...[
    "<arg_key>room</arg_key>",
    "<arg_value>hall</arg_value>",
    "<wait/>",
    "<open_door>",
    "room: hall\n",
    "</open_door>",
    "]<]minimax[>[",
    "<|open|>",
    "<|sep|>",
    "to=functions.",
    "✿FUNCTION✿: wait\n✿ARGS✿: {}",
    "word",
    "é",
    "🐑",
  ],
];
const nearCalls = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));
const anyText = fc.oneof(
  { weight: 4, arbitrary: nearCalls },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);

describe("splitting a text into chunks", () => {
  it("extraction gives the same result for every fixture at every split point", () => {
    for (const { text } of FIXTURES) {
      const whole = extractToolCalls(text, options());
      for (let cut = 1; cut < text.length; cut++) expect(streamed(text, [cut]), `${text} cut at ${cut}`).toEqual(whole);
    }
  });

  it("extraction gives the same result for every fixture one UTF-16 unit at a time, also with text around it", () => {
    for (const { text } of FIXTURES) {
      const around = `Well.\n\n${text}\n\nSo much for that.`;
      for (const one of [text, around]) {
        const cuts = Array.from({ length: one.length - 1 }, (_, i) => i + 1);
        expect(streamed(one, cuts), one).toEqual(extractToolCalls(one, options()));
      }
    }
  });

  it("extraction gives the same result for every byte split of UTF-8", () => {
    for (const { text } of FIXTURES.filter((fixture) => /[^\x20-\x7f\n]/.test(fixture.text))) {
      const bytes = new TextEncoder().encode(text);
      for (let cut = 1; cut < bytes.length; cut++) {
        const decoder = new TextDecoder();
        const first = decoder.decode(bytes.subarray(0, cut), { stream: true });
        expect(streamed(text, [first.length]).toolCalls.length).toBe(
          extractToolCalls(text, options()).toolCalls.length,
        );
      }
    }
  });

  it("extraction gives the same result for random texts near calls and random splits", () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(400), { maxLength: 12 }), (text, numbers) => {
        const cuts = [...new Set(numbers.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
        expect(streamed(text, cuts)).toEqual(extractToolCalls(text, options()));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the output of the scanner", () => {
  it("the output equals the input as text deltas plus spans", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(rebuilt(text, extractToolCalls(text, options()))).toBe(text);
      }),
      { numRuns: 3000 },
    );
    for (const { text } of FIXTURES) expect(rebuilt(text, extractToolCalls(text, options()))).toBe(text);
  });

  it("the output equals text without calls byte for byte", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const got = extractToolCalls(text, options());
        if (got.toolCalls.length === 0) expect(got.content).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("the output never retracts what was emitted", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const scanner = createLeakScanner(options());
        let out = "";
        for (const unit of text) for (const event of scanner.push(unit)) if (event.kind === "text") out += event.text;
        const before = out;
        for (const event of scanner.end()) if (event.kind === "text") out += event.text;
        expect(extractToolCalls(text, options()).content.startsWith(before)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("the output contains no further call on the fixtures", () => {
    for (const { text } of FIXTURES) {
      const first = extractToolCalls(text, options());
      expect(extractToolCalls(first.content, options())).toMatchObject({ content: first.content, toolCalls: [] });
    }
  });
});

describe("very large inputs", () => {
  const KB = 1024;
  const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
  const shapes: Readonly<Record<string, string>> = {
    "repeated openers": fill("<tool_call>", 512 * KB),
    "openers of every kind": fill(
      '<tool_calls><invoke name="f"><|tool_call_begin|>[TOOL_CALLS]<function=g><｜DSML｜tool_calls>',
      512 * KB,
    ),
    "unclosed openers": fill('<tool_call>{"name": "x", "arguments": {"a": "', 512 * KB),
    "unclosed parameters": fill("<function=f><parameter=a>", 512 * KB),
    "nested braces": `<tool_call>${"{".repeat(100_000)}`,
    "nested objects": `<tool_call>${'{"a":'.repeat(100_000)}`,
    "nested lists in Python": `[wait(a=${"[".repeat(100_000)}`,
    "nested elements": `<open_door>${"<room>".repeat(100_000)}`,
    "values with text behind their closers": fill("<open_door><room>x</room> then </open_door> on\n", 512 * KB),
    "parameters with text behind their closers": fill("<open_door><room>x</room> then\n", 512 * KB),
    "names on lines": fill("open_door\n<room>x</room>\nopen_doo\n", 512 * KB),
    "comments in tags": fill("<open_door><!-- ", 512 * KB),
    "lists that are cut": fill('[TOOL_CALLS] [{"name": "wait", "arguments": {}}, ', 512 * KB),
    brackets: fill("<", 2048 * KB),
    quotes: `<tool_call>{"name": "x", "arguments": {"a": "${fill('" ', 512 * KB)}`,
    backslashes: `<tool_call>{"name": "x", "arguments": {"a": "${fill("\\", 512 * KB)}`,
    backticks: fill("`", 512 * KB),
    "bare objects": fill('{"name": "wait"}\n', 512 * KB),
    "unclosed comments": fill("<tool_call>{/*", 512 * KB),
    "open attributes": fill('<invoke name="', 512 * KB),
    "open separators": fill("<|open|>call ", 512 * KB),
    "half DSML": fill("<｜DSML｜", 512 * KB),
    "Gemma quotes": fill('<|tool_call>call:f{a:<|"|>', 512 * KB),
    "YAML keys": `<open_door>\n${fill("a: b\n", 256 * KB)}`,
    "repeated values": `<tool_calls>[${fill('{"name": "wait"},', 512 * KB)}`,
  };

  it.each(Object.entries(shapes))("%s neither throw nor overflow nor hang, whole or in chunks", (_name, text) => {
    const whole = extractToolCalls(text, options());
    expect(rebuilt(text, whole).length).toBe(text.length);
    const cuts = Array.from({ length: Math.floor(text.length / 4096) }, (_, i) => (i + 1) * 4096);
    expect(streamed(text, cuts).toolCalls.length).toBe(whole.toolCalls.length);
  });
});
