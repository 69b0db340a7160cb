import { addTokenUsage, type TokenUsage } from "../../core/model/token-usage.ts";
import type { FailurePolicy } from "../policy/policy.ts";
import type { Prices } from "./loop-options.ts";

/** Tokens, and their cost if prices are known. */
export interface Usage {
  readonly usage: TokenUsage;
  readonly cost?: number;
}

/** Adds up the usage of a run. */
export class UsageMeter {
  readonly #prices: Prices | undefined;
  #total: TokenUsage = {};

  constructor(prices: Prices | undefined) {
    this.#prices = prices;
  }

  add(usage: TokenUsage): void {
    this.#total = addTokenUsage(this.#total, usage);
  }

  get total(): Usage {
    return this.withCost(this.#total);
  }

  withCost(usage: TokenUsage): Usage {
    return this.#prices === undefined ? { usage } : { usage, cost: costOf(usage, this.#prices) };
  }

  /** The limit that the run has reached, if any. */
  limit({ maxTokens, maxCost }: FailurePolicy): "token-limit" | "cost-limit" | undefined {
    const { input_tokens: input = 0, output_tokens: output = 0 } = this.#total;
    if (maxTokens !== undefined && input + output >= maxTokens) return "token-limit";
    const { cost } = this.total;
    return maxCost !== undefined && cost !== undefined && cost >= maxCost ? "cost-limit" : undefined;
  }
}

function costOf(usage: TokenUsage, prices: Prices): number {
  const { input_tokens: input = 0, output_tokens: output = 0, cached_tokens: cached = 0 } = usage;
  const { cached: cachedPrice = prices.input } = prices;
  return ((input - cached) * prices.input + cached * cachedPrice + output * prices.output) / 1_000_000;
}
