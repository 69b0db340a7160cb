import type { SessionDetail } from "../../../../src/store/port.ts";
import { Category } from "../../components/category.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, percent, visible } from "../../format.ts";
import { show } from "../../state.ts";
import { toneOfSession } from "../../tone.ts";
import type { Story } from "./story.ts";

/** How the session went, and where its trouble began. */
export function SessionFigures({ detail, story }: { readonly detail: SessionDetail; readonly story: Story }) {
  const { session, prompts, calls } = detail;
  const workflows = [...new Set([...prompts, ...calls].flatMap(({ workflow }) => workflow ?? []))];
  const tone = toneOfSession(session);
  return (
    <div class="figures-row">
      <dl class="figures">
        <div>
          <dt>Health</dt>
          <dd class={`tone-${tone}`} title={`By number of failures: ${session.health}`}>
            <Glyph tone={tone} /> {session.calls === 0 ? "no calls" : session.rate_health}
          </dd>
        </div>
        <Figure name="Success" value={percent(session.success_rate)} />
        <Figure name="Calls" value={count(session.calls)} />
        <Figure name="Failed" value={count(session.failed)} />
        <Figure name="Unrecovered" value={count(session.unrecovered)} />
        <Figure name="Tries again" value={count(session.retries)} />
        <Figure name="Follow-ons" value={count(session.follow_on)} />
        <div>
          <dt>Mostly</dt>
          <dd>
            <Category name={session.dominant_failure_mode} />
          </dd>
        </div>
        <div>
          <dt>Work</dt>
          <dd>{workflows.length === 0 ? <span class="faint">–</span> : workflows.join(", ")}</dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <TimeAgo at={Date.parse(session.last_at)} />
          </dd>
        </div>
      </dl>
      <p class="session-where">
        {[session.client, session.model_used, session.provider, session.source]
          .filter((text) => text !== null)
          .map((text) => (
            <bdi key={text} class="chip">
              {visible(text)}
            </bdi>
          ))}
      </p>
      {story.roots.length > 0 && (
        <ul class="roots" aria-label="Root failures">
          {story.roots.slice(0, 5).map(({ root, followers }) => (
            <li key={root.call.id}>
              <button type="button" class="jump" onClick={() => show({ open: root.call.id })}>
                <span class="tone-bad">■</span> call {root.number} · <bdi>{visible(root.call.tool_name)}</bdi> →{" "}
                {followers} {followers === 1 ? "follow-on" : "follow-ons"}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
