import { helpOpen } from "../keys.ts";
import { MENU, menuOf, PAGES } from "../route.ts";
import { place } from "../state.ts";
import { Link } from "./link.tsx";
import { LiveDot } from "./live-dot.tsx";
import { RangePicker } from "./range-picker.tsx";
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
