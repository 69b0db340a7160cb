import { effect, signal } from "@preact/signals";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const GLYPHS: Readonly<Record<Theme, string>> = { auto: "◐", light: "☀", dark: "☾" };
const KEY = "toolmend-theme";

const kept = readKept();
/** What the reader chose; `auto` follows the system. */
export const theme = signal<Theme>(THEMES.includes(kept) ? kept : "auto");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Colours: ${theme.value}. Change to ${next}`}
      title={`Colours: ${theme.value}`}
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
    // A browser that keeps nothing: the choice holds for this page.
  }
}

function readKept(): Theme {
  try {
    return localStorage.getItem(KEY) as Theme;
  } catch {
    return "auto";
  }
}
