import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RecentCall } from "../../../../src/api/recent-calls.ts";
import type { SessionRow } from "../../../../src/store/port.ts";
import { FilterBox } from "../../components/filter-box.tsx";
import { PageHead } from "../../components/page-parts.tsx";
import { Panel } from "../../components/panel.tsx";
import { count } from "../../format.ts";
import { getJson } from "../../get-json.ts";
import { listen } from "../../live.ts";
import { useQuery } from "../../queries.ts";
import { labelOf } from "../../session-label.ts";
import { connection, place, show } from "../../state.ts";
import { LiveList } from "./live-list.tsx";
import { type FeedEvent, Tail, type TailEntry } from "./tail.ts";

const DRAW_MS = 250;

interface Shown {
  readonly rows: readonly TailEntry[];
  readonly rate: number;
  readonly count: number;
}

const FIRST_CALLS = "/api/recent?limit=100";
/** The sessions that are active now, for their names. */
const ACTIVE_SESSIONS = "/api/sessions?limit=20";

function eventOf({ id, at, ...call }: RecentCall): FeedEvent {
  return { ...call, type: "tool_call_recorded", record_id: id, timestamp: at };
}

/** Events as they are recorded. Redrawn four times a second at any event rate. */
export function LivePage() {
  const tail = useRef<Tail>(undefined);
  tail.current ??= new Tail();
  const paused = useSignal(false);
  const shown = useSignal<Shown>({ rows: [], rate: 0, count: 0 });
  const { filter = "", failed = "" } = place.value.query;
  useEffect(() => {
    const draw = (): void => {
      const buffer = tail.current as Tail;
      const { rows, rate, count: before } = shown.peek();
      const next = buffer.rate(Date.now());
      if (paused.peek()) shown.value = { rows, rate: next, count: before };
      else if (buffer.count !== before || next !== rate)
        shown.value = { rows: buffer.newest(filter, failed !== ""), rate: next, count: buffer.count };
    };
    const stop = listen((line) => tail.current?.push(line, Date.now()));
    // A changed filter applies immediately, even while paused.
    shown.value = { ...shown.peek(), rows: tail.current?.newest(filter, failed !== "") ?? [] };
    const timer = setInterval(draw, DRAW_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [filter, failed, paused, shown]);
  useEffect(() => {
    const abort = new AbortController();
    getJson(FIRST_CALLS, { signal: abort.signal }).then(
      (page) => {
        const buffer = tail.current as Tail;
        buffer.start((page as { readonly rows: readonly RecentCall[] }).rows.map(eventOf));
        const { query } = place.peek();
        shown.value = { ...shown.peek(), rows: buffer.newest(query.filter ?? "", (query.failed ?? "") !== "") };
      },
      // The live feed shows later events, and its banner reports whether the server is unavailable.
      () => undefined,
    );
    return () => abort.abort();
  }, [shown]);
  // Recorded calls contain the names of their sessions; events do not.
  const hasEvents = shown.value.rows.some(({ event }) => event.session_name === undefined);
  const { value: sessions } = useQuery<{ readonly rows: readonly SessionRow[] }>(
    hasEvents ? ACTIVE_SESSIONS : undefined,
  );
  const names = useMemo(() => new Map(sessions?.rows.map((row) => [row.session_id, labelOf(row)])), [sessions]);
  const { rows, rate } = shown.value;
  const waiting = paused.value ? (tail.current?.count ?? 0) - shown.value.count : 0;
  return (
    <>
      <PageHead title="Live">
        <FilterBox label="Filter by tool, category, session, text" />
        <label class="check">
          <input
            type="checkbox"
            checked={failed !== ""}
            onChange={(event) => show({ failed: event.currentTarget.checked ? "1" : "" })}
          />
          Failed only
        </label>
        <button
          type="button"
          class="wide"
          aria-pressed={paused.value}
          onClick={() => {
            paused.value = !paused.value;
          }}
        >
          {paused.value ? `▶ Resume${waiting > 0 ? ` (${count(waiting)} new)` : ""}` : "❚❚ Pause"}
        </button>
        <span class="live-rate" title="All events, averaged over 5 seconds">
          <strong>{rate < 10 ? rate.toFixed(1) : Math.round(rate)}</strong> events/s
        </span>
      </PageHead>
      <Panel title="Events" note={`${rows.length} newest`} rows={rows.map(({ event }) => event)}>
        <LiveList
          rows={rows}
          names={names}
          onLeaveTop={() => {
            paused.value = true;
          }}
        />
        {rows.length === 0 && (
          <p class="nothing">
            {connection.value === "lost"
              ? "Disconnected. Reconnecting…"
              : "No events yet. Calls appear here as they are recorded."}
          </p>
        )}
      </Panel>
    </>
  );
}
