import type { ComponentChildren } from "preact";
import type { Snapshot } from "../api.ts";
import { count, percent } from "../format.ts";
import { GLYPH, type Tone, toneOfRate } from "../tone.ts";
import { ForeignText } from "./foreign-text.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { TimeAgo } from "./time-ago.tsx";

/** The totals of the time range. */
export function SummaryCards({ shown: { summary, tools } }: { readonly shown: Snapshot }) {
  const worst = tools.find((tool) => tool.failed > 0);
  const judged = summary.ok + summary.failed;
  return (
    <dl class="cards" aria-label="Summary">
      <Card
        name="Failure ratio"
        value={percent(summary.failure_rate)}
        tone={toneOfRate(summary.failure_rate)}
        class="card-main"
        extra={<OutcomeBar tally={summary} />}
      >
        {judged === 0 ? "no verdict in this range" : `${count(summary.failed)} of ${count(judged)} with a verdict`}
      </Card>
      <Card name="Calls" value={count(summary.calls)}>
        {summary.requests === 0 ? "with a result" : `in ${count(summary.requests)} requests`}
      </Card>
      <Card
        name="Failed"
        value={count(summary.failed)}
        {...(judged > 0 && { tone: summary.failed > 0 ? "bad" : "ok" })}
      >
        {worst === undefined ? (
          "none"
        ) : (
          <>
            most in <ForeignText text={worst.key} />
          </>
        )}
      </Card>
      <Card name="Unknown" value={count(summary.unknown)} {...(summary.unknown > 0 && { tone: "none" })}>
        ended without a verdict
      </Card>
      <Card name="Soft" value={count(summary.soft)} {...(summary.soft > 0 && { tone: "warn" })}>
        flag ok, text says failed
      </Card>
      <Card name="Sessions" value={count(summary.sessions)}>
        {summary.last_at === null ? (
          "none in this range"
        ) : (
          <>
            last <TimeAgo at={summary.last_at} />
          </>
        )}
      </Card>
      <Card name="Pending" value={count(summary.pending)}>
        waiting for a result
      </Card>
    </dl>
  );
}

interface CardProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: Tone;
  readonly class?: string;
  readonly extra?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Card({ name, value, tone, class: more = "", extra, children }: CardProps) {
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
      {extra !== undefined && <dd class="card-extra">{extra}</dd>}
    </div>
  );
}
