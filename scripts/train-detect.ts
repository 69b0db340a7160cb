/**
 * Trains the wording model of the detector and writes `src/core/detect/wording/weights.ts`:
 * `node scripts/train-detect.ts --lab ROWS.jsonl [--quick]`. The training set is the rows of the laboratory
 * (`scripts/lab`), the fixtures in `test/fixtures/detect`, and the project's own files at a fixed commit as ordinary
 * texts. The seed is fixed, so that the same rows give the same weights. `--quick` keeps the present calibration instead
 * of measuring left-out groups.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { CALIBRATION } from "../src/core/detect/wording/weights.ts";
import {
  fixtureExamples,
  type LabRow,
  labExamples,
  measureLeftOut,
  ownExamples,
  readRows,
  TRAINING,
  trainModel,
} from "./detect-training.ts";

const { values } = parseArgs({
  options: { lab: { type: "string", multiple: true, default: [] }, quick: { type: "boolean", default: false } },
});

const examples = [
  ...values.lab.flatMap((path) => labExamples(readRows<LabRow>(path))),
  ...fixtureExamples(),
  ...ownExamples(),
];
const [slope, shift] = values.quick ? CALIBRATION : measureLeftOut(examples);
const { weights, bias } = trainModel(examples, TRAINING);
const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
const bytes = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / scale)).buffer);
writeFileSync(
  new URL("../src/core/detect/wording/weights.ts", import.meta.url),
  `/** Written by scripts/train-detect.ts; do not edit. */

/** Value of one unit of a weight. */
export const SCALE = ${Number(scale.toPrecision(6))};
export const BIAS = ${Number(bias.toPrecision(6))};
/** Slope and shift of the logistic curve that turns a score into a probability. */
export const CALIBRATION: readonly [number, number] = [${slope}, ${shift}];
/** One signed byte per feature, in base64. */
export const WEIGHTS: string =
  "${bytes.toString("base64").replaceAll("=", "")}";
`,
);
console.log(`${examples.length} examples, ${bytes.length} weights`);
