import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { Category } from "../../components/category.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import { NoRows, Panel } from "../../components/panel.tsx";
import { percent } from "../../format.ts";
import { toneOfRate, wordOfTone } from "../../tone.ts";

const MOST = 10;

export function TopTools() {
  const { value, isOld } = useAnswer<{ readonly rows: readonly RankedRow[] }>(inRange("/api/tools"));
  const rows = value?.rows.slice(0, MOST) ?? [];
  return (
    <Panel title="Tools" note="by excess failures" rows={rows} busy={isOld} actions={<Link page="tools">all</Link>}>
      <table class="tools" aria-label="Tools">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col" class="num">
              Calls
            </th>
            <th scope="col" class="num">
              Failed
            </th>
            <th scope="col" class="num">
              Fail %
            </th>
            <th scope="col" class="bar-cell mid-only">
              <span class="hidden">Shares</span>
            </th>
            <th scope="col" class="category mid-only">
              Mostly
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tool key={row.key} row={row} />
          ))}
          {value !== undefined && rows.length === 0 && (
            <NoRows columns={6}>
              No tool call has had its result yet. It shows here as soon as the client sends one.
            </NoRows>
          )}
        </tbody>
      </table>
    </Panel>
  );
}

function Tool({ row }: { readonly row: RankedRow }) {
  const tone = toneOfRate(row.failure_rate);
  return (
    <tr>
      <th scope="row">
        <Link page="tool" query={{ name: row.key }} class="with-glyph" row>
          <Glyph tone={tone} label={wordOfTone(tone)} />
          <ForeignText text={row.key} />
        </Link>
      </th>
      <CountCell value={row.calls} />
      <CountCell value={row.failed} tone="bad" />
      <td class={`num ${row.failed === 0 ? "faint" : `tone-${tone}`}`}>{percent(row.failure_rate)}</td>
      <td class="bar-cell mid-only">
        <OutcomeBar tally={row} />
      </td>
      <td class="category mid-only">
        <Category name={row.top_category} />
      </td>
    </tr>
  );
}
