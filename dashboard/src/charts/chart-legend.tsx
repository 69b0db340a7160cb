import { rateDifference } from "../../../src/core/score/rate-difference.ts";
import type { FirstUse, Step } from "../../../src/store/port.ts";
import { CallsLink, FAILED_CALLS, KNOWN } from "../components/calls-link.tsx";
import { count, percent, points, visible } from "../format.ts";
import type { Query } from "../route.ts";
import { FEW_CALLS, type Stack } from "./stack.ts";

/** A first use, and the column in which it happened. */
export interface Mark extends FirstUse {
  readonly column: number;
}

interface ChartLegendProps {
  readonly stack: Stack;
  readonly step: Step;
  readonly column: number | undefined;
  /** Filters of the calls in the column or in the whole range. */
  readonly query: Query;
  /** The period before, if it is compared. */
  readonly previous: Stack | undefined;
  readonly marks: readonly Mark[];
}

/** Totals of the selected column, or of the whole range. */
export function ChartLegend({ stack, step, column, query, previous, marks }: ChartLegendProps) {
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
        {known > 0 && known < FEW_CALLS && <span class="faint"> · too few calls for a reliable rate</span>}
      </span>
      {previous !== undefined && column === undefined && <Previous now={[failed, known]} previous={previous} />}
      <ul>
        {stack.names.map((name, layer) => (
          <li key={name}>
            <span class={`swatch of-${name}`} aria-hidden="true" />
            <CallsLink
              calls={of(stack.counts[layer] ?? [])}
              query={{ ...query, category: (stack.categories[layer] ?? []).join() }}
            >
              {name} <span class="faint">{count(of(stack.counts[layer] ?? []))}</span>
            </CallsLink>
          </li>
        ))}
      </ul>
      <FirstUses marks={marks} step={step} column={column} />
    </figcaption>
  );
}

const MAX_MARKS = 4;

/** Changes that may explain a change of the rate. Those of other columns are faded, so that the page does not move. */
function FirstUses({ marks, step, column }: Pick<ChartLegendProps, "marks" | "step" | "column">) {
  if (marks.length === 0) return null;
  const names = marks.slice(-MAX_MARKS).map(({ at, name, version, column: own }) => (
    <bdi key={`${name} ${version}`} class={(column ?? own) === own ? "" : "faint"}>
      {visible([name, version ?? ""].join(" ").trim())}{" "}
      <span class="faint">{columnName(at / 1000, step, "short")}</span>
    </bdi>
  ));
  return (
    <p class="first-uses" title="Models and versions of clients that were used for the first time">
      <span class="mark">▾</span> First used: {names}
      {marks.length > MAX_MARKS && <span class="faint">and {marks.length - MAX_MARKS} before</span>}
    </p>
  );
}

interface PreviousProps {
  readonly now: readonly [failed: number, known: number];
  readonly previous: Stack;
}

/** The total of the period before, and whether the difference may be chance. */
function Previous({ now: [failed, known], previous }: PreviousProps) {
  const sum = (row: readonly number[]): number => row.reduce((all, one) => all + one, 0);
  const before = { failed: sum(previous.failed), ok: sum(previous.known) - sum(previous.failed) };
  const found = rateDifference({ failed, ok: known - failed }, before);
  return (
    <span class="legend-when">
      <span class="previous-mark" aria-hidden="true" /> Period before{" "}
      <strong>{percent(found === null ? null : before.failed / (before.ok + before.failed))}</strong>{" "}
      <span class="faint">
        of {count(before.ok + before.failed)}
        {found !== null &&
          (found.isCertain ? `: ${points(found.difference)} points` : ": the difference may be chance")}
      </span>
    </span>
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
