import type { SessionRow } from "../../../../src/store/port.ts";
import { Category } from "../../components/category.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { NoRows } from "../../components/panel.tsx";
import { SessionLink } from "../../components/session-link.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { Space, useWindowed } from "../../components/windowed.tsx";
import { percent } from "../../format.ts";

const COLUMNS = 11;

interface SessionsTableProps {
  readonly rows: readonly SessionRow[];
  readonly isFiltered: boolean;
}

export function SessionsTable({ rows, isFiltered }: SessionsTableProps) {
  const { body, from, to, above, below } = useWindowed(rows.length);
  return (
    <table class="sessions" aria-label="Sessions" aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          <th scope="col">Session</th>
          <th scope="col" class="num">
            Calls
          </th>
          <th scope="col" class="num">
            Failed
          </th>
          <th scope="col" class="num mid-only" title="Failures that no later try put right">
            Open
          </th>
          <th scope="col" class="num rate mid-only">
            Success
          </th>
          <th scope="col" class="category mid-only">
            Mostly
          </th>
          <th scope="col" class="num mid-only" title="The worst severity of its failures, from 0 to 1">
            Sever.
          </th>
          <th scope="col" class="client wide-only">
            Client
          </th>
          <th scope="col" class="model wide-only">
            Model
          </th>
          <th scope="col" class="source wide-only" title="Who told of it">
            Source
          </th>
          <th scope="col" class="seen">
            Last seen
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        <Space height={above} columns={COLUMNS} />
        {rows.slice(from, to).map((row) => (
          <Session key={`${row.project} ${row.session_id}`} row={row} />
        ))}
        <Space height={below} columns={COLUMNS} />
        {rows.length === 0 && (
          <NoRows columns={COLUMNS}>
            {isFiltered ? "No session matches all filters." : "No session was active in this time range."}
          </NoRows>
        )}
      </tbody>
    </table>
  );
}

function Session({ row }: { readonly row: SessionRow }) {
  return (
    <tr>
      <th scope="row">
        <SessionLink row={row} />
      </th>
      <CountCell value={row.calls} />
      <CountCell value={row.failed} tone="bad" />
      <CountCell value={row.unrecovered} tone="bad" class="mid-only" />
      <td class="num rate mid-only">{row.calls === 0 ? <span class="faint">–</span> : percent(row.success_rate)}</td>
      <td class="category mid-only">
        <Category name={row.dominant_failure_mode} />
      </td>
      <td class="num mid-only">{row.worst_severity ?? <span class="faint">–</span>}</td>
      <td class="client wide-only">
        <Known text={row.client} />
      </td>
      <td class="model wide-only">
        <Known text={row.model_used} />
      </td>
      <td class="source wide-only">
        <Known text={row.source} />
      </td>
      <td class="seen">
        <TimeAgo at={Date.parse(row.last_at)} />
      </td>
    </tr>
  );
}

function Known({ text }: { readonly text: string | null }) {
  return text === null ? <span class="faint">–</span> : <ForeignText text={text} />;
}
