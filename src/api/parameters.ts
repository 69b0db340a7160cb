import type { Range } from "../store/port.ts";

/** A question that cannot be answered as it was asked. */
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

/** A span such as `90m`, `24h`, `7d`, `4w`, in ms; undefined when it is none. */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}

/** A moment: a span before now, or a date. */
export function parseMoment(text: string, now: number): number | undefined {
  const span = parseSpan(text);
  if (span !== undefined) return now - span;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Reads `project`, `since` and `until`. */
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
