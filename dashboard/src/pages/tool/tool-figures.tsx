import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { Change } from "../../components/change.tsx";
import { AggregateDeltas } from "../../components/figures.tsx";
import { PhaseBar, PhaseLegend } from "../../components/phase-bar.tsx";
import { count, duration, interval, percent } from "../../format.ts";
import { toneOfRate } from "../../tone.ts";

/** The same figures as in the list of tools, in words. */
export function ToolFigures({ row }: { readonly row: RankedRow }) {
  const rate = row.failure_rate;
  return (
    <div class="figures-row">
      <AggregateDeltas
        figures={[
          [
            "Fail %",
            <span key="rate" class={`tone-${toneOfRate(rate)}`}>
              {percent(rate)}
            </span>,
          ],
          ["95 % interval", interval(row.interval)],
          ["Change", <Change key="change" change={row.change} />],
          ["Calls", count(row.calls)],
          ["Failed", count(row.failed)],
          ["Unknown", count(row.unknown)],
          ["Recovered", percent(row.recovered_rate)],
          ["p95", duration(row.p95_ms)],
        ]}
      />
      <div class="figures-split">
        <PhaseBar phases={row.phases} />
        <PhaseLegend />
      </div>
    </div>
  );
}
