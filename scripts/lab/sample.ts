// Picks a small, even sample of the laboratory's rows for the repository:
//
//   npx node scripts/lab/sample.ts ROWS.jsonl > test/fixtures/detect/laboratory.jsonl
//
// At most one row per family, label, category (program for successes), status and language is taken in each round,
// lowest hash first, until the size limit is reached. The choice depends on the ids only, so the same rows give the
// same sample.
import { readFileSync } from "node:fs";
import type { Row } from "./types.ts";
import { hashText } from "./words.ts";

const MAX_BYTES = 290_000;
const MAX_CONTENT_CHARS = 1_200;
/** Programs print the addresses of their makers and registries; the sample names no real host. */
const REAL_HOST = /https?:\/\/(?!127\.0\.0\.1|localhost|[a-z0-9.-]{1,80}\.example\b)/;

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("Usage: npx node scripts/lab/sample.ts ROWS.jsonl");
  process.exit(2);
}
const rows = readFileSync(path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Row)
  .filter(({ content }) => content !== "" && content.length <= MAX_CONTENT_CHARS && !REAL_HOST.test(content))
  // Manuals and notices are texts of their authors; the sample holds short diagnostics only.
  .filter(({ breakage, content }) => !/help|version-asked/.test(breakage) && !/Copyright|©/.test(content));

const groups = new Map<string, Row[]>();
for (const row of rows.toSorted((a, b) => hashText(a.id) - hashText(b.id))) {
  const kind = row.category ?? row.program;
  const key = [row.family, row.label, kind, row.status_shown, row.language === "en"].join("/");
  groups.set(key, [...(groups.get(key) ?? []), row]);
}

const taken: string[] = [];
let bytes = 0;
for (let round = 0; bytes < MAX_BYTES; round++) {
  const lines = [...groups.values()].flatMap((group) => group[round] ?? []).map((row) => JSON.stringify(row));
  if (lines.length === 0) break;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes < MAX_BYTES) taken.push(line);
  }
}
process.stdout.write(`${taken.join("\n")}\n`);
