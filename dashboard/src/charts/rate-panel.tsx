import type { SeriesResponse } from "../../../src/api/overview.ts";
import { Panel } from "../components/panel.tsx";
import { inRange, useQuery } from "../queries.ts";
import type { Query } from "../route.ts";
import { period, place, show } from "../state.ts";
import { RateChart } from "./rate-chart.tsx";

const HOUR_MS = 3_600_000;

/** Failure rate over time, optionally compared with the preceding period. */
export function RatePanel({ query = {} }: { readonly query?: Query }) {
  const { value, isOld } = useQuery<SeriesResponse>(inRange("/api/series", query));
  const { since } = period.value;
  const isCompared = place.value.query.compare === "1" && since !== undefined;
  return (
    <Panel
      title="Failure rate"
      note={value === undefined ? "" : `by ${value.step}`}
      rows={value?.rows}
      busy={isOld}
      actions={
        since !== undefined && (
          <label class="check compare">
            <input
              type="checkbox"
              checked={isCompared}
              onChange={(event) => show({ compare: event.currentTarget.checked ? "1" : "" })}
            />
            Period before
          </label>
        )
      }
    >
      {isCompared && value !== undefined ? (
        <ComparedChart series={value} query={query} />
      ) : (
        <RateChart rows={value?.rows ?? []} uses={value?.first_uses} step={value?.step ?? "hour"} query={query} />
      )}
    </Panel>
  );
}

interface ComparedChartProps {
  readonly series: SeriesResponse;
  readonly query: Query;
}

function ComparedChart({ series: { rows, first_uses: uses, step }, query }: ComparedChartProps) {
  const { since = 0, until } = period.value;
  // Whole hours, as in rollups; otherwise every tick of the clock would be another query.
  const [from, to] = [2 * since - until, since].map((at) => new Date(at - (at % HOUR_MS)).toISOString());
  const { value } = useQuery<SeriesResponse>(inRange("/api/series", { ...query, since: from, until: to, step }));
  return <RateChart rows={rows} uses={uses} previous={value?.rows ?? []} step={step} query={query} />;
}
