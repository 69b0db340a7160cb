import { useSignal } from "@preact/signals";
import type { SeriesPoint, Step } from "../../../src/store/port.ts";
import { KNOWN } from "../components/calls-link.tsx";
import { lengthOf, type Query } from "../route.ts";
import { addressOf, now, range, visit } from "../state.ts";
import { ChartLegend, columnName } from "./chart-legend.tsx";
import { layerPath, timeTicks, topOf, valueTicks } from "./geometry.ts";
import { type Stack, stackOf } from "./stack.ts";

interface RateChartProps {
  readonly rows: readonly SeriesPoint[];
  readonly step: Step;
  /** Filters of the calls that the chart counts. */
  readonly query?: Query;
}

/**
 * Failure rate over time, stacked by category. The pointer or ← and → select a column; a click or Enter opens its
 * calls.
 */
export function RateChart({ rows, step, query = {} }: RateChartProps) {
  const length = lengthOf(range.value);
  const until = now.value;
  const stack = stackOf(rows, step, length === undefined ? undefined : until - length, until);
  const column = useSignal<number | undefined>(undefined);
  const columns = stack.x.length;
  const at = column.value !== undefined && column.value < columns ? column.value : undefined;
  const start = length === undefined ? undefined : until - length;
  const ofColumn = (one: number): Query => ({ ...query, ...columnTimes(stack.x[one] as number, step, start) });
  const open = (): void => {
    if (at !== undefined && stack.known[at] !== 0) visit(addressOf("calls", { ...ofColumn(at), ...KNOWN }));
  };
  const move = (by: number): void => {
    column.value = Math.max(0, Math.min(columns - 1, (at ?? columns) + by));
  };
  return (
    <figure class="chart" aria-label={`Failure rate by ${step}: ${sentence(stack)}`}>
      <div
        class="chart-area"
        tabIndex={0}
        role="slider"
        aria-label={`Column of one ${step}`}
        aria-valuemin={1}
        aria-valuemax={columns}
        aria-valuenow={(at ?? columns - 1) + 1}
        aria-valuetext={at === undefined ? "whole range" : columnName(stack.x[at] as number, step, "long")}
        onPointerMove={(event) => {
          const box = event.currentTarget.querySelector(".chart-plot")?.getBoundingClientRect();
          if (box === undefined) return;
          const found = Math.floor((columns * (event.clientX - box.left)) / box.width);
          column.value = found >= 0 && found < columns ? found : undefined;
        }}
        onPointerLeave={() => {
          column.value = undefined;
        }}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key === "Enter") open();
          if (event.key === "ArrowLeft") move(-1);
          if (event.key === "ArrowRight") move(1);
        }}
      >
        <Plot stack={stack} chosen={at} />
        <Labels stack={stack} step={step} />
      </div>
      <ChartLegend stack={stack} step={step} column={at} query={at === undefined ? query : ofColumn(at)} />
    </figure>
  );
}

const STEP_MS: Readonly<Record<Step, number>> = { hour: 3_600_000, day: 86_400_000 };

/** The times of a column. The first day of a range is counted from the hour in which the range starts. */
export function columnTimes(seconds: number, step: Step, rangeStart: number | undefined): Query {
  const start = seconds * 1000;
  const first = rangeStart === undefined ? start : Math.max(start, rangeStart - (rangeStart % STEP_MS.hour));
  return { since: new Date(first).toISOString(), until: new Date(start + STEP_MS[step]).toISOString() };
}

function sentence({ names, counts }: Stack): string {
  if (names.length === 0) return "no failures";
  return names.map((name, at) => `${name} ${(counts[at] ?? []).reduce((sum, one) => sum + one, 0)}`).join(", ");
}

/** Stretches to the available width. One path per layer keeps the DOM small for any number of columns. */
function Plot({ stack, chosen }: { readonly stack: Stack; readonly chosen: number | undefined }) {
  const top = topOf(stack);
  return (
    <svg class="chart-plot" viewBox={`0 0 ${stack.x.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      {chosen !== undefined && <rect class="chart-chosen" x={chosen} width="1" height="100" />}
      <path
        class="chart-grid"
        d={valueTicks(top)
          .map((value) => `M0 ${100 - (100 * value) / top}H${stack.x.length}`)
          .join("")}
      />
      {stack.tops.map((_, layer) => (
        <path key={stack.names[layer]} class={`fill-${layer}`} d={layerPath(stack, layer, top)} />
      ))}
    </svg>
  );
}

function Labels({ stack, step }: { readonly stack: Stack; readonly step: Step }) {
  const top = topOf(stack);
  return (
    <svg class="chart-labels" aria-hidden="true">
      {valueTicks(top).map((value) => (
        <text key={value} x="-8" y={`${100 - (100 * value) / top}%`} dy="4" text-anchor="end">
          {Math.round(1000 * value) / 10}%
        </text>
      ))}
      {timeTicks(stack.x.length).map((at) => (
        <text key={at} x={`${(100 * (at + 0.5)) / stack.x.length}%`} y="100%" dy="17" text-anchor="middle">
          {columnName(stack.x[at] as number, step, "short")}
        </text>
      ))}
    </svg>
  );
}
