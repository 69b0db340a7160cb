import type { SessionRow } from "../../../../src/store/port.ts";
import {
  CALLS_OF_SESSION,
  FAILED_OF_SESSION,
  keyOfSession,
  LAST_SEEN,
  MODEL,
  MOSTLY_OF_SESSION,
  OptionalText,
  SESSION,
  UNRECOVERED,
} from "../../components/columns.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { percent } from "../../format.ts";

const COLUMNS: readonly Column<SessionRow>[] = [
  ...[SESSION, CALLS_OF_SESSION, FAILED_OF_SESSION, UNRECOVERED],
  {
    title: "Success",
    class: "num rate wide-only",
    hint: "Successful calls, of those with a known outcome",
    cell: (row) => (row.calls === 0 ? <span class="faint">–</span> : percent(row.success_rate)),
  },
  MOSTLY_OF_SESSION,
  {
    title: "Worst",
    class: "num wide-only",
    hint: "The worst severity of its failures, from 0 to 1",
    cell: (row) => row.worst_severity ?? <span class="faint">–</span>,
  },
  {
    title: "Workflow",
    class: "work mid-only",
    hint: "The workflow of most of its calls",
    cell: (row) => <OptionalText text={row.workflow} />,
  },
  { title: "Client", class: "client wide-only", cell: (row) => <OptionalText text={row.client} /> },
  MODEL,
  {
    title: "Source",
    class: "source wide-only",
    hint: "Where the observations came from",
    cell: (row) => <OptionalText text={row.source} />,
  },
  LAST_SEEN,
];

interface SessionsTableProps {
  readonly rows: readonly SessionRow[];
  readonly nothing: string;
}

export function SessionsTable({ rows, nothing }: SessionsTableProps) {
  return <Table label="Sessions" columns={COLUMNS} rows={rows} keyOf={keyOfSession} nothing={nothing} />;
}
