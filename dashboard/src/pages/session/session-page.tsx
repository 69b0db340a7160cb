import { useMemo } from "preact/hooks";
import type { SessionDetail, SessionRow } from "../../../../src/store/port.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { PageHead, Waiting } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { count, visible } from "../../format.ts";
import { useQuery } from "../../queries.ts";
import { labelOf, startText } from "../../session-label.ts";
import { now, place, show, useSubject } from "../../state.ts";
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
  useSubject(detail && titleOf(detail.session));
  if (detail === undefined && error?.status === 404) return <NotFound id={id} />;
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
              <bdi class="wrap">{visible(titleOf(detail.session))}</bdi>{" "}
              <CopyButton small label="Copy session id" text={() => detail.session.session_id} />{" "}
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

/** Folder, branch, client and start: the facts by which people recognize a session. */
function titleOf(session: SessionRow): string {
  return `${labelOf(session)} · ${startText(Date.parse(session.started_at), now.value)}`;
}

function NotFound({ id }: { readonly id: string }) {
  return (
    <div class="missing">
      <h2>Session not found</h2>
      <p>
        No session has the id <code>{visible(id)}</code>. It may have been deleted, or belong to another project.
      </p>
      <p>
        <Link page="sessions" query={{ text: id, range: "all" }}>
          Search for it in all sessions
        </Link>{" "}
        · <Link page="sessions">Sessions</Link>
      </p>
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
