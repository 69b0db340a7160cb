import { percent } from "../format.ts";

const WIDTH = 100;
const HEIGHT = 20;

/** Small chart of rates over time; buckets without known outcomes are gaps. */
export function Sparkline({ rates }: { readonly rates: readonly (number | null)[] | undefined }) {
  const known = (rates ?? []).filter((rate) => rate !== null);
  if (rates === undefined || known.length === 0) return <span class="faint">–</span>;
  const top = Math.max(0.05, ...known);
  const x = (at: number): number => (rates.length === 1 ? WIDTH / 2 : (WIDTH * at) / (rates.length - 1));
  const y = (rate: number): number => HEIGHT - 2 - ((HEIGHT - 4) * rate) / top;
  const last = rates.findLastIndex((rate) => rate !== null);
  return (
    <svg
      class="sparkline"
      viewBox={`-3 0 ${WIDTH + 6} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`failure rate, last ${percent(known.at(-1) ?? null)}, maximum ${percent(Math.max(...known))}`}
    >
      <path d={`M0 ${HEIGHT - 2}H${WIDTH}`} class="sparkline-base" />
      <path d={pathOf(rates, x, y)} class="sparkline-line" />
      <path d={`M${x(last)} ${y(rates[last] ?? 0)}h0`} class="sparkline-dot" />
    </svg>
  );
}

function pathOf(rates: readonly (number | null)[], x: (at: number) => number, y: (rate: number) => number): string {
  let pen = "M";
  let path = "";
  for (const [at, rate] of rates.entries()) {
    if (rate === null) {
      pen = "M";
      continue;
    }
    // A point between two gaps is a zero-length line, which round line caps make visible.
    path += `${pen}${x(at).toFixed(1)} ${y(rate).toFixed(1)}${pen === "M" ? "h0" : ""}`;
    pen = "L";
  }
  return path;
}
