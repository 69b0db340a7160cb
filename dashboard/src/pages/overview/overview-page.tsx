import type { Overview } from "../../../../src/api/overview.ts";
import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { SessionRow } from "../../../../src/store/port.ts";
import { RatePanel } from "../../charts/rate-panel.tsx";
import {
  CALLS_OF_SESSION,
  CALLS_OF_TOOL,
  EXCESS,
  FAILED_OF_SESSION,
  FAILED_OF_TOOL,
  keyOfSession,
  LAST_SEEN,
  MOSTLY_OF_TOOL,
  RATE,
  SESSION,
  ToolLink,
  UNRECOVERED,
} from "../../components/columns.tsx";
import { EmptyRange } from "../../components/empty-range.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { inRange, useQuery } from "../../queries.ts";
import { Cards } from "./cards.tsx";
import { RegressionsPanel } from "./regressions.tsx";

/** Summary: which tools fail, and whether that is getting worse. */
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
            <RatePanel />
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

const SESSION_COLUMNS: readonly Column<SessionRow>[] = [
  SESSION,
  CALLS_OF_SESSION,
  FAILED_OF_SESSION,
  UNRECOVERED,
  LAST_SEEN,
];

/** Sessions with the most unrecovered failures. */
export function TopSessions() {
  const path = inRange("/api/sessions", { sort: "unrecovered", limit: "8" });
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
        class="sessions"
        columns={SESSION_COLUMNS}
        rows={rows}
        keyOf={keyOfSession}
        nothing={value && "No active sessions in this range."}
      />
    </Panel>
  );
}

const MAX_TOOLS = 10;
const TOOL_COLUMNS: readonly Column<RankedRow>[] = [
  { title: "Tool", cell: (row) => <ToolLink row={row} /> },
  ...[CALLS_OF_TOOL, FAILED_OF_TOOL, RATE, EXCESS, MOSTLY_OF_TOOL],
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
        nothing={value && "No tool results yet. They appear here as soon as the client sends one."}
      />
    </Panel>
  );
}
