const START = "<system-reminder>";
const END = "</system-reminder>";

/**
 * Removes blocks that a client appended to a result, such as the remaining number of tokens. Only at the very end:
 * earlier, the same tags may be part of a file. Linear, because every search continues before the previous one.
 */
export function withoutReminders(text: string): string {
  let end = text.length;
  while (text.endsWith(END, end)) {
    const start = text.lastIndexOf(START, end - END.length);
    if (start === -1) break;
    end = start;
    while (end > 0 && text.charCodeAt(end - 1) <= 32) end -= 1;
  }
  return end === text.length ? text : text.slice(0, end);
}
