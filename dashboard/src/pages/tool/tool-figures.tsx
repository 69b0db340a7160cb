import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { Change } from "../../components/change.tsx";
import { PhaseBar, PhaseLegend } from "../../components/phase-bar.tsx";
import { count, duration, interval, percent } from "../../format.ts";
import { toneOfRate } from "../../tone.ts";

/** The same figures as in the list of tools, in words. */
export function ToolFigures({ row }: { readonly row: RankedRow }) {
  return (
    <div class="figures-row">
      <dl class="figures">
        <div>
          <dt>Fail %</dt>
          <dd class={`tone-${toneOfRate(row.failure_rate)}`}>{percent(row.failure_rate)}</dd>
        </div>
        <div>
          <dt>95 % interval</dt>
          <dd>{interval(row.interval)}</dd>
        </div>
        <div>
          <dt>Change</dt>
          <dd>
            <Change change={row.change} />
          </dd>
        </div>
        <div>
          <dt>Calls</dt>
          <dd>{count(row.calls)}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>{count(row.failed)}</dd>
        </div>
        <div>
          <dt>Unknown</dt>
          <dd>{count(row.unknown)}</dd>
        </div>
        <div>
          <dt>Recovered</dt>
          <dd>{percent(row.recovered_rate)}</dd>
        </div>
        <div>
          <dt>p95</dt>
          <dd>{duration(row.p95_ms)}</dd>
        </div>
      </dl>
      <div class="figures-split">
        <PhaseBar phases={row.phases} />
        <PhaseLegend />
      </div>
    </div>
  );
}
