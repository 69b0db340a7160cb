// Seeded words that vary file names, messages and identifiers, so that no row depends on one spelling.

/** Mulberry32: small, deterministic, good enough to pick words. */
export function createPicker(seed: number): <T>(from: readonly T[]) => T {
  let state = seed >>> 0;
  return (from) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return from[((t ^ (t >>> 14)) >>> 0) % from.length] as never;
  };
}

export function hashText(text: string): number {
  let hash = 2166136261;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 16777619);
  return hash >>> 0;
}

const STEMS = (
  "invoice ledger parser router worker session billing catalog shipment tenant payroll metrics planner thumbnail " +
  "webhook sitemap coupon avatar reminder checkout digest roster mailer geocode snapshot upload archive schedule"
).split(" ");
const OTHERS = "legacy draft nightly staging helper shared public internal export backup sample customer".split(" ");
const MESSAGES = [
  "quota table is empty",
  "unexpected token in header",
  "customer has no address",
  "rate must be positive",
  "lookup returned two rows",
  "checksum does not match",
  "no handler for topic",
  "cannot merge open ranges",
  "currency code unsupported",
  "shard 7 is out of range",
  "missing signature block",
  "inventory is locked",
  "duplicate primary contact",
  "balance went negative",
];
const IDENTIFIERS =
  "total_price userCount orderId retryLimit cartItems maxDepth row_index taxRate tokenList pageSize lastSeen hostMap".split(
    " ",
  );
const TYPES = "Invoice Order Customer Shipment Ledger Session Planner Router Voucher Catalog".split(" ");

/** The words of one seed; keys are the placeholders of a case. */
export function wordsOf(seed: number): Readonly<Record<string, string>> {
  const pick = createPicker(Math.imul(seed + 1, 0x9e3779b1));
  const stem = pick(STEMS);
  const other = pick(OTHERS);
  return {
    stem,
    other,
    file: `${stem}.${pick(["txt", "yaml", "csv", "conf", "md", "log", "ini"])}`,
    missing: `${other}-${pick(STEMS)}.${pick(["txt", "json", "toml", "csv", "conf"])}`,
    dir: pick(["data", "config", "reports", "assets", "fixtures", "templates"]),
    mod: `${pick(STEMS)}_${other}`,
    id: pick(IDENTIFIERS),
    id2: pick(["quantity", "threshold", "endpoint", "callback", "payload", "segment"]),
    type: pick(TYPES),
    msg: pick(MESSAGES),
    msg2: pick(MESSAGES),
    branch: `${pick(["feature", "fix", "chore", "release"])}/${stem}-${other}`,
    pkg: `${stem}-${pick(["kit", "core", "utils", "client", "tools"])}-${pick(["xq", "zv", "kj"])}${seed % 97}`,
    host: `${stem}.${other}.example`,
    n: String(2 + (seed % 7)),
    big: String(1200 + ((seed * 37) % 8000)),
    closed: String(40_100 + (seed % 800)),
    user: pick(["mara", "jonas", "ines", "tariq", "yuki", "olek"]),
    // The linter takes a dollar before a brace in a plain string for a mistake.
    usd: "$",
    env: `${stem.toUpperCase()}_${pick(["TOKEN", "URL", "HOME", "REGION"])}`,
  };
}

export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/@([a-z]\w{0,9})@/g, (whole, key: string) => words[key] ?? whole);
}
