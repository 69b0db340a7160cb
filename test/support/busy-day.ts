import { createRandom } from "../../src/demo/seeded-random.ts";

/** A line for `POST /api/ingest`. */
export type IngestLine = Readonly<Record<string, unknown>>;

interface Habit {
  readonly tool: string;
  readonly weight: number;
  readonly failing: number;
  readonly failures: readonly string[];
}

const HABITS: readonly Habit[] = [
  {
    tool: "Bash",
    weight: 30,
    failing: 0.19,
    failures: [
      "Exit code 1\nnpm error Missing script: lint",
      "Exit code 127\nrg: command not found",
      "Command timed out after 2m 0s",
    ],
  },
  { tool: "Read", weight: 26, failing: 0.03, failures: ["ENOENT: no such file or directory, open 'src/app.ts'"] },
  {
    tool: "Edit",
    weight: 18,
    failing: 0.14,
    failures: ["<tool_use_error>String to replace not found in file.</tool_use_error>"],
  },
  { tool: "Grep", weight: 12, failing: 0, failures: [] },
  { tool: "apply_patch", weight: 7, failing: 0.34, failures: ["Failed to apply patch: context lines do not match"] },
  {
    tool: "WebFetch",
    weight: 6,
    failing: 0.4,
    failures: ["Request failed with status code 503", "Request failed with status code 403"],
  },
  {
    tool: "mcp__github__create_pull_request",
    weight: 4,
    failing: 0.25,
    failures: ["HTTP 422 Unprocessable Entity: validation failed", "401 Unauthorized"],
  },
  { tool: "mcp__postgres__query", weight: 4, failing: 0.12, failures: ["connect ECONNREFUSED 127.0.0.1:5432"] },
  { tool: "TodoWrite", weight: 5, failing: 0, failures: [] },
  {
    tool: "search_files",
    weight: 2,
    failing: 1,
    failures: ["<tool_use_error>Error: No such tool available: search_files</tool_use_error>"],
  },
];

/** Names that are hard to lay out: other scripts, an emoji, right to left, 200 characters. */
const ODD_HABITS: readonly Habit[] = [
  { tool: "深い検索🔎", weight: 2, failing: 0.1, failures: ["rate limit exceeded, retry after 20 s"] },
  { tool: "بحث_في_المستندات", weight: 2, failing: 0.2, failures: ["permission denied"] },
  {
    tool: `mcp__${"a_very_long_server_name_".repeat(8)}end`.slice(0, 200),
    weight: 1,
    failing: 0.5,
    failures: ["Operation cancelled by user"],
  },
];

const AGENTS = [
  { client: "claude-code", provider: "anthropic", model: "claude-opus-4-5-20251101" },
  { client: "claude-code", provider: "anthropic", model: "claude-haiku-4-5" },
  { client: "codex", provider: "openai", model: "gpt-5.2-codex" },
  { client: "opencode", provider: "local", model: "qwen3-coder-30b-a3b-instruct-q4_k_m" },
  { client: "plain", provider: "openai", model: "gpt-5-mini" },
] as const;

/** Workflows of the sessions, in rotation; some are unknown. */
const WORK = ["bug_fix", "feature", "refactor", "test", undefined, "exploration", "bug_fix", "docs"] as const;

const MINUTE = 60_000;

/** Calls of several agents over a day; the same calls for the same end time. */
export function busyDay(end: number, names: "plain" | "odd"): readonly IngestLine[] {
  const random = createRandom(7);
  const habits = names === "odd" ? [...HABITS, ...ODD_HABITS] : HABITS;
  const lines: IngestLine[] = [];
  for (let session = 0; session < 24; session++) {
    const agent = AGENTS[Math.floor(random() * AGENTS.length)] as (typeof AGENTS)[number];
    const id = sessionId(random);
    // Recent sessions are close together, older ones further apart.
    let at = end - session * session * 2.2 * MINUTE;
    const calls = Math.floor(4 + random() * 44);
    for (let n = 0; n < calls; n++) {
      at -= random() * MINUTE;
      lines.push({
        session_id: id,
        tool_call_id: `call_${n}`,
        occurred_at: Math.round(at),
        source: "hook",
        workflow: WORK[session % WORK.length],
        ...agent,
        ...someCall(habits, random),
      });
    }
  }
  return lines;
}

function someCall(habits: readonly Habit[], random: () => number): IngestLine {
  const habit = pick(habits, random);
  const call = { tool_name: habit.tool, arguments: { q: random() } };
  const luck = random();
  if (luck < habit.failing) {
    return { ...call, content: habit.failures[Math.floor(random() * habit.failures.length)], is_error: true };
  }
  return luck > 0.97 ? { ...call, content: "" } : { ...call, content: "3 lines\nof\noutput", is_error: false };
}

function pick(habits: readonly Habit[], random: () => number): Habit {
  const tickets = habits.flatMap((habit) => Array.from({ length: habit.weight }, () => habit));
  return tickets[Math.floor(random() * tickets.length)] as Habit;
}

function sessionId(random: () => number): string {
  const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
