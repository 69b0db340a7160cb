import type { Stack } from "./stack.ts";

const BAR = 0.82;
const TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5];
const MAX_LABELS = 7;

/** The upper end of the scale: a little above the highest column, never above 100 %. */
export function topOf({ tops }: Stack): number {
  const highest = Math.max(0, ...(tops.at(-1) ?? []).map((top) => top ?? 0));
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

/** Path of one layer, in a box that is one unit per column wide and 100 high. */
export function layerPath({ tops }: Stack, layer: number, top: number): string {
  let path = "";
  for (const [at, share] of (tops[layer] ?? []).entries()) {
    const below = layer === 0 ? 0 : (tops[layer - 1]?.[at] ?? 0);
    if (share === null || share <= below) continue;
    const height = (100 * (share - below)) / top;
    path += `M${round(at + (1 - BAR) / 2)} ${round(100 - (100 * share) / top)}h${BAR}v${round(height)}h-${BAR}z`;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
