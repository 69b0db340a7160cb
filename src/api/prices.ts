import type { TokenColumns } from "../core/model/token-usage.ts";
import type { Range, SessionRow, StoreReader } from "../store/port.ts";

/** Price per million tokens, in a currency of the user's choice. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input from a cache; default: as other input. */
  readonly cached?: number | undefined;
  /** Input written to a cache; default: as other input. */
  readonly cacheWrite?: number | undefined;
}

/** By model name; a name that ends in `*` is a prefix. */
export type Prices = Readonly<Record<string, Price>>;

export interface Cost {
  readonly amount: number;
  /** Some tokens belong to models without a price, and are not included. */
  readonly is_partial: boolean;
}

/** The cost is absent without configured prices, and null if no model that was used has a price. */
export interface Priced {
  readonly cost?: Cost | null;
}

export type PricedSession = SessionRow & Priced;

/** The exact name, otherwise the longest prefix. */
export function priceOf(prices: Prices, model: string | null): Price | undefined {
  if (model === null) return undefined;
  if (Object.hasOwn(prices, model)) return prices[model];
  const [longest] = Object.keys(prices)
    .filter((name) => name.endsWith("*") && model.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}

/** Cached and newly cached tokens are parts of the input. */
export function amountOf(usage: TokenColumns, { input, output, cached = input, cacheWrite = input }: Price): number {
  const [read, written] = [usage.cached_tokens ?? 0, usage.cache_write_tokens ?? 0];
  const other = Math.max(0, (usage.input_tokens ?? 0) - read - written);
  return (other * input + read * cached + written * cacheWrite + (usage.output_tokens ?? 0) * output) / 1e6;
}

type ModelUsage = TokenColumns & { readonly model: string | null };

/** Null if nothing has a price. */
export function costOf(rows: readonly ModelUsage[], prices: Prices): Cost | null {
  const used = rows.filter(({ input_tokens, output_tokens }) => (input_tokens ?? 0) + (output_tokens ?? 0) > 0);
  const amounts = used.flatMap((row) => {
    const price = priceOf(prices, row.model);
    return price === undefined ? [] : [amountOf(row, price)];
  });
  if (amounts.length === 0) return null;
  return { amount: amounts.reduce((sum, one) => sum + one, 0), is_partial: amounts.length < used.length };
}

/** Adds the cost of each session, if prices are configured. */
export async function withCosts<Row extends Pick<SessionRow, "project" | "session_id">>(
  reader: Pick<StoreReader, "sessionUsage">,
  rows: readonly Row[],
  prices: Prices | undefined,
): Promise<readonly (Row & Priced)[]> {
  if (prices === undefined || rows.length === 0) return rows;
  const usage = Map.groupBy(await reader.sessionUsage(rows), keyOf);
  return rows.map((row) => ({ ...row, cost: costOf(usage.get(keyOf(row)) ?? [], prices) }));
}

function keyOf({ project, session_id }: Pick<SessionRow, "project" | "session_id">): string {
  return `${project}\u0000${session_id}`;
}

/** The cost of a range, if prices are configured. */
export async function costOfRange(
  reader: Pick<StoreReader, "usage">,
  range: Range,
  prices: Prices | undefined,
): Promise<Priced> {
  if (prices === undefined) return {};
  const rows = await reader.usage("model", range);
  return {
    cost: costOf(
      rows.map((row) => ({ ...row, model: row.key })),
      prices,
    ),
  };
}
