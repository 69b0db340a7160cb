import type { SessionRow } from "../../../../src/store/port.ts";
import { CALLS, FAILED, keyOfSession, LAST_SEEN, MOSTLY_OF_SESSION, OPEN, SESSION } from "../../components/columns.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { inRange, useQuery } from "../../queries.ts";

const COLUMNS: readonly Column<SessionRow>[] = [SESSION, CALLS, FAILED, OPEN, MOSTLY_OF_SESSION, LAST_SEEN];

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
        columns={COLUMNS}
        rows={rows}
        keyOf={keyOfSession}
        nothing={value && "No session was active in this range."}
      />
    </Panel>
  );
}
