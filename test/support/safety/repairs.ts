import { ANNOUNCEMENTS, CLOSINGS, THOUGHTS_BEFORE_CALL } from "./announcements.ts";
import { FIXTURE_CALLS } from "./fixture-calls.ts";
import { LEAK_FORMATS } from "./leak-formats.ts";
import {
  type Call,
  type CaseSpace,
  type ContextItem,
  coordinates,
  type FixtureCall,
  type Leak,
  pick,
  type SafetyCase,
} from "./safety-case.ts";

interface Situation {
  readonly text: string;
  readonly context?: readonly ContextItem[];
  readonly calls?: readonly Call[];
}

/** One situation in which a leaked call is intended and must be repaired. */
interface Check {
  readonly id: string;
  readonly detail: string;
  /** False for situations that add text beside a fenced format: there it is a code example. */
  readonly fenced: boolean;
  /** Undefined where the leak has no fixture, or the format no such form. */
  build(leak: Leak, variant: number): Situation | undefined;
}

const beside = (variant: number): string => (variant % 2 === 0 ? "\n" : "\n\n");

const withContext = (
  id: string,
  detail: string,
  items: (fixture: FixtureCall, leak: Leak, variant: number) => readonly ContextItem[] | undefined,
): Check => ({
  id,
  detail,
  fenced: true,
  build: (leak, variant) => {
    const context = leak.fixture === undefined ? undefined : items(leak.fixture, leak, variant);
    return context === undefined ? undefined : { text: leak.text, context };
  },
});

const render = (leak: Leak, calls: readonly Call[]): string | undefined =>
  LEAK_FORMATS.find((format) => format.id === leak.format)?.render(calls);

/** A system prompt that explains the format with a different call. */
function formatPrompt(leak: Leak, example: Call): readonly ContextItem[] | undefined {
  const shown = render(leak, [example]);
  if (shown === undefined) return undefined;
  const text = `You can use tools. To call one, answer in this format and nothing else:\n\n${shown}\n\nUse one call at a time.`;
  return [
    { role: "system", text },
    { role: "user", text: leak.fixture?.request ?? "" },
  ];
}

const after = (fixture: FixtureCall, steps: number): FixtureCall =>
  pick(FIXTURE_CALLS, FIXTURE_CALLS.indexOf(fixture) + steps);

const CHECKS: readonly Check[] = [
  { id: "alone", detail: "whole message", fenced: true, build: (leak) => ({ text: leak.text }) },
  { id: "alone", detail: "blank lines around", fenced: true, build: (leak) => ({ text: `\n\n${leak.text}\n` }) },
  ...ANNOUNCEMENTS.map(
    (announcement): Check => ({
      id: "announced",
      detail: announcement,
      fenced: false,
      build: (leak, variant) => ({ text: `${announcement}${beside(variant)}${leak.text}` }),
    }),
  ),
  ...CLOSINGS.map(
    (closing): Check => ({
      id: "closing",
      detail: closing,
      fenced: false,
      build: (leak) => ({ text: `${leak.text}\n\n${closing}` }),
    }),
  ),
  {
    id: "closing",
    detail: "announced, then closed",
    fenced: false,
    build: (leak, variant) => ({
      text: `${pick(ANNOUNCEMENTS, variant)}\n\n${leak.text}\n\n${pick(CLOSINGS, variant)}`,
    }),
  },
  withContext("asked for", "in words", ({ request }) => [{ role: "user", text: request }]),
  withContext("asked for", "with a system prompt", ({ request }) => [
    { role: "system", text: "You are a careful assistant. Use the tools you are given. Do not invent results." },
    { role: "user", text: request },
  ]),
  {
    id: "asked for",
    detail: "and announced",
    fenced: false,
    build: (leak, variant) =>
      leak.fixture === undefined
        ? undefined
        : {
            text: `${pick(ANNOUNCEMENTS, variant)}\n\n${leak.text}`,
            context: [{ role: "user", text: leak.fixture.request }],
          },
  },
  withContext("in a result", "plain text", ({ result }) => [{ role: "tool", text: result }]),
  withContext("in a result", "as a string", ({ request, result }) => [{ role: "user", text: request }, result]),
  withContext("in a result", "with line numbers", ({ result }) => [
    result
      .split("\n")
      .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
      .join("\n"),
  ]),
  withContext("in a result", "of another tool call", (fixture) => [
    { role: "user", text: fixture.request },
    { role: "tool", text: after(fixture, 3).result },
    { role: "tool", text: fixture.result },
  ]),
  withContext("format shown", "with another tool", (fixture, leak) => formatPrompt(leak, after(fixture, 5))),
  withContext("format shown", "with other values", (fixture, leak) =>
    Object.keys(fixture.other).length === 0
      ? undefined
      : formatPrompt(leak, { name: fixture.name, arguments: fixture.other }),
  ),
  withContext("retried", "after a failed result", ({ request }, leak) => [
    { role: "user", text: request },
    { role: "assistant", text: leak.text },
    { role: "tool", text: "Error: the connection was reset. Try again." },
  ]),
  withContext("retried", "after no result", ({ request }, leak) => [
    { role: "user", text: request },
    { role: "assistant", text: `I'll do that.\n\n${leak.text}` },
    { role: "user", text: "Nothing happened. Please try again." },
  ]),
  {
    id: "two calls",
    detail: "in one message",
    fenced: true,
    build: (leak, variant) => {
      if (leak.fixture === undefined) return undefined;
      const second = after(leak.fixture, 1 + (variant % 5));
      const calls = [leak.fixture, second].map(({ name, arguments: values }) => ({ name, arguments: values }));
      const text = render(leak, calls);
      return text === undefined ? undefined : { text, calls };
    },
  },
  ...THOUGHTS_BEFORE_CALL.map(
    (thought): Check => ({
      id: "after thought",
      detail: thought.trim(),
      fenced: true,
      build: (leak) => (leak.hasThoughts ? undefined : { text: `${thought}${leak.text}` }),
    }),
  ),
  {
    id: "in one fence",
    detail: "whole message",
    fenced: true,
    // Only JSON and markup in tags are leaked inside a fence; templates with special tokens are not.
    build: (leak) => {
      const info = FENCE_INFO[leak.format];
      if (info === undefined || leak.fixture === undefined) return undefined;
      return { text: `\`\`\`${info}\n${leak.text}\n\`\`\`` };
    },
  },
];

const FENCE_INFO: Readonly<Record<string, string>> = {
  hermes: "xml",
  "qwen-coder": "xml",
  invoke: "xml",
  "invoke-bare": "xml",
  "tag-per-tool": "xml",
  "bare-json": "json",
  "bare-json-pretty": "json",
};

/** Every leak in every situation that must not stop its repair. */
export function repairCases(leaks: readonly Leak[], seed: number): CaseSpace {
  const sizes = [CHECKS.length, leaks.length];
  const whole = new Set(leaks.map(({ id }) => id));
  return {
    section: "repair",
    size: CHECKS.length * leaks.length,
    at(index): SafetyCase | undefined {
      const [checkIndex = 0, leakIndex = 0] = coordinates(index, sizes);
      const leak = pick(leaks, leakIndex);
      const check = pick(CHECKS, checkIndex);
      if (leak.fenced && !check.fenced) return undefined;
      const situation = check.build(leak, seed + checkIndex + leakIndex);
      if (situation === undefined) return undefined;
      const expected = situation.calls ?? leak.calls;
      // Skip a second call that is not extracted alone: it cannot test two calls.
      if (expected.length > leak.calls.length && !expected.every((call) => isWhole(whole, leak, call)))
        return undefined;
      return {
        section: "repair",
        format: leak.format,
        check: check.id,
        detail: check.detail,
        leak: leak.id,
        text: situation.text,
        tools: leak.tools,
        context: situation.context ?? [],
        expected,
      };
    },
  };
}

function isWhole(whole: ReadonlySet<string>, leak: Leak, call: Call): boolean {
  const fixture = FIXTURE_CALLS.find(({ name, arguments: values }) => name === call.name && values === call.arguments);
  return fixture !== undefined && whole.has(`${leak.format}/${fixture.id}`);
}
