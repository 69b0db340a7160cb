import type { Budget, CallFacts, IdentifyingValue } from "./call-facts.ts";

/** How a call repeats a given one. */
export type CallMatch = "same-call" | "same-value";

/** How many arguments may have been added or left out. */
const MAX_EXTRA_ARGUMENTS = 2;
/** A shorter command is so common that another tool may run it without repeating a given call. */
const MIN_COMMAND_OF_OTHER_TOOL = 12;
/** A longer command that contains one of this length repeats it. */
const MIN_CONTAINED_COMMAND = 16;

/**
 * Returns how a call repeats a given one: the same tool with the same arguments, or a few more; or one shared command,
 * URL or long text, regardless of the other arguments. Shared numbers, words, ids and paths are not enough.
 */
export function matchCalls(call: CallFacts, given: CallFacts, budget: Budget): CallMatch | undefined {
  const isComparable = given.isParenthesized !== true || call.args.size === 0 || call.isParenthesized === true;
  if (call.tool === given.tool && isComparable && hasSameArguments(call.args, given.args)) return "same-call";
  const isSame = call.tool === given.tool ? isSameValue : isCommandOfOtherTool;
  const isShared = call.values.some((value) => given.values.some((other) => isSame(value, other, budget)));
  return isShared ? "same-value" : undefined;
}

/** Whether two calls are exactly the same. */
export function isIdentical(call: CallFacts, given: CallFacts): boolean {
  if (call.tool !== given.tool || call.args.size !== given.args.size) return false;
  return [...call.args].every(([key, value]) => given.args.get(key) === value);
}

function hasSameArguments(args: CallFacts["args"], given: CallFacts["args"]): boolean {
  const [few, many] = args.size <= given.size ? [args, given] : [given, args];
  // With no given arguments, only the tool can be compared: one added argument still repeats the call, but a call that
  // drops its only argument is a different one.
  if (few.size === 0) return many.size === 0 || (many === args && many.size === 1);
  if (many.size - few.size > MAX_EXTRA_ARGUMENTS) return false;
  return [...few].every(([key, value]) => many.get(key) === value);
}

function isSameValue(value: IdentifyingValue, given: IdentifyingValue, budget: Budget): boolean {
  if (isSimilar(value.text, given.text, budget)) return true;
  return value.kind === "command" && containsCommand(value.text, given.text);
}

function isCommandOfOtherTool(value: IdentifyingValue, given: IdentifyingValue, budget: Budget): boolean {
  if (value.kind !== "command" || given.text.length < MIN_COMMAND_OF_OTHER_TOOL) return false;
  return isSimilar(value.text, given.text, budget) || containsCommand(value.text, given.text);
}

/** Whether a command is the given one with something before or after it. */
function containsCommand(command: string, given: string): boolean {
  return given.length >= MIN_CONTAINED_COMMAND && command.includes(given);
}

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
  if (long.length > MAX_DISTANCE_CHARS) return sharedPieces(short, long, budget) >= MIN_SHARED_PIECES;
  return isWithinDistance(short, long, Math.max(1, Math.floor(long.length * MAX_CHANGED_SHARE)), budget);
}

/** Whether the Levenshtein distance is within a limit. Only cells near the diagonal are computed. */
function isWithinDistance(a: string, b: string, limit: number, budget: Budget): boolean {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    budget.left -= 50 + 2 * b.length + 10 * limit;
    const current = new Array<number>(b.length + 1).fill(limit + 1);
    current[0] = row;
    for (let column = Math.max(1, row - limit); column <= Math.min(b.length, row + limit); column += 1) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      const [diagonal = 0, above = 0] = [previous[column - 1], previous[column]];
      current[column] = Math.min(diagonal + changed, above + 1, (current[column - 1] as number) + 1);
    }
    if (current.every((cell) => cell > limit)) return false;
    previous = current;
  }
  return (previous[b.length] as number) <= limit;
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
