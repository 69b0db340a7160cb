/** A share of one as per cent with one decimal; a dash where there is nothing to take a share of. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : (100 * rate).toFixed(1);
}

/** The difference of two shares in percentage points, with its sign. */
export function points(change: number | null): string {
  if (change === null) return "–";
  const text = (100 * change).toFixed(1);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? "0.0" : text;
}
