export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function hasVisible(text: string, from: number, to: number): boolean {
  return blanksFrom(text, from, to) < to - from;
}

/** How many blanks stand at `from`. */
export function blanksFrom(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isBlank(text.charCodeAt(i))) i += 1;
  return i - from;
}

/** Where the blanks that end at `to` begin. */
export function blanksUpTo(text: string, from: number, to: number): number {
  let i = to;
  while (i > from && isBlank(text.charCodeAt(i - 1))) i -= 1;
  return i;
}
