/**
 * Measures redaction: `node scripts/eval-redact.ts [--seeds 3] [--show] [rows.jsonl …]`. Without paths: how much of the
 * generated secrets is removed, by kind and by placement. With paths: how many ordinary texts are changed; each line is
 * a JSON object, and its `content` and `arguments` are the texts.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { redact } from "../src/core/redact/redact.ts";
import { makeOrdinaryFiles, ORDINARY_TEXTS } from "../test/support/ordinary-texts.ts";
import { findSurvivor, makeSecretCases, SECRET_KINDS } from "../test/support/secret-kinds/index.ts";
import type { SecretKind } from "../test/support/secret-kinds/kind.ts";
import { FURTHER_KINDS } from "../test/support/secret-kinds/second-set.ts";
import { THIRD_KINDS } from "../test/support/secret-kinds/third-set.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "3" }, show: { type: "boolean", default: false } },
});

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

function evaluateKinds(list: string, kinds: readonly SecretKind[]): void {
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
  const cases = seeds.flatMap((seed) => makeSecretCases(seed, kinds));
  const left = cases.filter(({ text, secrets }) => findSurvivor(redact(text), secrets) !== undefined);
  console.log(
    `${list}: ${kinds.length} kinds, ${cases.length} cases, ${percent(cases.length - left.length, cases.length)} removed`,
  );
  for (const by of ["kind", "placement"] as const)
    for (const name of new Set(cases.map((one) => one[by]))) {
      const all = cases.filter((one) => one[by] === name).length;
      const missed = left.filter((one) => one[by] === name).length;
      console.log(
        `  ${by} ${name.padEnd(12)} ${String(all).padStart(6)} cases ${percent(all - missed, all).padStart(9)}`,
      );
    }
  if (values.show) for (const { title, placement } of left) console.log(`  left: ${title}, ${placement}`);
}

function evaluateTexts(list: string, texts: readonly string[]): void {
  const changed = texts.filter((text) => redact(text) !== text);
  console.log(`${list}: ${texts.length} texts, ${changed.length} changed, ${percent(changed.length, texts.length)}`);
  if (values.show) for (const text of changed) console.log(`  ${JSON.stringify(firstChange(text))}`);
}

/** The first redaction marker with some characters before it. */
function firstChange(text: string): string {
  const redacted = redact(text);
  let at = 0;
  while (text[at] === redacted[at]) at += 1;
  return redacted.slice(Math.max(0, at - 60), at + 20);
}

function textsOf(path: string): readonly string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const { content, arguments: args } = JSON.parse(line) as { content?: unknown; arguments?: unknown };
      return [content, args].map((value) => (typeof value === "string" ? value : JSON.stringify(value ?? "")));
    })
    .filter((text) => text !== "" && text !== '""');
}

if (positionals.length === 0) {
  evaluateKinds("first list", SECRET_KINDS);
  evaluateKinds("second list", FURTHER_KINDS);
  evaluateKinds("third list", THIRD_KINDS);
  evaluateTexts("ordinary texts", [...ORDINARY_TEXTS, ...makeOrdinaryFiles(1)]);
}
for (const path of positionals) evaluateTexts(path, textsOf(path));
