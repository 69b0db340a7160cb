import type { SessionRow } from "../../../src/store/port.ts";
import type { Snapshot } from "../api.ts";
import { filterRows } from "../filter-rows.ts";
import { count, percent, shortId, visible } from "../format.ts";
import { view } from "../state.ts";
import { toneOfSession } from "../tone.ts";
import { CountCell } from "./count-cell.tsx";
import { ForeignText } from "./foreign-text.tsx";
import { Glyph } from "./glyph.tsx";
import { useLongList } from "./long-list.tsx";
import { NoRows, Panel, shownOf } from "./panel.tsx";
import { TimeAgo } from "./time-ago.tsx";

export function SessionsTable({ shown }: { readonly shown: Snapshot }) {
  const { filter } = view.value;
  const rows = filterRows(shown.sessions, filter, textsOf);
  const older = shown.summary.sessions - shown.sessions.length;
  const note = `${shownOf(rows.length, shown.sessions.length)}${older > 0 ? ` newest of ${count(shown.summary.sessions)}` : ""}`;
  const { first, more } = useLongList(rows);
  return (
    <Panel title="Sessions" note={note}>
      <table class="sessions" aria-label="Sessions">
        <thead>
          <tr>
            <th scope="col" class="name">
              Session
            </th>
            <th scope="col" class="client wide-only">
              Client
            </th>
            <th scope="col" class="model wide-only">
              Model
            </th>
            <th scope="col" class="provider wide-only">
              Provider
            </th>
            <th scope="col" class="num">
              Calls
            </th>
            <th scope="col" class="num">
              Failed
            </th>
            <th scope="col" class="num rate">
              Success
            </th>
            <th scope="col" class="seen wide-only">
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {first.map((row) => (
            <Session key={`${row.project} ${row.session_id}`} row={row} />
          ))}
          {rows.length === 0 && (
            <NoRows columns={8}>
              {shown.sessions.length === 0
                ? "No session was active in this time range."
                : "No session matches the filter."}
            </NoRows>
          )}
        </tbody>
      </table>
      {more}
    </Panel>
  );
}

function textsOf(row: SessionRow): readonly (string | null)[] {
  return [row.session_id, row.client, row.model_used, row.provider, row.project, row.health];
}

function Session({ row }: { readonly row: SessionRow }) {
  const lastAt = Date.parse(row.last_at);
  return (
    <tr>
      <th scope="row" class="name">
        <div class="with-glyph">
          <Glyph tone={toneOfSession(row)} label={row.calls === 0 ? "no tool calls" : row.health} />
          <ForeignText text={row.session_id} shown={shortId(row.session_id)} />
        </div>
        <div class="sub">
          <TimeAgo at={lastAt} /> · <bdi>{visible(row.client ?? "–")}</bdi>
        </div>
        <div class="sub">
          <bdi>{visible(row.model_used ?? row.provider ?? "–")}</bdi>
        </div>
      </th>
      <td class="client wide-only">
        <Known text={row.client} />
      </td>
      <td class="model wide-only">
        <Known text={row.model_used} />
      </td>
      <td class="provider wide-only">
        <Known text={row.provider} />
      </td>
      <CountCell value={row.calls} />
      <CountCell value={row.failed} tone="bad" />
      <td class="num rate">{row.calls === 0 ? <span class="faint">–</span> : percent(row.success_rate)}</td>
      <td class="seen wide-only">
        <TimeAgo at={lastAt} />
      </td>
    </tr>
  );
}

function Known({ text }: { readonly text: string | null }) {
  return text === null ? <span class="faint">–</span> : <ForeignText text={text} />;
}
