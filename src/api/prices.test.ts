import { expect, it } from "vitest";
import { tokenColumns } from "../core/model/token-usage.ts";
import { amountOf, costOf, priceOf, withCosts } from "./prices.ts";

const CHEAP = { input: 1, output: 2 };
const DEAR = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
const used = (model: string | null, input: number, output: number) => ({
  ...tokenColumns({ input_tokens: input, output_tokens: output }),
  model,
});

it("the price of a model is found by its name, or by the longest beginning of it", () => {
  const prices = { "claude-*": CHEAP, "claude-opus-*": DEAR, "gpt-5": CHEAP };
  expect(priceOf(prices, "claude-opus-4")).toBe(DEAR);
  expect(priceOf(prices, "claude-haiku-4")).toBe(CHEAP);
  expect([priceOf(prices, "gpt-5-mini"), priceOf(prices, "constructor"), priceOf(prices, null)]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});

it("a cost counts cached input, newly cached input and other input once each", () => {
  const tokens = {
    input_tokens: 1_000_000,
    cached_tokens: 600_000,
    cache_write_tokens: 100_000,
    output_tokens: 10_000,
  };
  // 300,000 × 3 + 600,000 × 0.3 + 100,000 × 3.75 + 10,000 × 15, per million.
  expect(amountOf(tokenColumns(tokens), DEAR)).toBeCloseTo(0.9 + 0.18 + 0.375 + 0.15);
  expect(amountOf(tokenColumns(tokens), CHEAP)).toBeCloseTo(1 + 0.02);
});

it("a cost is partial if a model that was used has no price, and unknown if none has", () => {
  const prices = { m: CHEAP };
  expect(costOf([used("m", 1_000_000, 0)], prices)).toEqual({ amount: 1, is_partial: false });
  expect(costOf([used("m", 1_000_000, 0), used("other", 5, 5)], prices)).toEqual({ amount: 1, is_partial: true });
  expect(costOf([used("m", 1_000_000, 0), used("other", 0, 0)], prices)).toEqual({ amount: 1, is_partial: false });
  expect([costOf([used("other", 5, 5)], prices), costOf([], prices)]).toEqual([null, null]);
});

it("sessions without prices get no costs", async () => {
  const rows = [{ project: "p", session_id: "s" }];
  const reader = { sessionUsage: async () => [{ project: "p", session_id: "s", ...used("m", 2_000_000, 0) }] };
  expect(await withCosts(reader, rows, undefined)).toBe(rows);
  expect(await withCosts(reader, rows, { m: CHEAP })).toEqual([
    { project: "p", session_id: "s", cost: { amount: 2, is_partial: false } },
  ]);
});
