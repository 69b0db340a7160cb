import { DAY, HOUR } from "../core/model/rollup.ts";
import type { Range } from "./queries.ts";

/** A part of a range that is read from rollups of one length (hour or day). In ms; `to` is exclusive. */
export interface Span {
  readonly span: number;
  readonly from: number;
  readonly to: number;
}

/** Later than all valid times. */
const NEVER = 8.64e15;

/** Splits a range into whole days, with hours at both ends, so that a year needs few rows. */
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

/** A range as hours only. */
export function hoursOf({ since, until }: Range): readonly Span[] {
  return [{ span: HOUR, from: since === undefined ? 0 : since - (since % HOUR), to: until ?? NEVER }];
}

/** The preceding range of the same length; undefined for an open range. */
export function previousRange<T extends Range>(range: T): T | undefined {
  const { since, until } = range;
  if (since === undefined || until === undefined || until <= since) return undefined;
  return { ...range, since: Math.max(0, since - (until - since)), until: since };
}
