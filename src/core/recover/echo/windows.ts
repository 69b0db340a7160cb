/** A half-open range of a text. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Obscured texts are searched in chunks, so that only the chunks that may contain the call are parsed. */
const CHUNK_CHARS = 8192;
/** The overlap of consecutive chunks: more than a call needs to be recognized. */
const OVERLAP_CHARS = 3072;

/** Splits a text into overlapping chunks, between lines where possible. */
export function chunksOf(text: string): readonly Window[] {
  const chunks: Window[] = [];
  let start = 0;
  while (text.length - start > CHUNK_CHARS + OVERLAP_CHARS) {
    chunks.push({ start, end: start + CHUNK_CHARS });
    const next = start + CHUNK_CHARS - OVERLAP_CHARS;
    const line = text.indexOf("\n", next);
    start = line === -1 || line > next + (OVERLAP_CHARS >> 1) ? next : line + 1;
  }
  return [...chunks, { start, end: text.length }];
}

/** Splits windows longer than a chunk. They occur where a name is so frequent that its windows merge. */
export function divideWindows(text: string, windows: readonly Window[]): readonly Window[] {
  return windows.flatMap(({ start, end }) =>
    chunksOf(text.slice(start, end)).map((chunk) => ({ start: start + chunk.start, end: start + chunk.end })),
  );
}

/** Sorts windows and merges those that overlap or touch. */
export function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || window.start > last.end) merged.push(window);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, window.end) };
  }
  return merged;
}

/** The remaining work, in units of about a nanosecond. When it is used up, the remaining comparisons count as equal. */
export interface Budget {
  left: number;
}
