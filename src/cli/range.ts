import { parseMoment } from "../api/parameters.ts";
import type { Range } from "../store/port.ts";
import { CliError } from "./errors.ts";

export interface RangeFlags {
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
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
