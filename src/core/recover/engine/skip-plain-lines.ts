import type { Settings } from "./settings.ts";
import type { StopFinder } from "./stops.ts";

/** Where whole lines of nothing but text end, and whether they hold anything visible. */
export interface SkippedLines {
  readonly end: number;
  readonly visible: boolean;
}

/**
 * Passes over whole lines that no rule can say anything about: most of what models write. The scanner's own loop would
 * come to the same end, only through more hands. `fence`: the character that may close the block we are in, or -1.
 */
export function skipPlainLines(
  text: string,
  from: number,
  stops: StopFinder,
  settings: Settings,
  fence: number,
): SkippedLines {
  let end = from;
  let visible = false;
  for (;;) {
    let i = end;
    let code = text.charCodeAt(i);
    while (code === 32 || code === 9) {
      i += 1;
      code = text.charCodeAt(i);
    }
    if (code === 10) {
      end = i + 1;
      continue;
    }
    if (i >= text.length || code === 13) break;
    if (fence === -1 ? settings.lineStarts.hasAt(text, i) : code === fence) break;
    const lineEnd = stops.plainLine(text, i, fence !== -1, settings.foreign);
    if (lineEnd === -1) break;
    visible = true;
    end = lineEnd + 1;
  }
  return { end, visible };
}
