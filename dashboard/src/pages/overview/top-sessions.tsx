import type { SessionRow } from "../../../../src/store/port.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { Category } from "../../components/category.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { Link } from "../../components/link.tsx";
import { NoRows, Panel } from "../../components/panel.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

/** The newest sessions with what stayed broken in them. */
export function TopSessions() {
  const path = inRange("/api/sessions", { sort: "unrecovered", limit: "10" });
  const { value, isOld } = useAnswer<{ readonly rows: readonly SessionRow[] }>(path);
  const rows = value?.rows ?? [];
  return (
    <Panel
      title="Sessions"
      note="most unrecovered failures first"
      rows={rows}
      busy={isOld}
      actions={<Link page="sessions">all</Link>}
    >
      <table aria-label="Sessions">
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col" class="num">
              Calls
            </th>
            <th scope="col" class="num">
              Failed
            </th>
            <th scope="col" class="num" title="Failures that no later try put right">
              Open
            </th>
            <th scope="col" class="category mid-only">
              Mostly
            </th>
            <th scope="col" class="seen">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.project} ${row.session_id}`}>
              <th scope="row">
                <SessionLink row={row} />
              </th>
              <CountCell value={row.calls} />
              <CountCell value={row.failed} tone="bad" />
              <CountCell value={row.unrecovered} tone="bad" />
              <td class="category mid-only">
                <Category name={row.dominant_failure_mode} />
              </td>
              <td class="seen">
                <TimeAgo at={Date.parse(row.last_at)} />
              </td>
            </tr>
          ))}
          {value !== undefined && rows.length === 0 && (
            <NoRows columns={6}>No session was active in this range.</NoRows>
          )}
        </tbody>
      </table>
    </Panel>
  );
}
