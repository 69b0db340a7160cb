import { lexToken } from "../lex/token.ts";
import type { Envelope, Source } from "./payload.ts";

/**
 * Where the data of a call ends that is damaged inside a string: at the closer that belongs to its opener, or at the last
 * closer that belongs to no opener, because a closer inside the string was counted for it. Without a closer, the data is
 * everything. Asked when the text is complete. `undefined`: the envelope is no tag, so its ends cannot be counted.
 */
export function damagedDataEnd({ text, ahead }: Source, { key }: Envelope, from: number): number | undefined {
  if (key === "" || key.includes("|")) return undefined;
  ahead.left -= text.length - from;
  let depth = 1;
  let end: number | undefined;
  for (let i = text.indexOf("<", from); i !== -1; i = text.indexOf("<", i)) {
    const token = lexToken(text, i, true);
    if (token === null || token === "more") {
      i += 1;
      continue;
    }
    i = token.end;
    if (token.key !== key || token.self) continue;
    if (!token.close) depth += 1;
    else if (depth === 0) end = token.end;
    else {
      depth -= 1;
      if (depth === 0) end ??= token.end;
    }
  }
  return end ?? text.length;
}
