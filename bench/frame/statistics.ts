/** The value below which the given share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The median of the ratios within each round: drift over time cancels out. */
export function medianRatio(values: readonly number[], reference: readonly number[]): number {
  return median(values.map((value, round) => value / (reference[round] as number)));
}

/** The smallest and the largest of the ratios of several runs, as a remark. */
export function spreadText(ratios: readonly number[]): string {
  return `${ratios.length} runs, ${Math.min(...ratios).toFixed(2)}× to ${Math.max(...ratios).toFixed(2)}×`;
}

/** The exponent of growth: 1 when the cost doubles with the size, 2 when it grows fourfold. */
export function logLogSlope(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
