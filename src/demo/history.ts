import { present } from "../core/model/narrow.ts";
import type { Status } from "../core/model/outcome.ts";
import type { Workflow } from "../core/score/workflow/workflow.ts";
import type { Ledger } from "./ledger.ts";
import { CLAUDE_CODE_VERSION } from "./plan.ts";
import { createRandom } from "./seeded-random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const BUILD_ERROR =
  "Exit code 2\nsrc/invoice.ts(41,9): error TS2322: Type 'string' is not assignable to type 'number'.";

/**
 * Tools of the generated history with their usual duration, failure rates, arguments and error texts. Something broke
 * `deploy` yesterday: the regression to find.
 */
const TOOLS = [
  {
    ...{ tool: "Bash", ms: 4200, weight: 8, failing: () => 0.12, text: BUILD_ERROR },
    input: (n: number) => ({ command: `npm run build -- --part ${n}` }),
  },
  {
    ...{ tool: "Read", ms: 30, weight: 9, failing: () => 0.03, text: "File does not exist." },
    input: (n: number) => ({ file_path: `/app/src/part-${n}.ts` }),
  },
  {
    ...{ tool: "Edit", ms: 60, weight: 6, failing: () => 0.15 },
    text: "<tool_use_error>String to replace not found in file.</tool_use_error>",
    input: (n: number) => ({ file_path: `/app/src/part-${n}.ts`, old_string: "a", new_string: "b" }),
  },
  {
    ...{ tool: "WebFetch", ms: 900, weight: 4, failing: () => 0.1, text: "Error: HTTP 503 Service Unavailable" },
    input: (n: number) => ({ url: `https://docs.example.com/page/${n}` }),
  },
  {
    ...{ tool: "deploy", ms: 95000, weight: 3, failing: (daysAgo: number) => (daysAgo < 2 ? 0.45 : 0.05) },
    text: "Error: deployment timed out after 600 s",
    failedMs: 600_000,
    input: (n: number) => ({ target: "staging", build: n }),
  },
] as const;
type Tool = (typeof TOOLS)[number];
const WEB_FETCH = present(TOOLS.find(({ tool }) => tool === "WebFetch"));
/** Probability that a failed call is retried, and that the retry succeeds. */
const RETRY_PROBABILITY = 0.5;
const RETRY_SUCCESS_PROBABILITY = 0.7;
/** Longer than any session. */
const MAX_SESSION_MS = 1.5 * HOUR;
/** Calls begin at multiples of this. */
const STEP_MS = 45_000;
/**
 * Index of the call that fetches an unavailable page, in every second session. So each day has such failures, for any
 * seed.
 */
const OUTAGE_CALL = 5;
const WORKFLOWS = ["bug_fix", "feature", "feature", "refactor", "test", "ops"] as const satisfies readonly Workflow[];
/** Models, with the client that uses them. */
const MODELS = [
  ["claude-sonnet-demo", "claude-code"],
  ["claude-opus-demo", "claude-code"],
  ["qwen3-coder-demo", "goose"],
] as const;
/** The client was updated four days ago, and its new version is the one of the live agents. */
const versionOf = (client: string, daysAgo: number): string =>
  client === "goose" ? "1.9.3" : daysAgo > 4 ? "2.1.190" : CLAUDE_CODE_VERSION;
/** Folders with the branches that are worked on. */
const FOLDERS = [
  ["shop-api", ["main", "fix/leap-years", "feature/gift-cards"]],
  ["web-client", ["main", "feature/dark-mode"]],
  ["billing", ["release-2.4", "fix/rounding"]],
] as const;
const SESSIONS_PER_DAY = 12;
/** Sessions begin at this interval, half an hour after midnight first. */
const SESSION_INTERVAL_MS = DAY / SESSIONS_PER_DAY;

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
    const pick = <T>(list: readonly T[]): T => present(list[Math.floor(random() * list.length)]);
    for (let session = 0; session < SESSIONS_PER_DAY; session += 1) {
      const [model, client] = pick(MODELS);
      const workflow = pick(WORKFLOWS);
      const [folder, branches] = pick(FOLDERS);
      const start = day + 0.5 * HOUR + session * SESSION_INTERVAL_MS;
      if (start + MAX_SESSION_MS > now) break;
      const session_id = `demo-history-${day / DAY}-${session}`;
      lines.push(sessionLine({ session_id, folder, branch: pick(branches), client, at: start }));
      const calls = 12 + Math.floor(random() * 14);
      let time = start;
      let lastFailed: { readonly made: Tool; readonly n: number } | undefined;
      for (let at = 0; at < calls; at += 1) {
        const retried = lastFailed !== undefined && random() < RETRY_PROBABILITY ? lastFailed : undefined;
        const isOutage = at === OUTAGE_CALL && session % 2 === 0;
        const { made, n } = retried ?? { made: isOutage ? WEB_FETCH : pickTool(random()), n: at };
        const { tool, text, input } = made;
        const chance = retried === undefined ? made.failing(daysAgo) : 1 - RETRY_SUCCESS_PROBABILITY;
        const failed = random() < chance || (isOutage && made === WEB_FETCH);
        lastFailed = failed ? { made, n } : undefined;
        const expected: Status = failed ? "failed" : "ok";
        ledger.add({ agent: "history", model, api: "history", tool, expected });
        const usual = made.ms * (0.4 + 1.2 * random());
        const took = failed && "failedMs" in made ? made.failedMs : usual;
        const occurredAt = time;
        time += STEP_MS * Math.ceil(took / STEP_MS);
        lines.push(
          JSON.stringify({
            session_id,
            tool_call_id: `toolu_demo${day / DAY}s${session}c${at}x`,
            source: "transcript",
            live: false,
            occurrence: 0,
            occurred_at: occurredAt,
            tool_name: tool,
            model,
            provider: model.startsWith("claude") ? "anthropic" : "openai",
            client,
            client_version: versionOf(client, daysAgo),
            execution_time_ms: Math.round(took),
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

interface DemoSession {
  readonly session_id: string;
  readonly folder: string;
  readonly branch: string;
  readonly client: string;
  readonly at: number;
}

/** The start of a session, as a hook of its client reports it. */
function sessionLine({ at, ...session }: DemoSession): string {
  return JSON.stringify({
    ...{ v: 1, kind: "session", event: "started", project: "default", agent_id: "root", source: "transcript" },
    ...{ occurred_at: at, seen_at: at, live: false },
    ...session,
  });
}

function pickTool(random: number): Tool {
  let remaining = random * TOOLS.reduce((sum, { weight }) => sum + weight, 0);
  for (const tool of TOOLS) {
    remaining -= tool.weight;
    if (remaining < 0) return tool;
  }
  return TOOLS[0];
}
