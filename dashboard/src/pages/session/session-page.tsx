import { useMemo } from "preact/hooks";
import type { SessionDetail } from "../../../../src/store/port.ts";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { place, show } from "../../state.ts";
import { CallPane } from "./call-pane.tsx";
import { SessionFigures } from "./session-figures.tsx";
import { buildTimeline } from "./timeline.ts";
import { TimelineTable } from "./timeline-table.tsx";

const PART = 1000;

/** One conversation: what was called, in which order, and what came of it. */
export function SessionPage() {
  const { id = "", project = "default", from = "0" } = place.value.query;
  const offset = Math.max(0, Math.floor(Number(from)) || 0);
  const query = new URLSearchParams({ project, limit: String(PART), ...(offset > 0 && { offset: String(offset) }) });
  const { value: detail, refused, isOld } = useQuery<SessionDetail>(`/api/sessions/${encodeURIComponent(id)}?${query}`);
  const story = useMemo(() => buildTimeline(detail?.calls ?? [], detail?.offset), [detail]);
  if (detail === undefined && refused?.status === 404) {
    return (
      <EmptyMessage>
        There is no such session; it may have been deleted. <Link page="sessions">All sessions</Link>
      </EmptyMessage>
    );
  }
  if (detail === undefined) return <Waiting />;
  const { open } = place.value.query;
  const chosen = story.calls.find(({ call }) => call.id === open);
  return (
    <div class={chosen === undefined ? "" : "with-pane"}>
      <div class="page-part">
        <PageHead
          title={
            <>
              <Link page="sessions">Sessions</Link> <span class="faint">/</span>{" "}
              <bdi class="wrap mono">{visible(detail.session.session_id)}</bdi>
            </>
          }
        />
        <SessionFigures detail={detail} story={story} />
        <Panel
          title="Calls"
          note={noteOf(detail, story.lanes.length)}
          rows={detail.calls}
          busy={isOld}
          actions={<Legend lanes={story.lanes.map(({ names }) => names.join(", "))} />}
        >
          <TimelineTable story={story} startedAt={Date.parse(detail.session.started_at)} />
          <Parts detail={detail} />
        </Panel>
      </div>
      {chosen !== undefined && <CallPane one={chosen} story={story} />}
    </div>
  );
}

function noteOf({ total, calls, offset }: SessionDetail, lanes: number): string {
  const part = total > calls.length ? `${offset + 1}–${offset + calls.length} of ` : "";
  return `${part}${count(total)}${lanes > 1 ? ` by ${lanes} agents` : ""}`;
}

function Legend({ lanes }: { readonly lanes: readonly string[] }) {
  return (
    <ul class="legend legend-small" title={lanes.length > 1 ? `Lanes from the left: ${lanes.join(" · ")}` : undefined}>
      <li>
        <svg width="22" height="10" aria-hidden="true">
          <path class="link link-retry" d="M1 5H21" />
        </svg>
        tried again
      </li>
      <li>
        <svg width="22" height="10" aria-hidden="true">
          <path class="link link-follow" d="M1 5H21" />
        </svg>
        follows from
      </li>
    </ul>
  );
}

function Parts({ detail: { total, offset, calls } }: { readonly detail: SessionDetail }) {
  if (total <= calls.length) return null;
  return (
    <p class="parts">
      <button type="button" disabled={offset === 0} onClick={() => show({ from: String(Math.max(0, offset - PART)) })}>
        Earlier calls
      </button>
      <button
        type="button"
        disabled={offset + calls.length >= total}
        onClick={() => show({ from: String(offset + PART) })}
      >
        Later calls
      </button>
    </p>
  );
}
