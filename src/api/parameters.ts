import {
  BREAKDOWNS,
  type Breakdown,
  type Range,
  type RollupQuery,
  SESSION_SORTS,
  type SessionQuery,
  type SessionSort,
  type SeverityFilter,
  STEPS,
  type Step,
} from "../store/port.ts";

/** A request with an invalid parameter. */
export class ParameterError extends Error {
  readonly code = "bad-parameter";
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.name = "ParameterError";
    this.status = status;
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a span such as `90m`, `24h`, `7d` or `4w` to ms. Returns undefined if it is invalid. */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}

/** Parses a span before now, or a date. */
export function parseMoment(text: string, now: number): number | undefined {
  const span = parseSpan(text);
  if (span !== undefined) return now - span;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Parses `project`, `since` and `until`. */
export function parseRange(query: URLSearchParams, now: number): Range {
  const moment = (name: string): number | undefined => {
    const text = query.get(name);
    if (text === null || text === "") return undefined;
    const at = parseMoment(text, now);
    if (at === undefined)
      throw new ParameterError(`${name} must be a span such as 24h or 7d, or a date such as 2026-03-10.`);
    return at;
  };
  const [project, since, until] = [query.get("project"), moment("since"), moment("until")];
  return {
    ...(project !== null && project !== "" && { project }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"] as const;
const MAX_TEXT_CHARS = 500;

/** Parses a range and the filters of rollups. */
export function rollupQuery(query: URLSearchParams, now: number): RollupQuery {
  return { ...parseRange(query, now), ...texts(query, ["tool", "model", "provider", "category", "phase"]) };
}

export function sessionQuery(query: URLSearchParams, now: number): SessionQuery {
  const severity = query.get("severity");
  return {
    ...parseRange(query, now),
    ...texts(query, ["tool", "model", "category", "workflow", "text"]),
    ...(isGiven(query, "health") && { health: oneOf(query, "health", HEALTHS, "healthy") }),
    ...(isGiven(query, "rate_health") && { rate_health: oneOf(query, "rate_health", HEALTHS, "healthy") }),
    ...(severity !== null && severity !== "" && { severity: severityFilter(severity) }),
    sort: oneOf<SessionSort>(query, "sort", SESSION_SORTS, "recent"),
    limit: limitOf(query),
    offset: integerOf(query, "offset", 0, 0, 1_000_000_000),
  };
}

export function breakdownOf(query: URLSearchParams): Breakdown {
  return oneOf(query, "by", BREAKDOWNS, "tool");
}

/** Defaults to hours for at most 3 days, and to days for longer ranges. */
export function stepOf(query: URLSearchParams, range: Range, now: number): Step {
  const isShort = range.since !== undefined && (range.until ?? now) - range.since <= 3 * 86_400_000;
  return oneOf(query, "step", STEPS, isShort ? "hour" : "day");
}

export function limitOf(query: URLSearchParams): number {
  return integerOf(query, "limit", 100, 1, 1000);
}

export function integerOf(query: URLSearchParams, name: string, fallback: number, min: number, max: number): number {
  const value = Number(query.get(name) ?? fallback);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ParameterError(`${name} must be between ${min} and ${max}.`);
  return value;
}

function oneOf<T extends string>(query: URLSearchParams, name: string, known: readonly T[], fallback: T): T {
  const value = query.get(name) ?? fallback;
  if (!known.includes(value as T)) throw new ParameterError(`${name} must be one of ${known.join(", ")}.`);
  return value as T;
}

function isGiven(query: URLSearchParams, name: string): boolean {
  return (query.get(name) ?? "") !== "";
}

function texts<N extends string>(query: URLSearchParams, names: readonly N[]): { readonly [K in N]?: string } {
  const given = names.filter((name) => isGiven(query, name));
  for (const name of given) {
    if ((query.get(name) ?? "").length > MAX_TEXT_CHARS)
      throw new ParameterError(`${name} must not be longer than ${MAX_TEXT_CHARS} characters.`);
  }
  return Object.fromEntries(given.map((name) => [name, query.get(name) ?? ""])) as { readonly [K in N]?: string };
}

/** Parses a comparison such as `>0.7`. A number alone means `>=`. */
function severityFilter(text: string): SeverityFilter {
  const [, is = "", number = ""] = /^(>=|<=|>|<|=)?\s{0,5}(\d(?:\.\d{1,6})?)$/.exec(text.trim()) ?? [];
  if (number === "" || Number(number) > 1)
    throw new ParameterError("severity must be a number from 0 to 1, alone or compared: >0.7, <=0.5.");
  return { is: (is === "" ? ">=" : is) as SeverityFilter["is"], value: Number(number) };
}
