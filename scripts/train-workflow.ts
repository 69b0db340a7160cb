/**
 * Trains the word weights of the workflow and writes `src/core/score/workflow/weights.ts`: `npx node
 * scripts/train-workflow.ts`. The training set is the prompts in `test/fixtures`; the same prompts give the same weights.
 *
 * `--measure FILE...` writes nothing: it leaves out one set after the other, trains with all others and prints how often
 * the workflow of the set left out is recognized. Each line of a file: {prompt, workflow, alternatives}.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { classifyWith } from "../src/core/score/workflow/classify-workflow.ts";
import {
  featuresOf,
  LETTER_STEP,
  LETTERS,
  type LearnedWeights,
  parseWeights,
  ZERO_LETTER,
} from "../src/core/score/workflow/learned.ts";
import { parsePrompt } from "../src/core/score/workflow/parse-prompt.ts";
import { WORKFLOWS } from "../src/core/score/workflow/workflow.ts";
import { WORKFLOW_PROMPTS } from "../test/fixtures/workflow-prompts.ts";
import { THIRD_WORKFLOW_PROMPTS } from "../test/fixtures/workflow-prompts-third.ts";
import { TRAINING_WORKFLOW_PROMPTS } from "../test/fixtures/workflow-prompts-training.ts";
import { UNSEEN_WORKFLOW_PROMPTS } from "../test/fixtures/workflow-prompts-unseen.ts";

interface Row {
  readonly prompt: string;
  readonly workflow: string;
  readonly alternatives?: readonly string[];
}

const EPOCHS = 40;
const DECAY = 0.002;
const RATE = 0.3;
/** Features of fewer prompts are left out: they cannot generalize. */
const MIN_PROMPTS = 2;

/** Logistic regression by stochastic gradient descent in a fixed order; returns the lines of `weights.ts`. */
function train(rows: readonly Row[]): string {
  const examples = rows.map(({ prompt, workflow }) => ({
    features: [...featuresOf(parsePrompt(prompt))],
    label: (WORKFLOWS as readonly string[]).indexOf(workflow),
  }));
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const [feature] of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const weights = new Map<string, number[]>();
  for (const [feature, count] of counts)
    if (count >= MIN_PROMPTS) weights.set(feature, new Array(WORKFLOWS.length).fill(0));
  const bias: number[] = new Array(WORKFLOWS.length).fill(0);
  let seed = 7;
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const other = seed % (at + 1);
      [order[at], order[other]] = [order[other] as (typeof order)[0], order[at] as (typeof order)[0]];
    }
    const rate = RATE / (1 + 0.15 * epoch);
    for (const { features, label } of order) learn(features, label, rate);
  }
  return [["", bias] as const, ...[...weights].sort(([one], [other]) => (one < other ? -1 : 1))]
    .map(([feature, values]) => `${values.map(letterOf).join("")}${feature}`)
    .filter((line, at) => at === 0 || !line.startsWith(NOTHING))
    .join("\n");

  function learn(features: readonly (readonly [string, number])[], label: number, rate: number): void {
    const known = features.flatMap(([feature, amount]) => {
      const values = weights.get(feature);
      return values === undefined ? [] : [{ values, amount }];
    });
    const scores = bias.map((value, at) =>
      known.reduce((sum, { values, amount }) => sum + (values[at] ?? 0) * amount, value),
    );
    const best = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - best));
    const sum = shares.reduce((all, share) => all + share, 0);
    for (const [at, share] of shares.entries()) {
      const error = share / sum - (at === label ? 1 : 0);
      bias[at] = (bias[at] ?? 0) - 0.1 * rate * error;
      for (const { values, amount } of known) {
        const value = values[at] ?? 0;
        values[at] = value - rate * (error * amount + DECAY * value);
      }
    }
  }
}

function letterOf(value: number): string {
  const step = Math.round(value / LETTER_STEP);
  return LETTERS[Math.min(LETTERS.length - 1, Math.max(0, ZERO_LETTER + step))] ?? "";
}

const NOTHING = letterOf(0).repeat(WORKFLOWS.length);

function measure(name: string, rows: readonly Row[], weights: LearnedWeights): void {
  let strict = 0;
  let lenient = 0;
  for (const { prompt, workflow, alternatives = [] } of rows) {
    const found = classifyWith(prompt, weights).workflow;
    if (found === workflow) strict += 1;
    if (found === workflow || alternatives.includes(found)) lenient += 1;
  }
  const share = (count: number): string => `${count} of ${rows.length} (${Math.round((100 * count) / rows.length)} %)`;
  console.log(`${name}: strict ${share(strict)}, with alternatives ${share(lenient)}`);
}

function readRows(file: string): readonly Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}

const { values, positionals } = parseArgs({
  options: { measure: { type: "boolean", default: false } },
  allowPositionals: true,
});
const sets: readonly (readonly [string, readonly Row[]])[] = [
  ["first", WORKFLOW_PROMPTS],
  ["second", UNSEEN_WORKFLOW_PROMPTS],
  ["third", THIRD_WORKFLOW_PROMPTS],
  ["training", TRAINING_WORKFLOW_PROMPTS],
];
if (values.measure) {
  const all = [...sets, ...positionals.map((file) => [basename(file), readRows(file)] as const)];
  for (const [name, rows] of all) {
    const others = all.filter(([other]) => other !== name).flatMap(([, other]) => other);
    measure(name, rows, parseWeights(train(others)));
  }
} else {
  const text = train(sets.flatMap(([, rows]) => rows));
  writeFileSync(
    new URL("../src/core/score/workflow/weights.ts", import.meta.url),
    `/** Written by scripts/train-workflow.ts; do not edit. One letter per workflow, then the feature; see learned.ts. */\nexport const WEIGHTS: string = \`\n${text}\n\`;\n`,
  );
  console.log(`${text.split("\n").length} weights, ${text.length} characters`);
}
