// Fills a data folder with generated calls through the store API, to try the dashboard with a million of them:
// node scripts/generate-store.ts FOLDER CALLS [DAYS]

import type { CallObservation, OutcomeFacts } from "../src/core/model/observation.ts";
import type { Category, Phase } from "../src/core/model/outcome.ts";
import { createRandom } from "../src/demo/seeded-random.ts";
import { dataFolder, prepareDataFolder } from "../src/ingest/data-folder.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";

const DAY = 86_400_000;
const CALLS_PER_SESSION = 60;
const SESSIONS_PER_BATCH = 60;

const MODELS = [
  { provider: "anthropic", model: "claude-large-4", client: "claude-code" },
  { provider: "anthropic", model: "claude-small-4", client: "claude-code" },
  { provider: "openai", model: "gpt-next", client: "codex" },
  { provider: "openai", model: "gpt-next-mini", client: "plain" },
  { provider: "local", model: "open-coder-30b", client: "opencode" },
] as const;
const FAILURES: readonly (readonly [Category, Phase, number, string])[] = [
  ["exit_code", "run", 0.8, "Exit code 1: the command failed"],
  ["not_found", "run", 0.4, "File does not exist"],
  ["timeout", "run", 0.7, "Command timed out"],
  ["invalid_arguments", "call", 0.5, "InputValidationError: path is required"],
  ["permission_denied", "gate", 0.3, "The user does not want to run this"],
  ["network", "run", 0.6, "connect ECONNREFUSED"],
];
const TOOLS = Array.from({ length: 60 }, (_, n) => ({
  name: n < 20 ? `tool_${n}` : `mcp__server_${n % 7}__tool_${n}`,
  failing: (n % 10) / 40,
}));

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

function outcomeOf(failing: number, random: () => number): OutcomeFacts {
  const known = { soft: false, confidence: 1, rule: "flag" } as const;
  if (random() >= failing) return { ...known, status: "ok", flag: "ok", reported: "ok" };
  const [category, phase, severity, text] = pick(FAILURES, random);
  return {
    ...{ ...known, status: "failed", flag: "failed", reported: "failed", category, phase, severity },
    ...{
      status_message: `[${category.toUpperCase()}] ${text}`,
      excerpt: text,
      fingerprint: `${category}-${Math.floor(random() * 8)}`,
    },
  };
}

function sessionOf(number: number, calls: number, end: number, random: () => number): readonly CallObservation[] {
  const who = pick(MODELS, random);
  const start = end - calls * 20_000;
  return Array.from({ length: calls }, (_, n): CallObservation => {
    const tool = pick(TOOLS, random);
    const at = start + n * 20_000;
    return {
      ...{ v: 1, kind: "call", project: "default", session_id: `made-up-${number}`, agent_id: "root", ...who },
      ...{ source: "transcript", live: false, occurred_at: at, seen_at: at, tool_call_id: `call_${number}_${n}` },
      ...{ place: { kind: "exact", n: 0 }, name: tool.name, turn: `call_${number}_${n}`, turn_index: 0, order: n },
      arguments: { fingerprint: `a${n}`, keys: {}, resources: [], size_bytes: 40 },
      result: { hash: `h${number}_${n}`, size_bytes: 400, outcome: outcomeOf(tool.failing, random) },
      execution_time_ms: Math.round(20 + 4000 * random() ** 4),
    };
  });
}

/** Sessions spread evenly over the days, in chronological order. */
export async function generateStore(
  folder: string,
  calls: number,
  days: number,
  report: (text: string) => void,
): Promise<void> {
  const data = dataFolder(folder);
  prepareDataFolder(data);
  const store = openSqliteStore(data.database);
  const random = createRandom(42);
  const sessions = Math.ceil(calls / CALLS_PER_SESSION);
  const now = Date.now();
  const started = performance.now();
  for (let first = 0; first < sessions; first += SESSIONS_PER_BATCH) {
    const lines: string[] = [];
    for (let number = first; number < Math.min(sessions, first + SESSIONS_PER_BATCH); number++) {
      const size = Math.min(CALLS_PER_SESSION, calls - number * CALLS_PER_SESSION);
      const end = now - ((sessions - 1 - number) / sessions) * days * DAY;
      for (const call of sessionOf(number, size, Math.round(end), random)) lines.push(JSON.stringify(call));
    }
    const { last_event } = await store.apply({
      ...{ journal: "made-up", position: String(first).padStart(12, "0"), live: false },
      lines: `${lines.join("\n")}\n`,
    });
    // Drops the events, because no reader needs them.
    await store.moveCursor("events", last_event);
    if ((first / SESSIONS_PER_BATCH) % 20 === 0) {
      const done = (first + SESSIONS_PER_BATCH) * CALLS_PER_SESSION;
      report(`${Math.min(done, calls)} of ${calls} calls, ${Math.round((performance.now() - started) / 1000)} s`);
    }
  }
  await store.close();
}

if (import.meta.main) {
  const [folder, calls = "10000", days = "30"] = process.argv.slice(2);
  if (folder === undefined || !(Number(calls) > 0) || !(Number(days) > 0)) {
    process.stderr.write("node scripts/generate-store.ts FOLDER CALLS [DAYS]\n");
    process.exitCode = 2;
  } else await generateStore(folder, Number(calls), Number(days), (text) => process.stderr.write(`${text}\n`));
}
