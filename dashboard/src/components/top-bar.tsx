import { helpOpen, paletteOpen } from "../keys.ts";
import { MENU, menuOf, PAGES, RANGES, type RangeName } from "../route.ts";
import { range as chosen, connection, place, show } from "../state.ts";
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
            checked={chosen.value === range}
            // A chosen range replaces the times of a chart column.
            onChange={() => show({ range, since: "", until: "", cursor: "" })}
          />
          <span aria-hidden="true">{range}</span>
        </label>
      ))}
    </fieldset>
  );
}
