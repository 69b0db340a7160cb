import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { Category } from "../../components/category.tsx";
import { Change } from "../../components/change.tsx";
import { CountCell } from "../../components/count-cell.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { PhaseBar } from "../../components/phase-bar.tsx";
import { Sparkline } from "../../components/sparkline.tsx";
import { duration, interval, percent } from "../../format.ts";
import { toneOfRate, wordOfTone } from "../../tone.ts";
import { isUnderFloor } from "./tool-columns.ts";

interface ToolRowProps {
  readonly row: RankedRow;
  readonly trend: readonly (number | null)[] | undefined;
}

export function ToolRow({ row, trend }: ToolRowProps) {
  const tone = toneOfRate(row.failure_rate);
  const few = isUnderFloor(row);
  return (
    <tr class={few ? "few" : ""} title={few ? "Too few calls with a verdict to say much" : undefined}>
      <th scope="row">
        <Link page="tool" query={{ name: row.key }} class="with-glyph" row>
          <Glyph tone={tone} label={few ? `${wordOfTone(tone)}, few calls` : wordOfTone(tone)} />
          <ForeignText text={row.key} />
        </Link>
      </th>
      <CountCell value={row.calls} />
      <CountCell value={row.failed} tone="bad" />
      <td class={`num rate ${row.failed === 0 ? "faint" : `tone-${tone}`}`}>{percent(row.failure_rate)}</td>
      <td class="num interval faint mid-only">{interval(row.interval)}</td>
      <td class="num change mid-only">
        <Change change={row.change} />
      </td>
      <td class={`num mid-only ${row.excess > 0.05 ? "" : "faint"}`}>{row.excess.toFixed(1).replace("-", "−")}</td>
      <td class="bar-cell wide-only">
        <PhaseBar phases={row.phases} />
      </td>
      <td class="category mid-only">
        <Category name={row.top_category} />
      </td>
      <td class="num wide-only">
        {row.recovered_rate === null ? <span class="faint">–</span> : `${Math.round(100 * row.recovered_rate)}%`}
      </td>
      <td class={`num time wide-only ${row.p95_ms === null ? "faint" : ""}`}>{duration(row.p95_ms)}</td>
      <td class="trend wide-only">
        <Sparkline rates={trend} />
      </td>
    </tr>
  );
}
