import { present } from "../core/model/narrow.ts";
import type { Status } from "../core/model/outcome.ts";
import type { Workflow } from "../core/score/workflow/workflow.ts";
import type { Ledger } from "./ledger.ts";
import { createRandom } from "./seeded-random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Tools of the generated history with their failure rates, arguments and error texts; the rate of `deploy` rises every
 * day.
 */
const TOOLS = [
  {
    ...{ tool: "Bash", weight: 8, failing: () => 0.12, text: "Exit code 1\ncommand failed" },
    input: (n: number) => ({ command: `npm run check -- --part ${n}` }),
  },
  {
    ...{ tool: "Read", weight: 9, failing: () => 0.03, text: "File does not exist." },
    input: (n: number) => ({ file_path: `/app/src/part-${n}.ts` }),
  },
  {
    ...{ tool: "Edit", weight: 6, failing: () => 0.15 },
    text: "<tool_use_error>String to replace not found in file.</tool_use_error>",
    input: (n: number) => ({ file_path: `/app/src/part-${n}.ts`, old_string: "a", new_string: "b" }),
  },
  {
    ...{ tool: "WebFetch", weight: 2, failing: () => 0.25, text: "Error: HTTP 503 Service Unavailable" },
    input: (n: number) => ({ url: `https://docs.example.com/page/${n}` }),
  },
  {
    ...{ tool: "deploy", weight: 3, failing: (daysAgo: number) => Math.max(0, 0.8 - 0.13 * daysAgo) },
    text: "Error: deployment timed out after 600 s",
    input: (n: number) => ({ target: "staging", build: n }),
  },
] as const;
type Tool = (typeof TOOLS)[number];
const WEB_FETCH = present(TOOLS.find(({ tool }) => tool === "WebFetch"));
/** Probability that a failed call is retried, and that the retry succeeds. */
const RETRY_PROBABILITY = 0.5;
const RETRY_SUCCESS_PROBABILITY = 0.7;
/** Longer than any session. */
const MAX_SESSION_MS = HOUR;
/** The call of every session that fetches a page which is down: each range of time has such a failure, whatever the day. */
const OUTAGE_CALL = 5;
const WORKFLOWS = ["bug_fix", "feature", "feature", "refactor", "test", "ops"] as const satisfies readonly Workflow[];
const MODELS = ["claude-sonnet-demo", "claude-opus-demo", "qwen3-coder-demo"] as const;

/**
 * A week of history as lines for `POST /api/ingest`, with sessions at all hours, so that the last 24 hours are never
 * empty. It is the same for the same day, including ids: a second demo in the same folder adds only what ended since.
 */
export function demoHistory(now: number, ledger: Ledger): string {
  const today = now - (now % DAY);
  const lines: string[] = [];
  for (let daysAgo = 7; daysAgo >= 0; daysAgo -= 1) {
    const day = today - daysAgo * DAY;
    const random = createRandom(day / DAY);
    for (let session = 0; session < 5; session += 1) {
      const model = present(MODELS[Math.floor(random() * MODELS.length)]);
      const workflow = present(WORKFLOWS[Math.floor(random() * WORKFLOWS.length)]);
      const start = day + (0.5 + 5 * session) * HOUR;
      if (start + MAX_SESSION_MS > now) break;
      const calls = 12 + Math.floor(random() * 14);
      let lastFailed: { readonly made: Tool; readonly n: number } | undefined;
      for (let at = 0; at < calls; at += 1) {
        const retried = lastFailed !== undefined && random() < RETRY_PROBABILITY ? lastFailed : undefined;
        const { made, n } = retried ?? { made: at === OUTAGE_CALL ? WEB_FETCH : pickTool(random()), n: at };
        const { tool, text, input } = made;
        const chance = retried === undefined ? made.failing(daysAgo) : 1 - RETRY_SUCCESS_PROBABILITY;
        const failed = random() < chance || (at === OUTAGE_CALL && made === WEB_FETCH);
        lastFailed = failed ? { made, n } : undefined;
        const expected: Status = failed ? "failed" : "ok";
        ledger.add({ agent: "history", model, api: "history", tool, expected });
        lines.push(
          JSON.stringify({
            session_id: `demo-history-${day / DAY}-${session}`,
            tool_call_id: `toolu_demo${day / DAY}s${session}c${at}x`,
            source: "transcript",
            live: false,
            occurrence: 0,
            occurred_at: start + at * 45_000,
            tool_name: tool,
            model,
            provider: model.startsWith("claude") ? "anthropic" : "openai",
            client: "plain",
            prompt_id: `demo-prompt-${day / DAY}-${session}`,
            workflow,
            arguments: input(n),
            content: failed ? text : "done",
            is_error: failed,
          }),
        );
      }
    }
  }
  return lines.join("\n");
}

function pickTool(random: number): Tool {
  let remaining = random * TOOLS.reduce((sum, { weight }) => sum + weight, 0);
  for (const tool of TOOLS) {
    remaining -= tool.weight;
    if (remaining < 0) return tool;
  }
  return TOOLS[0];
}
