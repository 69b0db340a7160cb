import type { Fields } from "./narrow.ts";

/**
 * The tokens of one response, or of several. All APIs are converted to one meaning: `input_tokens` includes everything
 * the model read, also from a cache; `output_tokens` everything it wrote, also reasoning. A missing field is unknown,
 * not 0.
 */
export interface TokenUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** The part of the input that was read from a cache. */
  readonly cached_tokens?: number;
  /** The part of the input that was written to a cache; only the Messages API reports it. */
  readonly cache_write_tokens?: number;
  /** The part of the output that is reasoning. */
  readonly reasoning_tokens?: number;
}

/** Names of the label `kind` of the metric, and of the rows in the table of totals. */
export const TOKEN_KINDS = ["input", "output", "cached", "cache_write", "reasoning"] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const FIELD = {
  input: "input_tokens",
  output: "output_tokens",
  cached: "cached_tokens",
  cache_write: "cache_write_tokens",
  reasoning: "reasoning_tokens",
} as const satisfies Record<TokenKind, keyof TokenUsage>;

export function tokenField(kind: TokenKind): keyof TokenUsage {
  return FIELD[kind];
}

/** As in rows: null if the count is unknown. */
export type TokenColumns = { readonly [K in keyof TokenUsage]-?: number | null };

export function tokenColumns(usage: TokenUsage | undefined): TokenColumns {
  return {
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cached_tokens: usage?.cached_tokens ?? null,
    cache_write_tokens: usage?.cache_write_tokens ?? null,
    reasoning_tokens: usage?.reasoning_tokens ?? null,
  };
}

/** Larger than any real response. Larger counts could overflow the columns of totals. */
const MAX_TOKENS = 1_000_000_000;

/** A count of tokens; undefined for anything else, such as a negative number or a fraction. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined;
}

/**
 * Reads the counts of a response. Invalid counts are unknown. So is a part that is larger than its whole, because the
 * server counts it differently.
 */
export function readTokenUsage(counts: Fields): TokenUsage {
  const usage: { -readonly [K in keyof TokenUsage]: number } = {};
  const input = tokenCount(counts.input_tokens);
  const output = tokenCount(counts.output_tokens);
  if (input !== undefined) usage.input_tokens = input;
  if (output !== undefined) usage.output_tokens = output;
  const cached = partOf(input, counts.cached_tokens);
  if (cached !== undefined) usage.cached_tokens = cached;
  const written = partOf(input === undefined ? input : input - (cached ?? 0), counts.cache_write_tokens);
  if (written !== undefined) usage.cache_write_tokens = written;
  const reasoning = partOf(output, counts.reasoning_tokens);
  if (reasoning !== undefined) usage.reasoning_tokens = reasoning;
  return usage;
}

function partOf(whole: number | undefined, value: unknown): number | undefined {
  const part = tokenCount(value);
  return part !== undefined && whole !== undefined && part <= whole ? part : undefined;
}

/** Whether any count is known. */
export function hasTokens(usage: TokenUsage): boolean {
  return TOKEN_KINDS.some((kind) => usage[FIELD[kind]] !== undefined);
}

/**
 * Merges two reports of the same response: the larger of each count. Counts only grow while a response is streamed, and
 * clients record earlier ones. Returns `a` if it contains everything.
 */
export function mergeTokenUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return combine(a, b, (x, y) => Math.max(x, y));
}

/** Adds the usage of two responses. A count that only one of them reports is the sum of what is known. */
export function addTokenUsage(a: TokenUsage, b: TokenUsage, times: 1 | -1 = 1): TokenUsage {
  return combine(a, b, (x, y) => x + times * y, times);
}

function combine(a: TokenUsage, b: TokenUsage, of: (x: number, y: number) => number, times: 1 | -1 = 1): TokenUsage {
  let changed: { -readonly [K in keyof TokenUsage]: number } | undefined;
  for (const kind of TOKEN_KINDS) {
    const field = FIELD[kind];
    const [x, y] = [a[field], b[field]];
    if (y === undefined) continue;
    const value = x === undefined ? times * y : of(x, y);
    if (value === x) continue;
    changed ??= { ...a };
    changed[field] = value;
  }
  return changed ?? a;
}
