import type { Stack } from "./stack.ts";

const BAR = 0.82;
const TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5];
const MAX_LABELS = 7;

/** The upper end of the scale: a little above the highest column, never above 100 %. */
export function topOf({ tops }: Stack, previous?: Stack): number {
  const heights = [...(tops.at(-1) ?? []), ...(previous?.tops.at(-1) ?? [])];
  const highest = Math.max(0, ...heights.map((top) => top ?? 0));
  return Math.min(1, Math.max(0.05, highest * 1.1));
}

/** Round values, with two to four grid lines. */
export function valueTicks(top: number): readonly number[] {
  const step = TICKS.find((one) => top / one <= 4.5) ?? 0.5;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, at) => at * step);
}

/** Indexes of labeled columns, evenly spaced from the end. */
export function timeTicks(columns: number): readonly number[] {
  const every = Math.ceil(columns / MAX_LABELS);
  const labels: number[] = [];
  for (let at = columns - 1 - Math.floor(every / 2); at >= 0; at -= every) labels.unshift(at);
  return labels;
}

/**
 * Path of one layer, in a box that is one unit per column wide and 100 high.
 *
 * @param has whether to draw a column
 */
export function layerPath(
  { tops }: Stack,
  layer: number,
  top: number,
  has: (column: number) => boolean = () => true,
): string {
  let path = "";
  for (const [at, share] of (tops[layer] ?? []).entries()) {
    const below = layer === 0 ? 0 : (tops[layer - 1]?.[at] ?? 0);
    if (share === null || share <= below || !has(at)) continue;
    const height = (100 * (share - below)) / top;
    path += `M${round(at + (1 - BAR) / 2)} ${round(100 - (100 * share) / top)}h${BAR}v${round(height)}h-${BAR}z`;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Bars of a number per column, as high as its share of the highest. */
export function barsPath(values: readonly number[]): string {
  const highest = Math.max(1, ...values);
  return values
    .map((value, at) => {
      if (value === 0) return "";
      const height = round(Math.max(4, (100 * value) / highest));
      return `M${round(at + (1 - BAR) / 2)} ${round(100 - height)}h${BAR}v${height}h-${BAR}z`;
    })
    .join("");
}

/** A low line in every column with calls but without failures. */
export function noFailuresPath({ known, failed }: Stack): string {
  return known
    .map((calls, at) => (calls > 0 && failed[at] === 0 ? `M${round(at + (1 - BAR) / 2)} 98.5h${BAR}v1.5h-${BAR}z` : ""))
    .join("");
}

/** The rates of another period as a line between the columns with a rate, aligned at the end. */
export function ratePath({ failed, known }: Stack, columns: number, top: number): string {
  const shift = columns - known.length;
  let path = "";
  for (const [at, calls] of known.entries()) {
    if (calls === 0 || at + shift < 0) continue;
    const height = round(100 - (100 * (failed[at] ?? 0)) / calls / top);
    path += `${path === "" ? "M" : "L"}${at + shift + 0.5} ${height}`;
  }
  return path;
}
