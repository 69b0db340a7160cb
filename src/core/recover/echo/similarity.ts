import type { Budget } from "./windows.ts";

/** Shorter values must be equal: in a few characters, every change makes a different value. */
const MIN_FUZZY_CHARS = 12;
/** The share of a value that a contained value must cover. */
const MIN_COVERAGE = 0.8;
/** The share of characters that may differ. */
const MAX_CHANGED_SHARE = 0.12;
/** Longer values are compared by shared pieces. */
const MAX_DISTANCE_CHARS = 240;
const PIECE_CHARS = 6;
const MIN_SHARED_PIECES = 0.75;

/** Whether two squeezed values are equal except for a few characters. Also true if the budget is used up. */
export function isSimilar(a: string, b: string, budget: Budget): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < MIN_FUZZY_CHARS || short.length < long.length * (1 - 2 * MAX_CHANGED_SHARE)) return false;
  if (budget.left < 0) return true;
  budget.left -= long.length;
  if (short.length >= long.length * MIN_COVERAGE && long.includes(short)) return true;
  if (long.length > MAX_DISTANCE_CHARS) {
    return sharedPieces(short, long, budget) >= MIN_SHARED_PIECES;
  }
  return isWithinDistance(short, long, Math.max(1, Math.floor(long.length * MAX_CHANGED_SHARE)), budget);
}

const PIECE_BITS = 17;
/** Marks the pieces that occur. Shared by all comparisons, because allocating a table costs more than most of them. */
const pieceTable = new Uint8Array(1 << PIECE_BITS);

/** Returns the approximate share of pieces of one text that occur in another. */
export function sharedPieces(part: string, whole: string, budget: Budget): number {
  const count = part.length - PIECE_CHARS + 1;
  if (count <= 0) return whole.includes(part) ? 1 : 0;
  budget.left -= 10_000 + 4 * (part.length + whole.length);
  pieceTable.fill(0);
  for (let at = 0; at + PIECE_CHARS <= whole.length; at += 1) pieceTable[pieceHash(whole, at)] = 1;
  let shared = 0;
  for (let at = 0; at < count; at += 1) shared += pieceTable[pieceHash(part, at)] as number;
  return shared / count;
}

function pieceHash(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + PIECE_CHARS; i += 1) hash = Math.imul(hash, 0x01000193) ^ text.charCodeAt(i);
  return Math.imul(hash, 0x9e3779b1) >>> (32 - PIECE_BITS);
}

/** Whether the Levenshtein distance is within a limit. Only cells near the diagonal are computed. */
function isWithinDistance(a: string, b: string, limit: number, budget: Budget): boolean {
  if (b.length - a.length > limit) return false;
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const [rows, columns] = [endA - start, endB - start];
  let previous = Array.from({ length: columns + 1 }, (_, column) => column);
  for (let row = 1; row <= rows; row += 1) {
    budget.left -= 50 + 10 * limit;
    const current = new Array<number>(columns + 1).fill(limit + 1);
    current[0] = row;
    let least = row;
    for (let column = Math.max(1, row - limit); column <= Math.min(columns, row + limit); column += 1) {
      const changed = a.charCodeAt(start + row - 1) === b.charCodeAt(start + column - 1) ? 0 : 1;
      const cell = Math.min(
        (previous[column - 1] as number) + changed,
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
      );
      current[column] = cell;
      least = Math.min(least, cell);
    }
    if (least > limit) return false;
    previous = current;
  }
  return (previous[columns] as number) <= limit;
}
