import type { Overview } from "../../../../src/api/overview.ts";
import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { SeriesPoint, SessionRow, Step } from "../../../../src/store/port.ts";
import { RatioChart } from "../../charts/ratio-chart.tsx";
import {
  CALLS,
  FAILED,
  keyOfSession,
  LAST_SEEN,
  MOSTLY_OF_SESSION,
  MOSTLY_OF_TOOL,
  OPEN,
  OUTCOMES,
  RATE,
  SESSION,
  ToolLink,
} from "../../components/columns.tsx";
import { EmptyRange } from "../../components/empty-range.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { inRange, useQuery } from "../../queries.ts";
import { Cards } from "./cards.tsx";
import { RegressionsPanel } from "./regressions.tsx";

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

const SESSION_COLUMNS: readonly Column<SessionRow>[] = [SESSION, CALLS, FAILED, OPEN, MOSTLY_OF_SESSION, LAST_SEEN];

/** The newest sessions with what stayed broken in them. */
export function TopSessions() {
  const path = inRange("/api/sessions", { sort: "unrecovered", limit: "10" });
  const { value, isOld } = useQuery<{ readonly rows: readonly SessionRow[] }>(path);
  const rows = value?.rows ?? [];
  return (
    <Panel
      title="Sessions"
      note="most unrecovered failures first"
      rows={rows}
      busy={isOld}
      actions={<Link page="sessions">all</Link>}
    >
      <Table
        label="Sessions"
        columns={SESSION_COLUMNS}
        rows={rows}
        keyOf={keyOfSession}
        nothing={value && "No session was active in this range."}
      />
    </Panel>
  );
}

const MAX_TOOLS = 10;
const TOOL_COLUMNS: readonly Column<RankedRow>[] = [
  { title: "Tool", cell: (row) => <ToolLink row={row} /> },
  ...[CALLS, FAILED, RATE, OUTCOMES, MOSTLY_OF_TOOL],
];

export function TopTools() {
  const { value, isOld } = useQuery<{ readonly rows: readonly RankedRow[] }>(inRange("/api/tools"));
  const rows = value?.rows.slice(0, MAX_TOOLS) ?? [];
  return (
    <Panel title="Tools" note="by excess failures" rows={rows} busy={isOld} actions={<Link page="tools">all</Link>}>
      <Table
        label="Tools"
        class="tools"
        columns={TOOL_COLUMNS}
        rows={rows}
        keyOf={({ key }) => key}
        nothing={value && "No tool call has had its result yet. It shows here as soon as the client sends one."}
      />
    </Panel>
  );
}
