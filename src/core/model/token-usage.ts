import type { Fields } from "./narrow.ts";

/**
 * The tokens of one response, or of several. All APIs are converted to one meaning: `input_tokens` contains everything
 * the model read, also from a cache; `output_tokens` everything it wrote, also reasoning. A missing field is unknown,
 * which is not 0.
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

const TOKEN_KINDS = ["input", "output", "cached", "cache_write", "reasoning"] as const;
type TokenKind = (typeof TOKEN_KINDS)[number];

const FIELD = {
  input: "input_tokens",
  output: "output_tokens",
  cached: "cached_tokens",
  cache_write: "cache_write_tokens",
  reasoning: "reasoning_tokens",
} as const satisfies Record<TokenKind, keyof TokenUsage>;

/** More than any response has. Larger figures could overflow the columns of sums. */
const MAX_TOKENS = 1_000_000_000;

/** A count of tokens; undefined for anything else, such as a negative number or a fraction. */
function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined;
}

/**
 * Reads the figures of a response. Invalid figures are unknown, and so is a part that is larger than its whole: the
 * server counts it in another way.
 */
export function readTokenUsage(figures: Fields): TokenUsage {
  const usage: { -readonly [K in keyof TokenUsage]: number } = {};
  const input = tokenCount(figures.input_tokens);
  const output = tokenCount(figures.output_tokens);
  if (input !== undefined) usage.input_tokens = input;
  if (output !== undefined) usage.output_tokens = output;
  const cached = partOf(input, figures.cached_tokens);
  if (cached !== undefined) usage.cached_tokens = cached;
  const written = partOf(input === undefined ? input : input - (cached ?? 0), figures.cache_write_tokens);
  if (written !== undefined) usage.cache_write_tokens = written;
  const reasoning = partOf(output, figures.reasoning_tokens);
  if (reasoning !== undefined) usage.reasoning_tokens = reasoning;
  return usage;
}

function partOf(whole: number | undefined, value: unknown): number | undefined {
  const part = tokenCount(value);
  return part !== undefined && whole !== undefined && part <= whole ? part : undefined;
}

/** Whether any figure is known. */
export function hasTokens(usage: TokenUsage): boolean {
  return TOKEN_KINDS.some((kind) => usage[FIELD[kind]] !== undefined);
}

/** Adds the usage of two responses. A figure that only one of them reports is the sum of what is known. */
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
