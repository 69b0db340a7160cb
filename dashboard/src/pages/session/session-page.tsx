import { useMemo } from "preact/hooks";
import type { SessionDetail } from "../../../../src/store/port.ts";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { place, show } from "../../state.ts";
import { CallPane } from "./call-pane.tsx";
import { SessionSummary } from "./session-summary.tsx";
import { buildTimeline } from "./timeline.ts";
import { TimelineTable } from "./timeline-table.tsx";

const PART = 1000;

/** One session: its calls in order, with their outcomes and links. */
export function SessionPage() {
  const { id = "", project = "default", from = "0", fold = "" } = place.value.query;
  const offset = Math.max(0, Math.floor(Number(from)) || 0);
  const query = new URLSearchParams({ project, limit: String(PART), ...(offset > 0 && { offset: String(offset) }) });
  const { value: detail, error, isOld } = useQuery<SessionDetail>(`/api/sessions/${encodeURIComponent(id)}?${query}`);
  const timeline = useMemo(() => buildTimeline(detail?.calls ?? [], detail?.offset, fold !== "off"), [detail, fold]);
  if (detail === undefined && error?.status === 404) {
    return (
      <EmptyMessage>
        Session not found; it may have been deleted. <Link page="sessions">All sessions</Link>
      </EmptyMessage>
    );
  }
  if (detail === undefined) return <Waiting />;
  const { open } = place.value.query;
  const chosen = timeline.calls.find(({ call }) => call.id === open);
  return (
    <div class={chosen === undefined ? "" : "with-pane"}>
      <div class="page-part">
        <PageHead
          title={
            <>
              <Link page="sessions">Sessions</Link> <span class="faint">/</span>{" "}
              <bdi class="wrap mono">{visible(detail.session.session_id)}</bdi>{" "}
              {detail.session.looping && <span class="tag tag-bad">looping</span>}
            </>
          }
        />
        <SessionSummary detail={detail} timeline={timeline} />
        <Panel
          title="Calls"
          note={noteOf(detail, timeline.lanes.length)}
          rows={detail.calls}
          busy={isOld}
          actions={<Legend lanes={timeline.lanes.map(({ names }) => names.join(", "))} />}
        >
          <TimelineTable timeline={timeline} startedAt={Date.parse(detail.session.started_at)} />
          <Parts detail={detail} />
        </Panel>
      </div>
      {chosen !== undefined && <CallPane one={chosen} timeline={timeline} />}
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
        retry
      </li>
      <li>
        <svg width="22" height="10" aria-hidden="true">
          <path class="link link-follow" d="M1 5H21" />
        </svg>
        follow-on
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
