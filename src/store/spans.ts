import { DAY, HOUR } from "../core/model/rollup.ts";
import type { Range } from "./queries.ts";

/** A stretch of time to be added up from sums of one length. Both ends in ms; `to` is not part of it. */
export interface Span {
  readonly span: number;
  readonly from: number;
  readonly to: number;
}

/** Later than every time a record may have. */
const NEVER = 8.64e15;

/** A range as whole days with hours at its ends: so few rows answer for a year. */
export function spansOf({ since, until }: Range): readonly Span[] {
  const from = since === undefined ? 0 : since - (since % HOUR);
  const to = until ?? NEVER;
  const firstDay = Math.ceil(from / DAY) * DAY;
  const lastDay = until === undefined ? NEVER : to - (to % DAY);
  if (firstDay >= lastDay) return [{ span: HOUR, from, to }];
  return [
    { span: HOUR, from, to: firstDay },
    { span: DAY, from: firstDay, to: lastDay },
    { span: HOUR, from: lastDay, to },
  ].filter((one) => one.from < one.to);
}

/** The same by hours alone. */
export function hoursOf({ since, until }: Range): readonly Span[] {
  return [{ span: HOUR, from: since === undefined ? 0 : since - (since % HOUR), to: until ?? NEVER }];
}

/** The window of the same length right before; undefined for one that is open. */
export function previousRange<T extends Range>(range: T): T | undefined {
  const { since, until } = range;
  if (since === undefined || until === undefined || until <= since) return undefined;
  return { ...range, since: Math.max(0, since - (until - since)), until: since };
}
