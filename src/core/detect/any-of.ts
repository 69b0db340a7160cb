/** One pattern that matches wherever one of these does: a single try settles most texts, and only the rest is tried rule by rule. */
export function anyOf(patterns: readonly RegExp[], flags: string): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern.source})`).join("|"), flags);
}
