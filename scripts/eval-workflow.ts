// `npx node scripts/eval-workflow.ts FILE`: how often the workflow of labelled prompts is recognized. Each line of the
// file: {id, prompt, workflow, alternatives}. Prints no prompts, so that a set can be measured without being read.
import { readFileSync } from "node:fs";
import { classifyWorkflow } from "../src/core/score/workflow/classify-workflow.ts";

interface Row {
  readonly prompt: string;
  readonly workflow: string;
  readonly alternatives?: readonly string[];
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Usage: npx node scripts/eval-workflow.ts FILE");
  process.exit(2);
}
const rows = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as Row);
const right = { strict: 0, withAlternatives: 0 };
for (const { prompt, workflow, alternatives = [] } of rows) {
  const found = classifyWorkflow(prompt).workflow;
  if (found === workflow) right.strict += 1;
  if (found === workflow || alternatives.includes(found)) right.withAlternatives += 1;
}
const share = (count: number): string => `${count} of ${rows.length} (${Math.round((100 * count) / rows.length)} %)`;
console.log(`strict: ${share(right.strict)}, with alternatives: ${share(right.withAlternatives)}`);
