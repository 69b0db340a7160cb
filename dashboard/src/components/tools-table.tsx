import type { BreakdownRow } from "../../../src/store/port.ts";
import type { Snapshot } from "../api.ts";
import { filterRows } from "../filter-rows.ts";
import { percent } from "../format.ts";
import { sortTools } from "../sort-tools.ts";
import { view } from "../state.ts";
import { toneOfRate } from "../tone.ts";
import { CountCell } from "./count-cell.tsx";
import { ForeignText } from "./foreign-text.tsx";
import { Glyph } from "./glyph.tsx";
import { useLongList } from "./long-list.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { NoRows, Panel, shownOf } from "./panel.tsx";
import { SortHeader } from "./sort-header.tsx";

export function ToolsTable({ shown }: { readonly shown: Snapshot }) {
  const { filter, sort } = view.value;
  const rows = sortTools(
    filterRows(shown.tools, filter, (row) => [row.key, row.top_category]),
    sort,
  );
  const { first, more } = useLongList(rows);
  return (
    <Panel title="Tools" note={shownOf(rows.length, shown.tools.length)}>
      <table class="tools" aria-label="Tools">
        <thead>
          <tr>
            <SortHeader column="name" label="Tool" hint="Name, as the model called it" class="name" />
            <SortHeader column="calls" label="Calls" hint="Calls whose result was seen" class="num" />
            <SortHeader column="failed" label="Failed" hint="Calls that failed" class="num" />
            <SortHeader
              column="unknown"
              label="Unknown"
              hint="Nothing on the wire said how they ended"
              class="num unknown wide-only"
            />
            <SortHeader column="rate" label="Fail %" hint="Failed of those with a verdict" class="num rate" />
            <th scope="col" class="bar-cell wide-only">
              <span class="hidden">Shares</span>
            </th>
            <SortHeader
              column="category"
              label="Top category"
              hint="The most frequent kind of failure"
              class="category wide-only"
            />
          </tr>
        </thead>
        <tbody>
          {first.map((row) => (
            <ToolRow key={row.key} row={row} />
          ))}
          {rows.length === 0 && (
            <NoRows columns={7}>
              {shown.tools.length === 0
                ? "No tool call has had its result yet. It shows here as soon as the client sends one back."
                : "No tool matches the filter."}
            </NoRows>
          )}
        </tbody>
      </table>
      {more}
    </Panel>
  );
}

const TOOL_LABEL = { ok: "no failures", warn: "some calls fail", bad: "fails often", none: "no verdict" } as const;

function ToolRow({ row }: { readonly row: BreakdownRow }) {
  const tone = toneOfRate(row.failure_rate);
  return (
    <tr>
      <th scope="row" class="name">
        <div class="with-glyph">
          <Glyph tone={tone} label={TOOL_LABEL[tone]} />
          <ForeignText text={row.key} />
        </div>
        {row.top_category !== null && <div class="sub">{row.top_category}</div>}
      </th>
      <CountCell value={row.calls} />
      <CountCell value={row.failed} tone="bad" />
      <CountCell value={row.unknown} class="unknown wide-only" />
      <td class={`num rate ${row.failed === 0 ? "faint" : `tone-${tone}`}`}>{percent(row.failure_rate)}</td>
      <td class="bar-cell wide-only">
        <OutcomeBar tally={row} />
      </td>
      <td class="category wide-only">
        {row.top_category === null ? <span class="faint">–</span> : <code>{row.top_category}</code>}
      </td>
    </tr>
  );
}
