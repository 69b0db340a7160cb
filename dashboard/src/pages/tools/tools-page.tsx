import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import type { Trends } from "../../../../src/api/trends.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { FilterBox } from "../../components/filter-box.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { NoRows, Panel, shownOf } from "../../components/panel.tsx";
import { PhaseLegend } from "../../components/phase-bar.tsx";
import { Space, useWindowed } from "../../components/windowed.tsx";
import { filterRows } from "../../filter-rows.ts";
import { parseSort, type Sort, sortRows } from "../../sort.ts";
import { place } from "../../state.ts";
import { TOOL_COLUMNS, type ToolColumn } from "./tool-columns.ts";
import { ToolHead } from "./tool-head.tsx";
import { ToolRow } from "./tool-row.tsx";

const USUAL: Sort<ToolColumn> = { column: "excess", descending: true };
const COLUMNS = 12;

/** Every tool, the one that would gain most by being ordinary first. */
export function ToolsPage() {
  const { value, isOld } = useAnswer<{ readonly rows: readonly RankedRow[] }>(inRange("/api/tools"));
  const { value: trends } = useAnswer<Trends>(inRange("/api/trends"));
  if (value === undefined) return <Waiting />;
  const { filter = "", sort: sorted } = place.value.query;
  const sort = parseSort(sorted, TOOL_COLUMNS, USUAL);
  const found = filterRows(value.rows, filter, (row) => [row.key, row.top_category]);
  const rows = sortRows(found, TOOL_COLUMNS, sort);
  return (
    <>
      <PageHead title="Tools">
        <FilterBox label="Filter by tool or category" />
        <PhaseLegend />
      </PageHead>
      <Panel title="Tools" note={shownOf(rows.length, value.rows.length)} rows={rows} busy={isOld}>
        <Table rows={rows} trends={trends} sort={sort} isFiltered={filter !== ""} />
      </Panel>
    </>
  );
}

interface TableProps {
  readonly rows: readonly RankedRow[];
  readonly trends: Trends | undefined;
  readonly sort: Sort<ToolColumn>;
  readonly isFiltered: boolean;
}

function Table({ rows, trends, sort, isFiltered }: TableProps) {
  const { body, from, to, above, below } = useWindowed(rows.length);
  return (
    <table class="tools" aria-label="Tools" aria-rowcount={rows.length + 1}>
      <ToolHead sort={sort} />
      <tbody ref={body}>
        <Space height={above} columns={COLUMNS} />
        {rows.slice(from, to).map((row) => (
          <ToolRow key={row.key} row={row} trend={trends?.tools[row.key]} />
        ))}
        <Space height={below} columns={COLUMNS} />
        {rows.length === 0 && (
          <NoRows columns={COLUMNS}>
            {isFiltered
              ? "No tool matches the filter."
              : "No tool call had its result in this range. It shows here as soon as the client sends one back."}
          </NoRows>
        )}
      </tbody>
    </table>
  );
}
