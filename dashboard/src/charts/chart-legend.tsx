import type { Step } from "../../../src/store/port.ts";
import { CallsLink, FAILED_CALLS, KNOWN } from "../components/calls-link.tsx";
import { count, percent } from "../format.ts";
import type { Query } from "../route.ts";
import type { Stack } from "./stack.ts";

interface ChartLegendProps {
  readonly stack: Stack;
  readonly step: Step;
  readonly column: number | undefined;
  /** Filters of the calls in the column or in the whole range. */
  readonly query: Query;
}

/** Totals of the selected column, or of the whole range. */
export function ChartLegend({ stack, step, column, query }: ChartLegendProps) {
  const of = (row: readonly number[]): number =>
    column === undefined ? row.reduce((sum, one) => sum + one, 0) : (row[column] ?? 0);
  const [failed, known] = [of(stack.failed), of(stack.known)];
  return (
    <figcaption class="legend">
      <span class="legend-when">
        {column === undefined ? "Whole range" : columnName(stack.x[column] as number, step, "long")}{" "}
        <strong>{percent(known === 0 ? null : failed / known)}</strong>{" "}
        <span class="faint">
          <CallsLink calls={failed} query={{ ...query, ...FAILED_CALLS }} /> of{" "}
          <CallsLink calls={known} query={{ ...query, ...KNOWN }} />
        </span>
      </span>
      <ul>
        {stack.names.map((name, layer) => (
          <li key={name}>
            <span class={`swatch layer-${layer}`} aria-hidden="true" />
            <CallsLink
              calls={of(stack.counts[layer] ?? [])}
              query={{ ...query, category: (stack.categories[layer] ?? []).join() }}
            >
              {name} <span class="faint">{count(of(stack.counts[layer] ?? []))}</span>
            </CallsLink>
          </li>
        ))}
      </ul>
    </figcaption>
  );
}

/** Hours in the reader's time zone; days in UTC, as they are aggregated. */
export function columnName(seconds: number, step: Step, length: "short" | "long"): string {
  const weekday = length === "long" ? ({ weekday: "short" } as const) : {};
  const format: Intl.DateTimeFormatOptions =
    step === "hour"
      ? { ...weekday, hour: "2-digit", minute: "2-digit", hour12: false }
      : { ...weekday, month: "short", day: "numeric", timeZone: "UTC" };
  return new Intl.DateTimeFormat(undefined, format).format(seconds * 1000);
}
