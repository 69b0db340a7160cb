const STEPS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** How long ago something was, in its largest unit: `3d`, `14h`, `5m`. */
export function ago(at: string, now: number): string {
  const past = Math.max(0, now - Date.parse(at));
  const [unit, size] = STEPS.find(([, length]) => past >= length) ?? ["s", 1000];
  return `${Math.floor(past / size)}${unit}`;
}
