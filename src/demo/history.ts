import type { Status } from "../core/model/outcome.ts";
import type { Ledger } from "./ledger.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How often each tool fails in the made-up past, and how it sounds; `deploy` gets worse by the day. */
const TOOLS = [
  { tool: "Bash", weight: 8, failing: () => 0.12, text: "Exit code 1\ncommand failed" },
  { tool: "Read", weight: 9, failing: () => 0.03, text: "File does not exist." },
  {
    tool: "Edit",
    weight: 6,
    failing: () => 0.15,
    text: "<tool_use_error>String to replace not found in file.</tool_use_error>",
  },
  { tool: "WebFetch", weight: 2, failing: () => 0.25, text: "Error: HTTP 503 Service Unavailable" },
  {
    tool: "deploy",
    weight: 2,
    failing: (daysAgo: number) => Math.max(0, 0.6 - 0.1 * daysAgo),
    text: "Error: deployment timed out after 600 s",
  },
] as const;
const MODELS = ["claude-sonnet-demo", "claude-opus-demo", "qwen3-coder-demo"] as const;

/**
 * A week before today as lines for `POST /api/ingest`. The same for the same day, ids included, so that a second demo on the same folder
 * adds nothing: every call is recorded once.
 */
export function demoHistory(now: number, ledger: Ledger): string {
  const today = now - (now % DAY);
  const lines: string[] = [];
  for (let daysAgo = 7; daysAgo >= 1; daysAgo -= 1) {
    const day = today - daysAgo * DAY;
    const random = seeded(day / DAY);
    for (let session = 0; session < 5; session += 1) {
      const model = MODELS[Math.floor(random() * MODELS.length)] as string;
      const start = day + (8 + 2 * session) * HOUR;
      const calls = 12 + Math.floor(random() * 14);
      for (let at = 0; at < calls; at += 1) {
        const { tool, failing, text } = pickTool(random());
        const failed = random() < failing(daysAgo);
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
            arguments: { demo: true, call: at },
            content: failed ? text : "done",
            is_error: failed,
          }),
        );
      }
    }
  }
  return lines.join("\n");
}

function pickTool(random: number): (typeof TOOLS)[number] {
  let rest = random * TOOLS.reduce((sum, { weight }) => sum + weight, 0);
  for (const tool of TOOLS) {
    rest -= tool.weight;
    if (rest < 0) return tool;
  }
  return TOOLS[0];
}

/** A small generator with a seed (mulberry32): made-up data must be the same every time. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
