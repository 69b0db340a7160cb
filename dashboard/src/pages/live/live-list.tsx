import { useSignal } from "@preact/signals";
import { Category } from "../../components/category.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { Scrollable } from "../../components/scrollable.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { duration, exactTime, shortId } from "../../format.ts";
import { briefMessage, targetOf } from "../../target.ts";
import { type Tone, toneOfStatus } from "../../tone.ts";
import type { FeedEvent, TailEntry } from "./tail.ts";

const ROW = 28;
const HEIGHT = 616;
const MARGIN = 6;

interface LiveListProps {
  readonly rows: readonly TailEntry[];
  /** Names of sessions by their id. */
  readonly names: ReadonlyMap<string, string>;
  /** Called when the reader scrolls down, so that the list can pause. */
  readonly onLeaveTop: () => void;
}

/** Renders only the visible rows. */
export function LiveList({ rows, names, onLeaveTop }: LiveListProps) {
  const top = useSignal(0);
  const from = Math.max(0, Math.min(Math.floor(top.value / ROW) - MARGIN, rows.length));
  const to = Math.min(rows.length, from + Math.ceil(HEIGHT / ROW) + 2 * MARGIN);
  const list = (
    <Scrollable
      class="tail"
      label="Newest events"
      onScroll={(scrolled) => {
        if (scrolled > ROW && top.peek() <= ROW) onLeaveTop();
        top.value = scrolled;
      }}
    >
      <ol class="tail-rows" style={{ height: `${rows.length * ROW}px` }}>
        {rows.slice(from, to).map((entry, at) => (
          <li key={entry.number} class="tail-row" style={{ top: `${(from + at) * ROW}px` }}>
            <Entry event={entry.event} names={names} />
          </li>
        ))}
      </ol>
    </Scrollable>
  );
  return (
    <>
      {rows.length > 0 && <Heads />}
      {list}
    </>
  );
}

/** Titles of the columns; a list cannot have its own. */
function Heads() {
  return (
    <div class="tail-row tail-heads" aria-hidden="true">
      <span class="tail-time">Time</span>
      <span />
      <span>Tool or event</span>
      <span class="tail-category">Category</span>
      <span>Result</span>
      <span class="tail-took">Took</span>
      <span class="tail-session">Session</span>
    </div>
  );
}

function Entry({ event, names }: { readonly event: FeedEvent } & Pick<LiveListProps, "names">) {
  const { timestamp = "", session_id: id = "", project = "default", record_id: call = "" } = event;
  const query = { id, ...(project !== "default" && { project }), open: call };
  const at = Date.parse(timestamp);
  const message = typeof event.status_message === "string" ? event.status_message : "";
  return (
    <>
      <time class="tail-time faint" dateTime={timestamp} title={Number.isNaN(at) ? "" : exactTime(at)}>
        {clock(at)}
      </time>
      {event.status === undefined && toneOf(event) === "none" ? (
        <span class="glyph faint" aria-hidden="true">
          ·
        </span>
      ) : (
        <Glyph tone={toneOf(event)} label={event.status ?? event.type} />
      )}
      <span class="tail-name">
        <Link page="session" query={query} class="plain" row>
          <UntrustedText text={event.tool_name ?? event.type.replaceAll("_", " ")} />
        </Link>
      </span>
      <span class="tail-category">
        <Category name={event.category ?? null} />
      </span>
      <span class="tail-text">
        {message === "" ? (
          <UntrustedText text={summaryOf(event)} />
        ) : (
          <UntrustedText text={message} shown={briefMessage(message, event.tool_name ?? "")} />
        )}
      </span>
      <span class="tail-took faint">
        {duration(numberOf(event.execution_time_ms) ?? numberOf(event.turnaround_ms))}
      </span>
      <span class="tail-session faint">
        <UntrustedText text={`Session ${id}`} shown={names.get(id) ?? nameIn(event) ?? shortId(id)} />
      </span>
    </>
  );
}

function nameIn({ session_name: name }: FeedEvent): string | undefined {
  return typeof name === "string" ? name : undefined;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function toneOf(event: FeedEvent): Tone {
  if (event.status !== undefined) return toneOfStatus(event.status);
  if (event.type === "leak_recovered") return "ok";
  if (event.type === "second_chance") return event.result === "healed" || event.result === "text" ? "ok" : "warn";
  return event.type === "leak_left" || event.type === "repair_suspended" ? "warn" : "none";
}

function summaryOf(event: FeedEvent): string {
  if (event.type.startsWith("leak_")) return `${event.format ?? "a format"} in ${event.model_name ?? "a response"}`;
  if (event.type === "second_chance")
    return `${String(event.reason).replaceAll("_", " ")}: ${String(event.result).replaceAll("_", " ")} · ${event.model_name ?? ""}`;
  if (event.type === "session_ended") return `${event.calls} calls, ${event.failed} failed`;
  const target = targetOf(typeof event.arguments_preview === "string" ? event.arguments_preview : null);
  return [target ?? event.status, event.model_name].filter((text) => typeof text === "string").join(" · ");
}

function clock(at: number): string {
  return Number.isNaN(at) ? "" : new Date(at).toLocaleTimeString(undefined, { hour12: false });
}
