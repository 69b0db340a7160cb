import type { SessionRow } from "../../../../src/store/port.ts";
import { ForeignText } from "../../components/foreign-text.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count } from "../../format.ts";

export function SessionLines({ rows }: { readonly rows: readonly SessionRow[] }) {
  return (
    <ul class="lines">
      {rows.map((row) => (
        <li key={`${row.project} ${row.session_id}`} class="line">
          <SessionLink row={row} />
          {row.model_used !== null && <ForeignText text={row.model_used} />}
          <span class="line-end">
            {count(row.failed)} of {count(row.calls)} failed{" "}
            <span class="faint">
              <TimeAgo at={Date.parse(row.last_at)} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
