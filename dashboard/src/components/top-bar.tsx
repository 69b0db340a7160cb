import { useRef } from "preact/hooks";
import { helpOpen, paletteOpen } from "../keys.ts";
import { MENU, menuOf, PAGES, RANGES, type RangeName } from "../route.ts";
import { range as chosen, connection, customRange, place, show } from "../state.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";
import { ThemeButton } from "./theme-button.tsx";

export function TopBar() {
  const here = menuOf(place.value.page);
  return (
    <header class="top">
      <h1 class="brand">
        <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" fill="#3056d3" />
          <path d="M4 8.4l2.8 2.8L12 5.4" class="tick" />
        </svg>
        Toolmend
      </h1>
      <nav class="menu" aria-label="Pages">
        {MENU.map((page) => (
          <Link key={page} page={page} current={page === here}>
            {PAGES[page].title}
          </Link>
        ))}
      </nav>
      <LiveDot />
      <RangePicker />
      <span class="top-buttons">
        <button
          type="button"
          class="quiet"
          aria-label="Go to"
          title="Go to a page, tool, model, error or session (⌘K or Ctrl K)"
          onClick={() => {
            paletteOpen.value = true;
          }}
        >
          <Icon name="search" />
        </button>
        <ThemeButton />
        <button
          type="button"
          class="quiet"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => {
            helpOpen.value = true;
          }}
        >
          ?
        </button>
      </span>
    </header>
  );
}

const CONNECTION = {
  connecting: { glyph: "○", text: "Connecting", hint: "Waiting for the live feed." },
  open: { glyph: "●", text: "Live", hint: "The numbers update as calls are recorded." },
  lost: { glyph: "○", text: "Disconnected", hint: "The live feed is disconnected. Reconnecting…" },
} as const;

export function LiveDot() {
  const { glyph, text, hint } = CONNECTION[connection.value];
  return (
    <output class={`live live-${connection.value}`} title={hint}>
      <span class="live-glyph" aria-hidden="true">
        {glyph}
      </span>
      {text}
    </output>
  );
}

const MEANING: Readonly<Record<RangeName, string>> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All time",
};

export function RangePicker() {
  return (
    <fieldset class="ranges">
      <legend class="hidden">Time range</legend>
      {RANGES.map((range) => (
        <label key={range} title={`${MEANING[range]}${range === "all" ? "" : ", in whole hours"}`}>
          <input
            type="radio"
            name="range"
            aria-label={MEANING[range]}
            checked={chosen.value === range && customRange.value === undefined}
            // A chosen range replaces the times of a chart column.
            onChange={() => show({ range, since: "", until: "", cursor: "" })}
          />
          <span aria-hidden="true">{range}</span>
        </label>
      ))}
      <CustomRange />
    </fieldset>
  );
}

const day = new Intl.DateTimeFormat(undefined, {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false },
});

/** Any other range, selected by dragging over a chart or by its times. */
function CustomRange() {
  const custom = customRange.value;
  const { since = Date.now() - 3_600_000, until = Date.now() } = custom ?? {};
  const box = useRef<HTMLDetailsElement>(null);
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [from, to] = ["from", "to"].map((name) => new Date(String(data.get(name))));
    if (from === undefined || to === undefined || !(from < to)) return;
    show({ since: from.toISOString(), until: to.toISOString(), cursor: "" });
    box.current?.removeAttribute("open");
  };
  return (
    <details class={`custom-range ${custom === undefined ? "" : "custom-set"}`} ref={box}>
      <summary title="Another time range">
        {custom === undefined ? (
          "custom"
        ) : (
          <>
            {day.format(since)} – {until === Number.MAX_SAFE_INTEGER ? "now" : day.format(until)}
          </>
        )}
      </summary>
      <form class="custom-form" onSubmit={apply}>
        <label>
          From <input type="datetime-local" name="from" required value={localTime(since)} />
        </label>
        <label>
          To <input type="datetime-local" name="to" required value={localTime(Math.min(until, Date.now()))} />
        </label>
        <span class="faint">Your time zone, in whole hours. Days in charts are days of UTC.</span>
        <button type="submit">Apply</button>
      </form>
    </details>
  );
}

/** In the format of the input: local time without a zone. */
function localTime(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
