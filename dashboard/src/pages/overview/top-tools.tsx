import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { CALLS, FAILED, MOSTLY_OF_TOOL, OUTCOMES, RATE, ToolLink } from "../../components/columns.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { inRange, useQuery } from "../../queries.ts";

const MAX_TOOLS = 10;
const COLUMNS: readonly Column<RankedRow>[] = [
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
        columns={COLUMNS}
        rows={rows}
        keyOf={({ key }) => key}
        nothing={value && "No tool call has had its result yet. It shows here as soon as the client sends one."}
      />
    </Panel>
  );
}
