const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(value);
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `950`, `12.3K`, `1.2M`; a dash if unknown. */
export function tokens(value: number | null): string {
  return value === null ? "–" : compact.format(value);
}

/** An amount of the user's currency, which is not named: `0.04`, `12.30`, `1,250`. */
export function amount(value: number): string {
  const digits = value >= 1000 ? 0 : value > 0 && value < 0.1 ? 3 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A rate with one decimal. Rounding never yields 0% or 100%: these mean none and all. */
export function percent(share: number | null): string {
  if (share === null) return "–";
  if (share === 0 || share === 1) return `${share * 100}%`;
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Short relative time. A time in the future means that the clocks differ. */
export function ago(at: number, now: number): string {
  const span = now - at;
  if (span < MINUTE) return "just now";
  if (span < HOUR) return `${Math.floor(span / MINUTE)} min ago`;
  if (span < 2 * DAY) return `${Math.floor(span / HOUR)} h ago`;
  return `${Math.floor(span / DAY)} d ago`;
}

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

export function exactTime(at: number): string {
  return exactly.format(at);
}

/** A short form of an id that is still distinctive; derived ids keep their `derived-` prefix. */
export function shortId(id: string): string {
  const letters = [...id];
  if (letters.length <= 16) return id;
  return `${letters.slice(0, id.startsWith("derived-") ? 14 : 8).join("")}…`;
}

/**
 * Replaces control characters by symbols (␛, ↵ for a line break) and direction marks by ⇄, so that text can neither
 * hide nor reorder anything.
 */
export function visible(text: string): string {
  return [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) as number;
      if (letter === "\n") return "↵";
      if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return "⇄";
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      return code === 0x7f ? "␡" : letter;
    })
    .join("");
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  const kilobytes = value / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** A difference of two rates in percentage points, with its sign. */
export function points(change: number): string {
  const value = (100 * change).toFixed(1);
  return change > 0 ? `+${value}` : value.replace("-", "−");
}

export function duration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

/** A confidence interval in whole percent. */
export function interval(ends: readonly [number, number] | null): string {
  return ends === null ? "–" : ends.map((end) => (100 * end).toFixed(0)).join("–");
}

/** Like {@link visible}, but keeps line breaks and tabs. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visible).join("\t"))
    .join("\n");
}
