import type { Overview } from "../../../../src/api/overview.ts";
import type { SeriesPoint, Step } from "../../../../src/store/port.ts";
import { RatioChart } from "../../charts/ratio-chart.tsx";
import { EmptyRange } from "../../components/empty-range.tsx";
import { Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { inRange, useQuery } from "../../queries.ts";
import { Cards } from "./cards.tsx";
import { RegressionsPanel } from "./regressions.tsx";
import { TopSessions } from "./top-sessions.tsx";
import { TopTools } from "./top-tools.tsx";

/** Which tools fail, and is it getting worse: in one look. */
export function OverviewPage() {
  const { value: totals, isOld } = useQuery<Overview>(inRange("/api/summary"));
  if (totals === undefined) return <Waiting />;
  const empty = totals.calls === 0 && totals.pending === 0 && totals.sessions === 0;
  return (
    <>
      <Cards totals={totals} busy={isOld} />
      {empty ? (
        <EmptyRange />
      ) : (
        <>
          <div class="columns columns-wide">
            <RatioOverTime />
            <RegressionsPanel />
          </div>
          <div class="columns">
            <TopTools />
            <TopSessions />
          </div>
        </>
      )}
    </>
  );
}

function RatioOverTime() {
  const { value, isOld } = useQuery<{ readonly step: Step; readonly rows: readonly SeriesPoint[] }>(
    inRange("/api/series"),
  );
  return (
    <Panel title="Failure ratio" note={value === undefined ? "" : `by ${value.step}`} rows={value?.rows} busy={isOld}>
      <RatioChart rows={value?.rows ?? []} step={value?.step ?? "hour"} />
    </Panel>
  );
}
