/** Splits a text into chunks of `size` UTF-16 units, never inside a surrogate pair. An empty text has no chunk. */
export function* cutText(text: string, characters: number): Generator<string> {
  const size = Math.max(1, Math.floor(characters));
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    // A lone surrogate would reach the client as U+FFFD: no provider sends one.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
