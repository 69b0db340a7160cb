import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { Category } from "../../components/category.tsx";
import { Change } from "../../components/change.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { NoRows, Panel } from "../../components/panel.tsx";
import { interval, percent } from "../../format.ts";
import { toneOfRate, wordOfTone } from "../../tone.ts";

interface RankingProps {
  readonly title: string;
  readonly by: "model" | "provider";
}

/** Models or providers side by side, most failures beyond the average first. */
export function Ranking({ title, by }: RankingProps) {
  const { value, isOld } = useAnswer<{ readonly rows: readonly RankedRow[] }>(inRange("/api/breakdown", { by }));
  const rows = value?.rows ?? [];
  return (
    <Panel title={title} note="by excess failures" rows={rows} busy={isOld}>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{by === "model" ? "Model" : "Provider"}</th>
            <th scope="col" class="num">
              Calls
            </th>
            <th scope="col" class="num">
              Fail %
            </th>
            <th scope="col" class="num interval" title="95 % interval of the rate">
              95 %
            </th>
            <th scope="col" class="num change mid-only">
              Change
            </th>
            <th scope="col" class="category mid-only">
              Mostly
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} by={by} />
          ))}
          {value !== undefined && rows.length === 0 && <NoRows columns={6}>No call was recorded in this range.</NoRows>}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ row, by }: { readonly row: RankedRow; readonly by: RankingProps["by"] }) {
  const tone = toneOfRate(row.failure_rate);
  const name = (
    <>
      <Glyph tone={tone} label={wordOfTone(tone)} />
      <ForeignText text={row.key === "" ? `unknown ${by}` : row.key} />
    </>
  );
  return (
    <tr>
      <th scope="row">
        {by === "model" && row.key !== "" ? (
          <Link page="sessions" query={{ model: row.key }} class="with-glyph" row>
            {name}
          </Link>
        ) : (
          <span class="with-glyph">{name}</span>
        )}
      </th>
      <CountCell value={row.calls} />
      <td class={`num ${row.failed === 0 ? "faint" : `tone-${tone}`}`}>{percent(row.failure_rate)}</td>
      <td class="num interval faint">{interval(row.interval)}</td>
      <td class="num change mid-only">
        <Change change={row.change} />
      </td>
      <td class="category mid-only">
        <Category name={row.top_category} />
      </td>
    </tr>
  );
}
