import type { ComponentChildren } from "preact";
import type { Overview } from "../../../../src/api/overview.ts";
import { wilsonInterval } from "../../../../src/core/score/excess.ts";
import type { LoopRow } from "../../../../src/store/port.ts";
import { CallsLink, FAILED_CALLS, KNOWN } from "../../components/calls-link.tsx";
import { Change } from "../../components/change.tsx";
import { CostText } from "../../components/cost-text.tsx";
import { Link } from "../../components/link.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, interval, percent } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import type { PageName, Query } from "../../route.ts";
import { GLYPH, type Tone, toneOfRate } from "../../tone.ts";

/** Repaired calls, with or without a result. */
const REPAIRED = { origin: "recovered", status: "ok,failed,unknown,pending" } as const;

/** The totals of the time range. */
export function Cards({ totals, busy }: { readonly totals: Overview; readonly busy: boolean }) {
  const { ok, failed, calls, unrecovered, recovered, unhealthy_sessions: unhealthy } = totals;
  const known = ok + failed;
  return (
    <dl class="cards" aria-label="Summary" aria-busy={busy}>
      <RateCard totals={totals} />
      <Card
        name="Failed"
        value={failed}
        tone={known === 0 ? undefined : failed > 0 ? "bad" : "ok"}
        page="calls"
        query={FAILED_CALLS}
      >
        of <CallsLink calls={known} query={KNOWN} /> with a known outcome · <Link page="errors">errors</Link>
      </Card>
      <Card
        name="Unrecovered"
        value={unrecovered}
        tone={known === 0 ? undefined : unrecovered > 0 ? "bad" : "ok"}
        page="calls"
        query={{ link: "unrecovered" }}
      >
        {failed === 0 ? (
          "no failures"
        ) : (
          <>
            <CallsLink calls={recovered} query={{ link: "recovered" }} /> recovered by a retry
          </>
        )}
      </Card>
      <Card
        name="Unhealthy sessions"
        value={unhealthy}
        tone={unhealthy > 0 ? "bad" : undefined}
        page="sessions"
        query={{ health: "unhealthy" }}
      >
        of {count(totals.sessions)}
      </Card>
      <LoopsCard />
      <Card name="Leaks repaired" value={totals.repaired} page="calls" query={REPAIRED}>
        <Link page="models" query={{ part: "leaks" }}>
          tool calls written as text
        </Link>
      </Card>
      <Card name="Calls" value={calls} page="calls">
        {totals.last_at === null ? (
          "none yet"
        ) : (
          <>
            last <TimeAgo at={totals.last_at} />
            {totals.cost != null && (
              <>
                {" "}
                · cost <CostText cost={totals.cost} />
              </>
            )}
          </>
        )}
      </Card>
      <Card
        name="Unknown"
        value={totals.unknown}
        tone={totals.unknown > 0 ? "none" : undefined}
        page="calls"
        query={{ status: "unknown" }}
      >
        <CallsLink calls={totals.pending} query={{ status: "pending" }}>
          {totals.pending === 0 ? "no known outcome" : `${count(totals.pending)} pending`}
        </CallsLink>
        {totals.soft > 0 && (
          <>
            {" "}
            · <CallsLink calls={totals.soft} query={{ soft: "yes" }}>{`${count(totals.soft)} soft`}</CallsLink>
          </>
        )}
      </Card>
    </dl>
  );
}

/** Calls in a row that brought nothing new, and their cost. */
function LoopsCard() {
  const { value } = useQuery<{ readonly rows: readonly LoopRow[] }>(inRange("/api/loops", { limit: "1000" }));
  const rows = value?.rows ?? [];
  const running = rows.filter((row) => row.running).length;
  const tokens = rows.reduce((sum, row) => sum + (row.input_tokens ?? 0) + (row.output_tokens ?? 0), 0);
  return (
    <Card
      name="Loops"
      value={rows.length}
      tone={running > 0 ? "bad" : undefined}
      page="sessions"
      query={{ looping: "true" }}
    >
      {running > 0 ? `${count(running)} running` : "calls that bring nothing new"}
      {tokens > 0 && ` · ${count(tokens)} tokens`}
    </Card>
  );
}

/** The failure rate with its interval and its change against the previous window. */
function RateCard({ totals }: { readonly totals: Overview }) {
  const { ok, failed, failure_rate: rate } = totals;
  const known = ok + failed;
  const before = totals.previous?.failure_rate ?? null;
  return (
    <div class="card card-main">
      <dt>Failure rate</dt>
      <dd class={toned(toneOfRate(rate))}>
        <CallsLink calls={known} query={KNOWN} class="card-link" label={`Failure rate: ${percent(rate)}`}>
          {percent(rate)}
        </CallsLink>
        <CardGlyph tone={toneOfRate(rate)} />
      </dd>
      <dd class="card-hint">
        <span class="card-line">
          {known === 0 ? (
            "no known outcomes in this range"
          ) : (
            <>
              <span title="95% interval of the rate">{interval(wilsonInterval(failed, known))}%</span>
              {before !== null && rate !== null && (
                <span>
                  <Change now={totals} before={totals.previous} />{" "}
                  <span class="faint">
                    {percent(before)} of {count((totals.previous?.ok ?? 0) + (totals.previous?.failed ?? 0))} before
                  </span>
                </span>
              )}
            </>
          )}
        </span>
        <OutcomeBar tally={totals} />
      </dd>
    </div>
  );
}

interface CardProps {
  readonly name: string;
  readonly value: number;
  readonly tone?: Tone | undefined;
  /** Page that lists what was counted. */
  readonly page?: PageName;
  readonly query?: Query;
  readonly children: ComponentChildren;
}

function Card({ name, value, tone, page, query = {}, children }: CardProps) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd class={toned(tone)}>
        {page === undefined ? (
          count(value)
        ) : (
          <Link
            page={page}
            query={query}
            class="plain card-link"
            label={`${name}: ${count(value)}`}
            {...(page === "calls" && { calls: value })}
          >
            {count(value)}
          </Link>
        )}
        {tone !== undefined && <CardGlyph tone={tone} />}
      </dd>
      <dd class="card-hint">{children}</dd>
    </div>
  );
}

function toned(tone: Tone | undefined): string {
  return `card-value ${tone === undefined ? "" : `tone-${tone}`}`;
}

function CardGlyph({ tone }: { readonly tone: Tone }) {
  return (
    <span class="card-glyph" aria-hidden="true">
      {GLYPH[tone]}
    </span>
  );
}
