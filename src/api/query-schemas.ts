import { z } from "zod";
import { CATEGORIES, PHASES } from "../core/model/outcome.ts";
import {
  DEFAULT_LISTED_CALLS,
  MAX_LISTED_CALLS,
  MAX_SEARCHED_CALLS,
  MAX_SORTED_CALLS,
  NEWEST_FOR_TEXT,
} from "../store/limits.ts";
import {
  BREAKDOWNS,
  CALL_SORTS,
  CALL_STATUSES,
  LINK_FILTERS,
  type Range,
  SESSION_SORTS,
  type SeverityFilter,
  STEPS,
  USAGE_BREAKDOWNS,
} from "../store/port.ts";
import { ParameterError, parseMoment, parseSpan } from "./parameters.ts";

// Messages complete a sentence that starts with the name of the parameter.

export const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"] as const;
const MAX_TEXT_CHARS = 500;
const MOMENT_PROBLEM = "must be a span such as 24h or 7d, or a date such as 2026-03-10.";
const SPAN_PROBLEM = "must be a span such as 12h, 30d or 8w.";
const SEVERITY_PROBLEM = "must be a number from 0 to 1, alone or compared: >0.7, <=0.5.";

/** One of several words. */
export function choice<const T extends readonly string[]>(values: T): z.ZodEnum<{ [K in T[number]]: K }> {
  return z.enum(values, `must be one of ${values.join(", ")}.`);
}

/** Several words, separated by commas. */
function choices<const T extends readonly string[]>(values: T): z.ZodType<readonly T[number][], string> {
  const isKnown = (list: readonly string[]): list is readonly T[number][] => list.every((one) => values.includes(one));
  const problem = `must be one or more of ${values.join(", ")}, separated by commas.`;
  return z
    .string()
    .transform((given) => given.split(","))
    .refine(isKnown, problem);
}

const yesNo = choice(["yes", "no"]).transform((word) => word === "yes");

function integer(min: number, max: number, fallback: number): z.ZodDefault<z.ZodCoercedNumber> {
  const problem = `must be between ${min} and ${max}.`;
  return z.coerce.number(problem).int(problem).min(min, problem).max(max, problem).default(fallback);
}

const text = z.string().max(MAX_TEXT_CHARS, `must not be longer than ${MAX_TEXT_CHARS} characters.`).exactOptional();
const moment = z
  .string(MOMENT_PROBLEM)
  .refine((value) => parseMoment(value, 0) !== undefined, MOMENT_PROBLEM)
  .describe("A span before now (24h, 7d) or a date (2026-03-10). Whole hours.")
  .exactOptional();
const severity = z
  .string()
  .trim()
  .regex(/^(?:>=|<=|>|<|=)?\s{0,5}(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, SEVERITY_PROBLEM)
  .transform(parseSeverity)
  .describe("A comparison: >0.7, <=0.5. A number alone is the minimum.")
  .exactOptional();
/** A filter of other routes. Rejected, because the response would ignore it. */
const unsupported = z.never("is not a filter of this route. Remove it.").exactOptional();

const limit = integer(1, 1000, 100);
const offset = integer(0, 1_000_000_000, 0);
/** Bounds of a range, in the query and in bodies. */
export const moments = { since: moment, until: moment } as const;
const range = { project: text.describe("Only this project."), ...moments } as const;
const rollup = { ...range, tool: text, model: text, provider: text, category: text, phase: text } as const;
const project = z.string().default("default");

export const rangeQuery = z.object(range);
export const limitedQuery = z.object({ ...range, limit });
export const rollupQuery = z.object(rollup);
export const breakdownQuery = z.object({ ...rollup, by: choice(BREAKDOWNS).default("tool") });
export const usageQuery = z.object({
  ...{ ...range, model: text, provider: text },
  by: choice(USAGE_BREAKDOWNS).describe("`all`: one row with the total.").default("model"),
});
export const seriesQuery = z.object({
  ...rollup,
  step: choice(STEPS).describe("Default: hours for at most 3 days, days for longer ranges.").exactOptional(),
});
export const fingerprintQuery = z.object({
  ...{ ...rollup, provider: unsupported, phase: unsupported, limit },
  advice: choice(["true", "false"]).describe("`false` leaves out the advice.").default("true"),
});
export const sessionsQuery = z.object({
  ...{ ...range, tool: text, model: text, category: text, workflow: text },
  text: text.describe(
    `Finds the beginning of an id, of a word in the name (folder, branch, client, task), or of a tool, model, category or workflow, and any part of a failure's text. In the newest ${NEWEST_FOR_TEXT} sessions it finds any part of these.`,
  ),
  severity,
  health: choice(HEALTHS).exactOptional(),
  rate_health: choice(HEALTHS).exactOptional(),
  looping: choice(["true"])
    .transform(() => true)
    .describe("Only sessions with a loop.")
    .exactOptional(),
  sort: choice(SESSION_SORTS).default("recent"),
  limit,
  offset,
});
export const callsQuery = z.object({
  ...range,
  status: choices(CALL_STATUSES)
    .describe("Separated by commas. Default: `ok,failed,unknown`, the calls that totals count.")
    .exactOptional(),
  ...{ tool: text, model: text, provider: text, client: text, workflow: text },
  server: text.describe("An MCP server: only calls of tools named `mcp__SERVER__TOOL`."),
  category: choices(CATEGORIES).describe("Only failures of these categories, separated by commas.").exactOptional(),
  phase: choice(PHASES).describe("Only failures in this phase.").exactOptional(),
  session: text.describe("The id of a session."),
  fingerprint: text.describe("Only failures with this fingerprint."),
  origin: choice(["native", "recovered"]).describe("`recovered`: leaked calls that were repaired.").exactOptional(),
  repaired: yesNo.describe("Whether Toolmend repaired the call.").exactOptional(),
  soft: yesNo.describe("Whether the text reports a failure that the flag denies.").exactOptional(),
  link: choice(LINK_FILTERS).describe("Retries, or failures with this link to other calls.").exactOptional(),
  text: text.describe(
    `Part of the tool name, message, arguments or result, or the id of a call. A page searches ${MAX_SEARCHED_CALLS} calls, so it may contain fewer calls than \`limit\`: follow \`next_cursor\`.`,
  ),
  sort: choice(CALL_SORTS)
    .describe(`\`slowest\` and \`severity\` sort the newest ${MAX_SORTED_CALLS} matching calls.`)
    .default("recent"),
  cursor: text.describe("The `next_cursor` of the preceding page, with the same other parameters."),
  limit: integer(1, MAX_LISTED_CALLS, DEFAULT_LISTED_CALLS),
});
export const recentQuery = z.object({ limit: integer(1, MAX_LISTED_CALLS, 100) });
export const errorQuery = z.object({ project });
export const sessionDetailQuery = z.object({ project, offset, limit: integer(1, 5000, 1000) });
export const projectQuery = z.object({ project });
export const olderQuery = z.object({
  older: z
    .string(SPAN_PROBLEM)
    .transform((value) => parseSpan(value))
    .refine((span) => span !== undefined, SPAN_PROBLEM)
    .describe("12h, 30d, 8w"),
});

/** Parses a comparison such as `>0.7`. A number alone means `>=`. */
function parseSeverity(comparison: string): SeverityFilter {
  const [is] = /^[<>=]*/.exec(comparison) ?? [""];
  return { is: (is === "" ? ">=" : is) as SeverityFilter["is"], value: Number(comparison.slice(is.length)) };
}

/** Validates the parameters that a route declares. An empty value counts as absent, and other names are ignored. */
export function readQuery<Q extends z.ZodObject>(schema: Q, query: URLSearchParams): z.output<Q> {
  const given = Object.keys(schema.shape).filter((name) => (query.get(name) ?? "") !== "");
  return readValue(schema, Object.fromEntries(given.map((name) => [name, query.get(name)])));
}

/** Validates a query or a body. The error starts with the name of the invalid field. */
export function readValue<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw new ParameterError(`${problem?.path.join(".") || "The body"} ${problem?.message}`);
}

/** Replaces `since` and `until` by times in ms. */
export function inRange<Q extends { readonly since?: string; readonly until?: string }>(
  { since, until, ...others }: Q,
  now: number,
): Omit<Q, "since" | "until"> & Pick<Range, "since" | "until"> {
  const [from, to] = [since, until].map((at) => (at === undefined ? undefined : parseMoment(at, now)));
  return { ...others, ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
}
