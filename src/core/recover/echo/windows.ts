/** A part of a text, half-open. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Obscured texts are searched in parts, so that only those are read that may hold the call. */
const CHUNK_CHARS = 8192;
/** How much of a chunk stands in the next one, too: more than a call needs to be recognized. */
const OVERLAP_CHARS = 3072;

/** A text in overlapping parts, cut between lines where there are any. */
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

/** Windows of which none is longer than a chunk: where a name is everywhere, its windows are one. */
export function divideWindows(text: string, windows: readonly Window[]): readonly Window[] {
  return windows.flatMap(({ start, end }) =>
    chunksOf(text.slice(start, end)).map((chunk) => ({ start: start + chunk.start, end: start + chunk.end })),
  );
}

/** Windows in order, those that touch one another as one. */
export function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || window.start > last.end) merged.push(window);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, window.end) };
  }
  return merged;
}
