export function isWhitespace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function hasVisible(text: string, from: number, to: number): boolean {
  return countWhitespace(text, from, to) < to - from;
}

/** Number of whitespace characters at `from`. */
export function countWhitespace(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isWhitespace(text.charCodeAt(i))) i += 1;
  return i - from;
}

/** Start of the whitespace that ends at `to`. */
export function trimEndIndex(text: string, from: number, to: number): number {
  let i = to;
  while (i > from && isWhitespace(text.charCodeAt(i - 1))) i -= 1;
  return i;
}
