import type { TokenColumns } from "../core/model/token-usage.ts";

/** `950`, `12.3k`, `1.2M`; a dash if unknown. */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return "–";
  if (tokens < 1000) return String(tokens);
  const [divided, unit] = tokens < 999_950 ? [tokens / 1000, "k"] : [tokens / 1e6, "M"];
  return `${divided.toFixed(1)}${unit}`;
}

/** `Tokens: 12.3k input (10.0k cached), 1.2k output (300 reasoning)`; empty if no response reported any. */
export function tokensText(tokens: TokenColumns): string {
  const { input_tokens, output_tokens, cached_tokens, reasoning_tokens } = tokens;
  if (input_tokens === null && output_tokens === null) return "";
  const input = `${formatTokens(input_tokens)} input${partText(cached_tokens, "cached")}`;
  return `Tokens: ${input}, ${formatTokens(output_tokens)} output${partText(reasoning_tokens, "reasoning")}`;
}

function partText(tokens: number | null, kind: string): string {
  return tokens === null || tokens === 0 ? "" : ` (${formatTokens(tokens)} ${kind})`;
}
