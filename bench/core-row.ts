import { type Row, row } from "./frame/row.ts";

/** A row of a benchmark that runs in this process; the bar is human-readable: `≥ 0.1×, aim 0.3×`. */
export interface CoreRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly reach: string;
  readonly ratio: number;
}

export function coreRow({ name, value, unit, reach, ratio }: CoreRow, against: string): Row {
  const [, sign, bar] = /([≤≥])\s*([\d.]+)/.exec(reach) ?? [];
  const reached = sign === undefined ? undefined : sign === "≤" ? { atMost: Number(bar) } : { atLeast: Number(bar) };
  return row({ name, against, value, unit, ratio, ...(reached !== undefined && { reach: reached }) });
}
