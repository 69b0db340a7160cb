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
import { ParameterError, parseRange } from "./parameters.ts";

const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"] as const;
const LONGEST_TEXT = 500;

/** Reads a range and what only some calls have: `tool`, `model`, `provider`, `category`, `phase`. */
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
    offset: wholeOf(query, "offset", 0, 0, 1_000_000_000),
  };
}

export function breakdownOf(query: URLSearchParams): Breakdown {
  return oneOf(query, "by", BREAKDOWNS, "tool");
}

/** Hours for what a person sees at a glance, days beyond. */
export function stepOf(query: URLSearchParams, range: Range, now: number): Step {
  const isShort = range.since !== undefined && (range.until ?? now) - range.since <= 3 * 86_400_000;
  return oneOf(query, "step", STEPS, isShort ? "hour" : "day");
}

export function limitOf(query: URLSearchParams): number {
  return wholeOf(query, "limit", 100, 1, 1000);
}

export function wholeOf(query: URLSearchParams, name: string, usual: number, least: number, most: number): number {
  const value = Number(query.get(name) ?? usual);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new ParameterError(`${name} must be between ${least} and ${most}.`);
  return value;
}

function oneOf<T extends string>(query: URLSearchParams, name: string, known: readonly T[], usual: T): T {
  const value = query.get(name) ?? usual;
  if (!known.includes(value as T)) throw new ParameterError(`${name} must be one of ${known.join(", ")}.`);
  return value as T;
}

function isGiven(query: URLSearchParams, name: string): boolean {
  return (query.get(name) ?? "") !== "";
}

function texts<N extends string>(query: URLSearchParams, names: readonly N[]): { readonly [K in N]?: string } {
  const given = names.filter((name) => isGiven(query, name));
  for (const name of given) {
    if ((query.get(name) ?? "").length > LONGEST_TEXT)
      throw new ParameterError(`${name} must not be longer than ${LONGEST_TEXT} characters.`);
  }
  return Object.fromEntries(given.map((name) => [name, query.get(name) ?? ""])) as { readonly [K in N]?: string };
}

/** As in `>0.7`; a number alone is a floor. */
function severityFilter(text: string): SeverityFilter {
  const [, is = "", number = ""] = /^(>=|<=|>|<|=)?\s{0,5}(\d(?:\.\d{1,6})?)$/.exec(text.trim()) ?? [];
  if (number === "" || Number(number) > 1)
    throw new ParameterError("severity must be a number from 0 to 1, alone or compared: >0.7, <=0.5.");
  return { is: (is === "" ? ">=" : is) as SeverityFilter["is"], value: Number(number) };
}
