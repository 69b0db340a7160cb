import type { Overview } from "../../../../src/api/overview.ts";
import type { SeriesPoint, Step } from "../../../../src/store/port.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { RatioChart } from "../../charts/ratio-chart.tsx";
import { NothingInRange } from "../../components/nothing-in-range.tsx";
import { Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { Cards } from "./cards.tsx";
import { GettingWorse } from "./getting-worse.tsx";
import { TopSessions } from "./top-sessions.tsx";
import { TopTools } from "./top-tools.tsx";

/** Which tools fail, and is it getting worse: in one look. */
export function OverviewPage() {
  const { value: totals, isOld } = useAnswer<Overview>(inRange("/api/summary"));
  if (totals === undefined) return <Waiting />;
  const empty = totals.calls === 0 && totals.pending === 0 && totals.sessions === 0;
  return (
    <>
      <Cards totals={totals} busy={isOld} />
      {empty ? (
        <NothingInRange />
      ) : (
        <>
          <div class="columns columns-wide">
            <RatioOverTime />
            <GettingWorse />
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
  const { value, isOld } = useAnswer<{ readonly step: Step; readonly rows: readonly SeriesPoint[] }>(
    inRange("/api/series"),
  );
  return (
    <Panel title="Failure ratio" note={value === undefined ? "" : `by ${value.step}`} rows={value?.rows} busy={isOld}>
      <RatioChart rows={value?.rows ?? []} step={value?.step ?? "hour"} />
    </Panel>
  );
}
