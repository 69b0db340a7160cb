import { parseMoment } from "../api/parameters.ts";
import { HOUR } from "../core/model/rollup.ts";
import type { Range } from "../store/port.ts";
import { CliError } from "./errors.ts";

export interface RangeFlags {
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
}

/** The range that totals cover: they are counted by whole hours, from the hour of the start to that of the end. */
export function wholeHours({ since, until, ...range }: Range): Range {
  return {
    ...range,
    ...(since !== undefined && { since: since - (since % HOUR) }),
    ...(until !== undefined && { until: Math.ceil(until / HOUR) * HOUR }),
  };
}

/** " since 2026-03-10 12:00 UTC (whole hours)"; empty for an open range. */
export function rangeText({ since, until }: Range): string {
  const at = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const ends = [
    ...(since === undefined ? [] : [`since ${at(since)}`]),
    ...(until === undefined ? [] : [`until ${at(until)}`]),
  ];
  return ends.length === 0 ? "" : ` ${ends.join(" ")} (whole hours)`;
}

/** Parses the flags that select records. */
export function rangeOf(flags: RangeFlags, now: number): Range {
  const moment = (name: "since" | "until"): number | undefined => {
    const text = flags[name];
    if (text === undefined) return undefined;
    const at = parseMoment(text, now);
    if (at === undefined)
      throw new CliError(`--${name} must be a duration such as 24h or 7d, or a date such as 2026-03-10.`, {
        exitCode: 2,
      });
    return at;
  };
  const [since, until] = [moment("since"), moment("until")];
  if (since !== undefined && until !== undefined && since >= until)
    throw new CliError("The range is empty: --since must be before --until.", { exitCode: 2 });
  if (since === now) throw new CliError("The range is empty: --since must be longer ago.", { exitCode: 2 });
  return {
    ...(flags.project !== undefined && { project: flags.project }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}
