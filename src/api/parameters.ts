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
