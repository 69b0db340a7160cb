import type { PricedSession } from "../../../../src/api/prices.ts";
import type { SessionDetail, SessionRow } from "../../../../src/store/port.ts";
import { CallsLink, FAILED_CALLS, ofSession } from "../../components/calls-link.tsx";
import { Category } from "../../components/category.tsx";
import { CostText } from "../../components/cost-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { StatList } from "../../components/stat-list.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, percent, tokens, visible } from "../../format.ts";
import { spanText } from "../../session-label.ts";
import { show } from "../../state.ts";
import { hasNoCalls, toneOfSession } from "../../tone.ts";
import { Incidents } from "./incidents.tsx";
import type { Timeline } from "./timeline.ts";

/** The parts of the input and of the output that a response reported. */
function tokensTitle({ cached_tokens, cache_write_tokens, reasoning_tokens }: SessionRow): string {
  const parts = [
    ["input from a cache", cached_tokens],
    ["input written to a cache", cache_write_tokens],
    ["output for reasoning", reasoning_tokens],
  ] as const;
  const known = parts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${count(value)}`]));
  return known.length === 0 ? "No response reported parts." : known.join(", ");
}

/** Summary of a session, with its root failures. */
export function SessionSummary({ detail, timeline }: { readonly detail: SessionDetail; readonly timeline: Timeline }) {
  const { session, prompts, calls } = detail;
  const workflows = [...new Set([...prompts, ...calls].flatMap(({ workflow }) => workflow ?? []))];
  const tone = toneOfSession(session);
  const { cost }: PricedSession = session;
  const own = ofSession(session);
  return (
    <div class="figures-row">
      <StatList
        figures={[
          [
            "Health",
            <span key="health" class={`tone-${tone}`} title={`By rate of failures: ${session.rate_health}`}>
              <Glyph tone={tone} /> {hasNoCalls(session) ? "no calls" : session.health}
            </span>,
          ],
          ["Success", session.calls === 0 ? "–" : percent(session.success_rate)],
          ["Calls", <CallsLink key="calls" calls={session.calls} query={own} />],
          ["Failed", <CallsLink key="failed" calls={session.failed} query={{ ...own, ...FAILED_CALLS }} />],
          [
            "Unrecovered",
            <CallsLink key="unrecovered" calls={session.unrecovered} query={{ ...own, link: "unrecovered" }} />,
          ],
          ["Retries", <CallsLink key="retries" calls={session.retries} query={{ ...own, link: "retry" }} />],
          [
            "Follow-ons",
            <CallsLink key="follow-ons" calls={session.follow_on} query={{ ...own, link: "follow_on" }} />,
          ],
          [
            "Tokens",
            <span key="tokens" title={tokensTitle(session)}>
              {tokens(session.input_tokens)} in · {tokens(session.output_tokens)} out
            </span>,
          ],
          ...(cost === undefined ? [] : [["Cost", <CostText key="cost" cost={cost} />] as const]),
          ...(session.loops > 0 ? [["Loops", count(session.loops)] as const] : []),
          ["Mostly", <Category key="mostly" name={session.dominant_failure_mode} />],
          ["Workflow", workflows.length === 0 ? <span class="faint">–</span> : workflows.join(", ")],
          ["Lasted", spanText(Date.parse(session.last_at) - Date.parse(session.started_at))],
          ["Last seen", <TimeAgo key="seen" at={Date.parse(session.last_at)} />],
        ]}
      />
      <p class="session-where">
        {[session.client, session.model_used, session.provider, session.source]
          .filter((text) => text !== null)
          .map((text) => (
            <bdi key={text} class="chip">
              {visible(text)}
            </bdi>
          ))}
      </p>
      {session.task !== null && (
        <p class="session-said">
          <bdi>“{visible(session.task)}”</bdi>
        </p>
      )}
      <Incidents detail={detail} timeline={timeline} />
      {timeline.roots.length > 0 && (
        <ul class="roots" aria-label="Root failures">
          {timeline.roots.slice(0, 5).map(({ root, followOns }) => (
            <li key={root.call.id}>
              <button type="button" class="jump" onClick={() => show({ open: root.call.id })}>
                <span class="tone-bad">■</span> call {root.number} · <bdi>{visible(root.call.tool_name)}</bdi> →{" "}
                {followOns} {followOns === 1 ? "follow-on" : "follow-ons"}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
