import type { Text } from "../lex/text.ts";
import { continuesParagraph } from "./context.ts";
import type { Settings } from "./settings.ts";
import type { StopFinder } from "./stops.ts";

/** Where the skipped lines end, and whether they have visible text. */
export interface SkippedLines {
  readonly end: number;
  readonly visible: boolean;
  /** The last of them belongs to a paragraph. */
  readonly isParagraph: boolean;
}

/**
 * Skips whole lines that no rule applies to, which is most of what models write. The scanner's loop would reach the
 * same state, only more slowly. `fence` is the character that may close the current block, or -1.
 */
export function skipPlainLines(
  source: Text,
  from: number,
  stops: StopFinder,
  settings: Settings,
  fence: number,
  wasParagraph: boolean,
): SkippedLines {
  const { text } = source;
  let end = from;
  let visible = false;
  let isParagraph = wasParagraph;
  for (;;) {
    let i = end;
    let code = text.charCodeAt(i);
    let indent = 0;
    while (code === 32 || code === 9) {
      indent += code === 9 ? 4 : 1;
      i += 1;
      code = text.charCodeAt(i);
    }
    if (code === 10) {
      isParagraph = false;
      end = i + 1;
      continue;
    }
    if (i >= text.length || code === 13) break;
    if (fence === -1 ? settings.lineStarts.hasAt(text, i) : code === fence) break;
    const lineEnd = stops.plainLine(source, i, fence !== -1, settings.foreign);
    if (lineEnd === -1) break;
    visible = true;
    isParagraph = continuesParagraph(isParagraph, indent);
    end = lineEnd + 1;
  }
  return { end, visible, isParagraph };
}
