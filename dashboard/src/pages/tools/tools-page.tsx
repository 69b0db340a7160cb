import type { Trends } from "../../../../src/api/overview.ts";
import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { ComparePanel } from "../../components/compare-panel.tsx";
import { FilterBox } from "../../components/filter-box.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { Panel, shownOf } from "../../components/panel.tsx";
import { PhaseLegend } from "../../components/phase-bar.tsx";
import { Table } from "../../components/table.tsx";
import { filterRows } from "../../filter-rows.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place } from "../../state.ts";
import { McpPanel } from "./mcp-panel.tsx";
import { isUnderFloor, toolColumns } from "./tool-columns.tsx";

/** All tools, ranked by excess failures. */
export function ToolsPage() {
  const { value, isOld } = useQuery<{ readonly rows: readonly RankedRow[] }>(inRange("/api/tools"));
  const { value: trends } = useQuery<Trends>(inRange("/api/trends"));
  if (value === undefined) return <Waiting />;
  const { filter = "" } = place.value.query;
  const rows = filterRows(value.rows, filter, (row) => [row.key, row.top_category]);
  return (
    <>
      <PageHead title="Tools">
        <FilterBox label="Filter by tool or category" />
        <PhaseLegend />
      </PageHead>
      <Panel title="Tools" note={shownOf(rows.length, value.rows.length)} rows={rows} busy={isOld}>
        <Table
          label="Tools"
          class="tools"
          columns={toolColumns(trends)}
          rows={rows}
          usual="-excess"
          keyOf={({ key }) => key}
          rowClass={(row) => (isUnderFloor(row) ? "few" : "")}
          nothing={
            filter === ""
              ? "No tool results in this range. They appear here as soon as the client sends one."
              : "No matching tools."
          }
        />
      </Panel>
      <McpPanel rows={value.rows} />
      <ComparePanel what="tools" rows={value.rows} />
    </>
  );
}
