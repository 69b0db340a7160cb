import { effect, signal } from "@preact/signals";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const GLYPHS: Readonly<Record<Theme, string>> = { auto: "◐", light: "☀", dark: "☾" };
const KEY = "toolmend-theme";

const stored = readStored();
/** The selected theme; `auto` follows the system. */
export const theme = signal<Theme>(THEMES.includes(stored) ? stored : "auto");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Theme: ${theme.value}. Change to ${next}`}
      title={`Theme: ${theme.value}`}
      onClick={() => choose(next)}
    >
      {GLYPHS[theme.value]}
    </button>
  );
}

function choose(next: Theme): void {
  theme.value = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is disabled in this browser; the theme applies to this page only.
  }
}

function readStored(): Theme {
  try {
    return localStorage.getItem(KEY) as Theme;
  } catch {
    return "auto";
  }
}
