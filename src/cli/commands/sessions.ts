import { messageOf } from "../../core/model/errors.ts";
import { CATEGORIES } from "../../core/model/outcome.ts";
import { sessionName } from "../../core/model/session-name.ts";
import { TOKEN_KINDS, tokenField } from "../../core/model/token-usage.ts";
import type { Health } from "../../core/score/index.ts";
import { WORKFLOWS } from "../../core/score/workflow/workflow.ts";
import { NEWEST_FOR_TEXT } from "../../store/limits.ts";
import type { SessionQuery, SessionRow, SessionSort, SeverityFilter, StoreReader } from "../../store/port.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import { ago, createColors, NO_CALLS_MESSAGE, percent, renderCsv, type Style } from "../format.ts";
import { formatTokens } from "../format-tokens.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { type RangeFlags, rangeOf } from "../range.ts";
import { type Column, renderTable } from "../table.ts";

/** Maps the sort names of the command line to those of the store. */
const SORTS = { recent: "recent", severity: "severity", failed: "failures", unrecovered: "unrecovered" } as const;

export interface SessionsFlags extends Flags, RangeFlags {
  readonly health?: Health;
  readonly rateHealth?: Health;
  readonly category?: string;
  readonly severity?: string;
  readonly tool?: string;
  readonly model?: string;
  readonly workflow?: string;
  readonly looping?: boolean;
  readonly text?: string;
  readonly sort?: keyof typeof SORTS;
  readonly limit?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Lists matching sessions. A filter matches if any call of the session does. */
export async function sessionsCommand(flags: SessionsFlags, io: Io): Promise<number> {
  const query = queryOf(flags, io.now());
  const config = await readConfig(flags, io.environment);
  const reader = await openReader(config, io, { allowEmpty: flags.json === true || flags.csv === true });
  try {
    // One more than is shown, to know whether there are more.
    const found = await reader.sessions({ ...query, limit: query.limit + 1 }).catch((error: unknown) => {
      throw new CliError(`Cannot read the records in ${config.data}: ${messageOf(error)}.`, { cause: error });
    });
    const rows = found.slice(0, query.limit);
    if (flags.json === true) io.out(`${JSON.stringify(rows, null, 2)}\n`);
    else if (flags.csv === true) io.out(renderCsv(FIELDS, rows));
    else if (rows.length === 0 && (await isEmpty(reader))) io.out(NO_CALLS_MESSAGE);
    else io.out(asText(rows, query, found.length > rows.length, io) + searchedText(query));
  } finally {
    await reader.close();
  }
  return 0;
}

async function isEmpty(reader: StoreReader): Promise<boolean> {
  return (await reader.sessions({ limit: 1 })).length === 0;
}

/** A text search is bounded; the note keeps users from taking an unsearched session for a missing one. */
function searchedText({ text }: SessionQuery): string {
  if (text === undefined) return "";
  return `\n--text finds the beginning of words in all sessions and texts of failures, and any part in the newest ${NEWEST_FOR_TEXT} sessions.\n`;
}

function queryOf(flags: SessionsFlags, now: number): SessionQuery & { readonly limit: number } {
  const { health, rateHealth, category, tool, model, workflow, looping, text, severity } = flags;
  const sort: SessionSort = SORTS[flags.sort ?? "recent"];
  return {
    ...rangeOf(flags, now),
    sort,
    limit: limitOf(flags.limit),
    ...(health !== undefined && { health }),
    ...(rateHealth !== undefined && { rate_health: rateHealth }),
    ...(category !== undefined && { category }),
    ...(severity !== undefined && { severity: severityOf(severity) }),
    ...(tool !== undefined && { tool }),
    ...(model !== undefined && { model }),
    ...(workflow !== undefined && { workflow }),
    ...(looping === true && { looping }),
    ...(text !== undefined && { text }),
  };
}

const COMPARISONS: readonly SeverityFilter["is"][] = [">=", "<=", ">", "<", "="];

/** Parses `>0.7`, `<=0.4`, or `0.8` for exactly that value. */
export function severityOf(text: string): SeverityFilter {
  const [, sign = "=", number] = /^(>=|<=|>|<|=)?\s*(0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.exec(text.trim()) ?? [];
  const is = COMPARISONS.find((one) => one === sign);
  if (number === undefined || is === undefined)
    throw new CliError('--severity must be a number from 0 to 1, alone or with a comparison: ">0.7", "<=0.4".', {
      exitCode: 2,
    });
  return { is, value: Number(number) };
}

const MAX_SESSIONS = 1000;

function limitOf(text = "50"): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_SESSIONS)
    throw new CliError(`--limit must be a whole number from 1 to ${MAX_SESSIONS}.`, { exitCode: 2 });
  return limit;
}

const FIELDS = [
  ...(["session_id", "project", "source", "client", "provider", "model_used", "started_at", "last_at"] as const),
  ...(["requests", "calls", "ok", "failed", "unknown", "soft", "recovered", "follow_on", "retries"] as const),
  ...(["success_rate", "health", "rate_health", "dominant_failure_mode", "worst_severity", "workflow"] as const),
  ...TOKEN_KINDS.map(tokenField),
  ...(["loops", "looping", "folder", "branch", "task"] as const),
] as const;

const HEALTH_STYLE: Readonly<Record<Health, Style>> = {
  healthy: "good",
  degraded: "doubtful",
  unhealthy: "bad",
  insufficient: "faint",
};

/** Lists the built-in names for an unknown one: it may be user-defined, but is usually a typo. */
function hints({ category, workflow }: SessionQuery): string {
  const unknown = (word: string | undefined, known: readonly string[]): boolean =>
    word !== undefined && !known.includes(word);
  return [
    ...(unknown(category, CATEGORIES) ? [` Categories are ${CATEGORIES.join(", ")}.`] : []),
    ...(unknown(workflow, WORKFLOWS) ? [` Workflows are ${WORKFLOWS.join(", ")}.`] : []),
  ].join("");
}

const NAME: Column<SessionRow> = {
  title: "WORKS ON",
  drop: 4,
  text: ({ task, ...row }) => [sessionName({ ...row, client: null }), task].filter((part) => part !== null).join(": "),
};

const TOKENS: readonly Column<SessionRow>[] = [
  { title: "INPUT", align: "right", text: ({ input_tokens }) => formatTokens(input_tokens), drop: 2 },
  { title: "OUTPUT", align: "right", text: ({ output_tokens }) => formatTokens(output_tokens), drop: 2 },
];

const LOOPS: Column<SessionRow> = {
  title: "LOOPS",
  align: "right",
  drop: 6,
  text: ({ loops, looping }) => (loops === 0 ? "" : `${loops}${looping ? " now" : ""}`),
  style: ({ looping }) => (looping ? "bad" : undefined),
};

function asText(rows: readonly SessionRow[], query: SessionQuery, hasMore: boolean, io: Io): string {
  if (rows.length === 0) return `No matching sessions.${hints(query)}\n`;
  const now = io.now();
  const columns: readonly Column<SessionRow>[] = [
    { title: "SESSION", text: ({ session_id }) => session_id },
    ...(rows.some(({ folder, task }) => (folder ?? task) !== null) ? [NAME] : []),
    { title: "AGO", align: "right", text: ({ last_at }) => ago(last_at, now) },
    { title: "CLIENT", text: ({ client, source }) => client ?? source, drop: 3 },
    { title: "MODEL", text: ({ model_used }) => model_used ?? "", drop: 4 },
    { title: "CALLS", align: "right", text: ({ calls }) => String(calls) },
    { title: "FAILED", align: "right", text: ({ failed }) => String(failed) },
    { title: "OK %", align: "right", text: ({ calls, success_rate }) => percent(calls === 0 ? null : success_rate) },
    {
      title: "HEALTH",
      text: ({ calls, health }) => (calls === 0 && health !== "insufficient" ? "–" : health),
      style: ({ health }) => HEALTH_STYLE[health],
    },
    { title: "WORST", align: "right", text: ({ worst_severity }) => worst_severity?.toFixed(2) ?? "", drop: 2 },
    ...(rows.some(({ input_tokens, output_tokens }) => (input_tokens ?? output_tokens) !== null) ? TOKENS : []),
    { title: "MOSTLY", drop: 1, text: ({ dominant_failure_mode }) => dominant_failure_mode ?? "" },
    ...(rows.some(({ loops }) => loops > 0) ? [LOOPS] : []),
    { title: "WORKFLOW", drop: 5, text: ({ workflow }) => workflow ?? "" },
  ];
  const more = hasMore ? `\nShowing the first ${rows.length} sessions. Use --limit to show more.\n` : "";
  return `${renderTable(columns, rows, io.width, createColors(io))}${more}`;
}
