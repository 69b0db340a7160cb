import type { Status } from "../core/model/outcome.ts";
import type { JsonObject } from "../core/model/tool-call.ts";
import type { CallIdApi } from "../core/wire/call-ids.ts";

/** One call of a scripted agent, with its result. */
export interface Step {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: string;
  /** The protocol's flag; only the Messages API has one. */
  readonly isError?: boolean;
  /** The true outcome, as a person would classify it. */
  readonly expected: Status;
  /** Id from a server that restarts its numbering in every response. */
  readonly callId?: string;
  /** The model writes the call as text; the proxy repairs it. */
  readonly leaked?: true;
  /** An undeclared tool that the model calls first, if the demo gives second chances. */
  readonly firstTry?: string;
}

/** A scripted agent: the client it imitates, and one list of parallel calls per turn. */
export interface AgentPlan {
  readonly name: string;
  readonly api: Exclude<CallIdApi, "responses">;
  readonly model: string;
  readonly streaming: boolean;
  readonly prompt: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The folder in which the agent works, as a hook of its client reports it; only for sessions whose id the client
   * sends.
   */
  readonly session?: { readonly id: string; readonly folder: string; readonly branch: string };
  /** The folder in which the agent works, as its client describes it to the model. */
  readonly cwd?: string;
  readonly turns: readonly (readonly Step[])[];
}

const anthropic = (step: Omit<Step, "expected">): Step => ({
  ...step,
  expected: step.isError === true ? "failed" : "ok",
});
const chat = (expected: Status, step: Omit<Step, "expected">): Step => ({ ...step, expected });

const bash = (command: string, result: string, isError = false): Step =>
  anthropic({ tool: "Bash", arguments: { command }, result, isError });
const read = (path: string, result: string, isError?: boolean): Step =>
  anthropic({ tool: "Read", arguments: { file_path: path }, result, ...(isError !== undefined && { isError }) });
const edit = (path: string, result: string, isError: boolean): Step =>
  anthropic({ tool: "Edit", arguments: { file_path: path, old_string: "a", new_string: "b" }, result, isError });

const write = (path: string, result: string, isError: boolean): Step =>
  anthropic({ tool: "Write", arguments: { file_path: path, content: "<ul></ul>" }, result, isError });
const NO_ROOM = "Exit code 1\nmkdir: cannot create directory '/app/out': No space left on device";

export const CLAUDE_CODE_VERSION = "2.1.197";

/** The agents of one round. `round` makes their session ids unique; everything else is constant. */
export function demoPlans(round: string): readonly AgentPlan[] {
  const claude = (name: string, folder: string, branch: string): Pick<AgentPlan, "headers" | "session"> => ({
    headers: {
      "user-agent": `claude-cli/${CLAUDE_CODE_VERSION} (external, cli)`,
      "x-claude-code-session-id": `demo-${round}-${name}`,
      "anthropic-version": "2023-06-01",
    },
    session: { id: `demo-${round}-${name}`, folder, branch },
  });
  return [
    {
      name: "bugfix",
      api: "anthropic",
      model: "claude-sonnet-demo",
      streaming: true,
      prompt: "The date parser fails on leap years. Please fix it.",
      ...claude("bugfix", "shop-api", "fix/leap-years"),
      turns: [
        [
          read("/app/src/date.ts", "export function parse(text: string) {}\n"),
          read("/app/test/date.test.ts", "import { parse } from '../src/date';\n"),
        ],
        [bash("npm test -- date", "Exit code 1\n1 failing: 29 February is a day", true)],
        [edit("/app/src/date.ts", "<tool_use_error>String to replace not found in file.</tool_use_error>", true)],
        [edit("/app/src/date.ts", "The file /app/src/date.ts has been updated.", false)],
        [bash("npm test -- date", "14 passing")],
      ],
    },
    {
      // One early failure that is resent in the history of 20 more requests: it counts once.
      name: "long-run",
      api: "anthropic",
      model: "claude-opus-demo",
      streaming: false,
      prompt: "Rename the module and update every import.",
      ...claude("long-run", "billing", "main"),
      turns: [
        [bash("rg -l oldName", "Exit code 127\n/bin/bash: line 1: rg: command not found", true)],
        ...Array.from({ length: 20 }, (_, at) => [
          edit(`/app/src/part-${at}.ts`, `The file /app/src/part-${at}.ts has been updated.`, false),
        ]),
      ],
    },
    {
      // A root failure with three follow-ons, retried until it succeeds.
      name: "full-disk",
      api: "anthropic",
      model: "claude-sonnet-demo",
      streaming: true,
      prompt: "Add a page that lists all releases.",
      ...claude("full-disk", "web-client", "feature/releases"),
      turns: [
        [read("/app/package.json", '{"name":"app"}')],
        [bash("mkdir -p /app/out", NO_ROOM, true)],
        [write("/app/out/releases.html", "ENOENT: no such file or directory, open '/app/out/releases.html'", true)],
        [read("/app/out/releases.html", "File does not exist.", true)],
        [bash("ls /app/out", "Exit code 2\nls: cannot access '/app/out': No such file or directory", true)],
        [bash("mkdir -p /app/out", NO_ROOM, true)],
        [bash("mkdir -p /app/out", "")],
        [write("/app/out/releases.html", "File created successfully at: /app/out/releases.html", false)],
      ],
    },
    {
      // An ordinary day: one failed test on the way.
      name: "feature",
      api: "anthropic",
      model: "claude-sonnet-demo",
      streaming: true,
      prompt: "Add gift cards to the checkout.",
      ...claude("feature", "shop-api", "feature/gift-cards"),
      turns: [
        [
          read("/app/src/checkout.ts", "export class Checkout {}\n"),
          read("/app/src/cart.ts", "export class Cart {}\n"),
        ],
        [bash("git status --short", "")],
        [write("/app/src/gift-card.ts", "File created successfully at: /app/src/gift-card.ts", false)],
        [edit("/app/src/checkout.ts", "The file /app/src/checkout.ts has been updated.", false)],
        [bash("npm test -- checkout", "Exit code 1\n1 failing: a gift card covers the rest", true)],
        [read("/app/test/checkout.test.ts", "import { Checkout } from '../src/checkout';\n")],
        [edit("/app/src/gift-card.ts", "The file /app/src/gift-card.ts has been updated.", false)],
        [bash("npm test -- checkout", "31 passing")],
        [bash("npm run lint", "Checked 48 files.")],
        [bash("git commit -am 'Add gift cards'", "[feature/gift-cards 4f2a1b0] Add gift cards")],
      ],
    },
    {
      name: "review",
      api: "anthropic",
      model: "claude-opus-demo",
      streaming: true,
      prompt: "Review the last change of the billing code.",
      ...claude("review", "billing", "fix/rounding"),
      turns: [
        [{ ...bash("git diff main --stat", " src/round.ts | 14 ++++++++------"), firstTry: "git_diff" }],
        ...["round", "invoice", "tax", "currency", "totals"].map((name) => [
          read(`/app/src/${name}.ts`, `export function ${name}() {}\n`),
        ]),
        [bash("npm test", "212 passing")],
      ],
    },
    {
      name: "local-coder",
      api: "chat",
      model: "qwen3-coder-demo",
      streaming: true,
      prompt: "Why is the build red?",
      cwd: "/work/firmware",
      headers: { "user-agent": "OpenAI/JS 6.49.0", authorization: `Bearer demo-${round}-local` },
      // A local server that gives every call the id call_0.
      turns: [
        [
          chat("failed", {
            tool: "run",
            arguments: { cmd: "make" },
            result: "Error: make: *** [Makefile:12: build] Error 2",
            callId: "call_0",
          }),
        ],
        [
          chat("ok", {
            tool: "read_file",
            arguments: { path: "Makefile" },
            result: "build:\n\tcc -o app main.c\n",
            callId: "call_0",
          }),
        ],
        [
          chat("ok", {
            tool: "read_file",
            arguments: { path: "main.c" },
            result: "int main(void) { return 0; }\n",
            callId: "call_0",
          }),
        ],
      ],
    },
    {
      // A model that writes its calls as text: without repair, the agent would stop at the first one.
      name: "leaky-coder",
      api: "chat",
      model: "qwen2.5-coder-demo",
      streaming: true,
      prompt: "Which tests are slow?",
      cwd: "/work/web-client",
      headers: { "user-agent": "OpenAI/JS 6.49.0", authorization: `Bearer demo-${round}-leaky` },
      turns: [
        [
          chat("ok", {
            tool: "read_file",
            arguments: { path: "test/timings.json" },
            result: '{"parse":12,"render":4100}',
            leaked: true,
          }),
        ],
        [
          chat("ok", {
            tool: "run",
            arguments: { cmd: "npm test -- render" },
            result: "14 passing (4.1s)",
            leaked: true,
          }),
        ],
      ],
    },
    {
      name: "research",
      api: "chat",
      model: "gpt-demo",
      streaming: false,
      prompt: "Compare the weather in three cities.",
      headers: { "user-agent": "OpenAI/JS 6.49.0", authorization: `Bearer demo-${round}-research` },
      turns: [
        [
          chat("ok", { tool: "get_weather", arguments: { city: "Oslo" }, result: '{"city":"Oslo","celsius":4}' }),
          chat("ok", { tool: "get_weather", arguments: { city: "Lima" }, result: '{"city":"Lima","celsius":19}' }),
          chat("failed", {
            tool: "get_weather",
            arguments: { city: "Atlantis" },
            result: "Error: unknown city 'Atlantis'",
          }),
        ],
        [chat("ok", { tool: "send_report", arguments: { to: "team" }, result: '{"sent":true}' })],
      ],
    },
  ];
}

/** The agents that continue after the first round, in a mix with the failure rate of the history. */
export const LIVE_AGENTS: readonly string[] = [
  ...["feature", "review", "bugfix", "leaky-coder", "review", "feature", "research", "review", "long-run"],
  ...["feature", "review", "leaky-coder", "feature", "review", "local-coder", "review", "feature", "full-disk"],
];
