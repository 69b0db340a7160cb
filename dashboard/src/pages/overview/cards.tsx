import type { ComponentChildren } from "preact";
import type { Overview } from "../../../../src/api/overview.ts";
import { wilsonInterval } from "../../../../src/core/score/excess.ts";
import { Change } from "../../components/change.tsx";
import { Link } from "../../components/link.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, interval, percent } from "../../format.ts";
import { GLYPH, type Tone, toneOfRate } from "../../tone.ts";

/** The totals of the time range. */
export function Cards({ totals, busy }: { readonly totals: Overview; readonly busy: boolean }) {
  const { ok, failed, calls, failure_rate: rate, unrecovered, recovered, unhealthy_sessions: unhealthy } = totals;
  const judged = ok + failed;
  const before = totals.previous?.failure_rate ?? null;
  return (
    <dl class="cards" aria-label="Summary" aria-busy={busy}>
      <Card name="Failure ratio" value={percent(rate)} tone={toneOfRate(rate)} class="card-main">
        <span class="card-line">
          {judged === 0 ? (
            "no verdict in this range"
          ) : (
            <>
              <span title="95 % interval of the ratio">{interval(wilsonInterval(failed, judged))} %</span>
              {before !== null && rate !== null && (
                <span>
                  <Change change={rate - before} /> <span class="faint">points from {percent(before)}</span>
                </span>
              )}
            </>
          )}
        </span>
        <OutcomeBar tally={totals} />
      </Card>
      <Card name="Failed" value={count(failed)} {...(judged > 0 && { tone: failed > 0 ? "bad" : "ok" })}>
        of {count(judged)} with a verdict
      </Card>
      <Card name="Unrecovered" value={count(unrecovered)} {...(judged > 0 && { tone: unrecovered > 0 ? "bad" : "ok" })}>
        {failed === 0 ? "nothing to put right" : `${count(recovered)} put right later`}
      </Card>
      <Card
        name="Unhealthy sessions"
        value={count(unhealthy)}
        {...(totals.sessions > 0 && { tone: unhealthy > 0 ? "bad" : "ok" })}
      >
        <Link page="sessions" query={{ health: "unhealthy" }}>
          of {count(totals.sessions)}
        </Link>
      </Card>
      <Card name="Leaks mended" value={count(totals.mended)}>
        <Link page="models" query={{ part: "leaks" }}>
          calls written as text
        </Link>
      </Card>
      <Card name="Calls" value={count(calls)}>
        {totals.last_at === null ? (
          "none yet"
        ) : (
          <>
            last <TimeAgo at={totals.last_at} />
          </>
        )}
      </Card>
      <Card name="Unknown" value={count(totals.unknown)} {...(totals.unknown > 0 && { tone: "none" })}>
        {totals.pending === 0 ? "no verdict" : `${count(totals.pending)} pending`}
        {totals.soft > 0 && ` · ${count(totals.soft)} soft`}
      </Card>
    </dl>
  );
}

interface CardProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: Tone;
  readonly class?: string;
  readonly children: ComponentChildren;
}

function Card({ name, value, tone, class: more = "", children }: CardProps) {
  return (
    <div class={`card ${more}`}>
      <dt>{name}</dt>
      <dd class={`card-value ${tone === undefined ? "" : `tone-${tone}`}`}>
        {value}
        {tone !== undefined && (
          <span class="card-glyph" aria-hidden="true">
            {GLYPH[tone]}
          </span>
        )}
      </dd>
      <dd class="card-hint">{children}</dd>
    </div>
  );
}
