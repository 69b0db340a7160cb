import type { ErrorResponse } from "../../../../src/api/errors.ts";
import { columnName } from "../../charts/chart-legend.tsx";
import { columnTimes } from "../../charts/rate-chart.tsx";
import { count } from "../../format.ts";
import type { Query } from "../../route.ts";
import { addressOf, now, visit } from "../../state.ts";

const DAY = 86_400_000;
const DAYS = 30;

interface DayChartProps {
  readonly days: ErrorResponse["days"];
  /** Filters of the calls with the error. */
  readonly query: Query;
}

/** Occurrences of the last days. A click on a column opens its calls. */
export function DayChart({ days, query }: DayChartProps) {
  const last = now.value - (now.value % DAY);
  const byDay = new Map(days.map(({ at, count: times }) => [at, times]));
  const columns = Array.from({ length: DAYS }, (_, at) => last - (DAYS - 1 - at) * DAY);
  const most = Math.max(1, ...columns.map((at) => byDay.get(at) ?? 0));
  const total = columns.reduce((sum, at) => sum + (byDay.get(at) ?? 0), 0);
  return (
    <figure class="days">
      <svg viewBox={`0 0 ${DAYS} 100`} preserveAspectRatio="none" role="img" aria-label={`${count(total)} in 30 days`}>
        {columns.map((at, column) => {
          const times = byDay.get(at) ?? 0;
          const height = (100 * times) / most;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of occurrences offers the same by keyboard
            <rect
              key={at}
              class={times === 0 ? "day-none" : "day"}
              x={column + 0.1}
              width="0.8"
              y={times === 0 ? 98 : 100 - height}
              height={times === 0 ? 2 : height}
              onClick={() => {
                if (times > 0)
                  visit(addressOf("calls", { ...query, ...columnTimes(at / 1000, "day", undefined), range: "all" }));
              }}
            >
              <title>{`${columnName(at / 1000, "day", "long")}: ${count(times)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="faint">
        <span>{columnName((columns[0] as number) / 1000, "day", "short")}</span>
        <span>most on a day: {count(most)}</span>
        <span>{columnName(last / 1000, "day", "short")}</span>
      </figcaption>
    </figure>
  );
}
