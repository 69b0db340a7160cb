import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { FirstUse, SeriesPoint, Step } from "../../../src/store/port.ts";
import { KNOWN } from "../components/calls-link.tsx";
import { count } from "../format.ts";
import type { Query } from "../route.ts";
import { addressOf, period, show, visit } from "../state.ts";
import { ChartLegend, columnName, type Mark } from "./chart-legend.tsx";
import { barsPath, layerPath, noFailuresPath, ratePath, timeTicks, topOf, valueTicks } from "./geometry.ts";
import { FEW_CALLS, type Stack, stackOf } from "./stack.ts";

interface RateChartProps {
  readonly rows: readonly SeriesPoint[];
  /** The period before, of the same length. */
  readonly previous?: readonly SeriesPoint[] | undefined;
  /** Models and versions of clients that began in the range. */
  readonly uses?: readonly FirstUse[] | undefined;
  readonly step: Step;
  /** Filters of the calls that the chart counts. */
  readonly query?: Query;
}

/**
 * Failure rate over time, stacked by category, above the number of calls. The pointer or ← and → select a column; a
 * click or Enter opens its calls; dragging selects a time range.
 */
export function RateChart({ rows, previous: rowsBefore, uses = [], step, query = {} }: RateChartProps) {
  const { since, until } = period.value;
  const stack = stackOf(rows, step, since, until);
  const length = since === undefined ? 0 : until - since;
  const previous =
    rowsBefore === undefined || since === undefined
      ? undefined
      : stackOf(rowsBefore, step, since - length, until - length);
  const column = useSignal<number | undefined>(undefined);
  const pressed = useSignal<number | undefined>(undefined);
  const isDragged = useRef(false);
  const columns = stack.x.length;
  const marks = uses.flatMap((use) => {
    const found = stack.x.indexOf(use.at / 1000);
    return found === -1 ? [] : [{ ...use, column: found }];
  });
  const at = column.value !== undefined && column.value < columns ? column.value : undefined;
  const ofColumn = (one: number): Query => ({ ...query, ...columnTimes(stack.x[one] as number, step, since) });
  const open = (): void => {
    if (isDragged.current) isDragged.current = false;
    else if (at !== undefined && stack.known[at] !== 0) visit(addressOf("calls", { ...ofColumn(at), ...KNOWN }));
  };
  const move = (by: number): void => {
    column.value = Math.max(0, Math.min(columns - 1, (at ?? columns) + by));
  };
  const zoom = (): void => {
    const [from, to] = [pressed.value, at];
    pressed.value = undefined;
    if (from === undefined || to === undefined || from === to) return;
    isDragged.current = true;
    const first = columnTimes(stack.x[Math.min(from, to)] as number, step, since);
    const last = columnTimes(stack.x[Math.max(from, to)] as number, step, since);
    show({ since: first.since as string, until: last.until as string });
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
        title="Click a column for its calls, drag to select a time range"
        onPointerDown={(event) => {
          isDragged.current = false;
          // A finger scrolls the page.
          if (event.button === 0 && event.pointerType === "mouse") pressed.value = at;
        }}
        onPointerUp={zoom}
        onPointerMove={(event) => {
          const box = event.currentTarget.querySelector(".chart-plot")?.getBoundingClientRect();
          if (box === undefined) return;
          const found = Math.floor((columns * (event.clientX - box.left)) / box.width);
          column.value = found >= 0 && found < columns ? found : undefined;
        }}
        onPointerLeave={() => {
          column.value = undefined;
          pressed.value = undefined;
        }}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key === "Enter") open();
          if (event.key === "ArrowLeft") move(-1);
          if (event.key === "ArrowRight") move(1);
        }}
      >
        <Plot stack={stack} previous={previous} marks={marks} chosen={at} pressed={pressed.value} />
        <Volume stack={stack} chosen={at} />
        <Labels stack={stack} previous={previous} marks={marks} step={step} />
      </div>
      <ChartLegend
        stack={stack}
        step={step}
        column={at}
        query={at === undefined ? query : ofColumn(at)}
        previous={previous}
        marks={marks}
      />
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

interface PlotProps {
  readonly stack: Stack;
  readonly previous: Stack | undefined;
  readonly marks: readonly Mark[];
  readonly chosen: number | undefined;
  /** Where a selection by dragging began. */
  readonly pressed: number | undefined;
}

/** Stretches to the available width. Few paths per layer keep the DOM small for any number of columns. */
function Plot({ stack, previous, marks, chosen, pressed }: PlotProps) {
  const top = topOf(stack, previous);
  const isFew = (column: number): boolean => (stack.known[column] ?? 0) < FEW_CALLS;
  return (
    <svg class="chart-plot" viewBox={`0 0 ${stack.x.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      {chosen !== undefined && <rect class="chart-chosen" x={chosen} width="1" height="100" />}
      <path
        class="chart-grid"
        d={valueTicks(top)
          .map((value) => `M0 ${100 - (100 * value) / top}H${stack.x.length}`)
          .join("")}
      />
      <path class="chart-none-failed" d={noFailuresPath(stack)} />
      {stack.names.map((name, layer) => (
        <g key={name} class={`category-fill of-${name}`}>
          <path d={layerPath(stack, layer, top, (column) => !isFew(column))} />
          <path class="chart-few" d={layerPath(stack, layer, top, isFew)} />
        </g>
      ))}
      <path class="chart-mark" d={marks.map(({ column }) => `M${column} 0V100`).join("")} />
      {previous !== undefined && <path class="chart-previous" d={ratePath(previous, stack.x.length, top)} />}
      {pressed !== undefined && chosen !== undefined && pressed !== chosen && (
        <rect class="chart-brush" x={Math.min(pressed, chosen)} width={Math.abs(chosen - pressed) + 1} height="100" />
      )}
    </svg>
  );
}

/** The number of calls behind each rate. */
function Volume({ stack: { known, x }, chosen }: Pick<PlotProps, "stack" | "chosen">) {
  return (
    <svg class="chart-volume" viewBox={`0 0 ${x.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      {chosen !== undefined && <rect class="chart-chosen" x={chosen} width="1" height="100" />}
      <path d={barsPath(known)} />
    </svg>
  );
}

interface LabelsProps extends Pick<PlotProps, "stack" | "previous" | "marks"> {
  readonly step: Step;
}

function Labels({ stack, previous, marks, step }: LabelsProps) {
  const top = topOf(stack, previous);
  return (
    <svg class="chart-labels" aria-hidden="true">
      {valueTicks(top).map((value) => (
        <text key={value} x="-8" y={`${100 - (100 * value) / top}%`} dy="4" text-anchor="end">
          {Math.round(1000 * value) / 10}%
        </text>
      ))}
      {marks.map(({ column, kind, name }) => (
        <text
          key={`${kind} ${name}`}
          class="mark"
          x={`${(100 * column) / stack.x.length}%`}
          dy="2"
          text-anchor="middle"
        >
          ▾
        </text>
      ))}
      <text x="-8" y="100%" dy="20" text-anchor="end">
        {count(Math.max(0, ...stack.known))}
      </text>
      <text x="-8" y="100%" dy="31" text-anchor="end">
        calls
      </text>
      {timeTicks(stack.x.length).map((at) => (
        <text key={at} x={`${(100 * (at + 0.5)) / stack.x.length}%`} y="100%" dy="51" text-anchor="middle">
          {columnName(stack.x[at] as number, step, "short")}
        </text>
      ))}
    </svg>
  );
}
