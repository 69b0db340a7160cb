/**
 * Trains the wording model of the detector and writes `src/core/detect/wording/weights.ts`:
 * `node scripts/train-detect.ts --lab ROWS.jsonl [--quick]`. The training set is the rows of the laboratory
 * (`scripts/lab`), the fixtures in `test/fixtures/detect`, and the project's own files at a fixed commit as ordinary
 * texts. The seed is fixed, so that the same rows give the same weights. `--quick` keeps the present calibration instead
 * of measuring left-out groups.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { encodeWeights, MAX_WEIGHT } from "../src/core/detect/wording/model.ts";
import { CALIBRATION } from "../src/core/detect/wording/weights.ts";
import {
  areaExamples,
  fixtureExamples,
  type LabRow,
  labExamples,
  measureLeftOut,
  ownExamples,
  readRows,
  TRAINING,
  trainModel,
} from "./detect-training.ts";

const FEW = 0.998;

const { values } = parseArgs({
  options: {
    lab: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    fresh: { type: "string", multiple: true, default: [] },
  },
});

const examples = [
  ...values.lab.flatMap((path) => labExamples(readRows<LabRow>(path))),
  ...fixtureExamples(),
  ...areaExamples(),
  ...ownExamples(),
];
const [slope, shift] = values.quick ? CALIBRATION : measureLeftOut(examples);
const { weights, bias } = trainModel(examples, TRAINING);
const scale = largest(weights) / MAX_WEIGHT;
const units = Array.from(weights, (weight) => Math.max(-MAX_WEIGHT, Math.min(MAX_WEIGHT, Math.round(weight / scale))));
const text = encodeWeights(units);
writeFileSync(
  new URL("../src/core/detect/wording/weights.ts", import.meta.url),
  `/** Written by scripts/train-detect.ts; do not edit. */

/** Value of one unit of a weight. */
export const SCALE = ${Number(scale.toPrecision(6))};
export const BIAS = ${Number(bias.toPrecision(6))};
/** Slope and shift of the logistic curve that turns a score into a probability. */
export const CALIBRATION: readonly [number, number] = [${slope}, ${shift}];
/** See encodeWeights. */
export const WEIGHTS: string =
  "${text}";
`,
);
console.log(
  `${examples.length} examples, ${units.filter((unit) => unit !== 0).length} weights, ${text.length} letters`,
);

/** The size that few weights exceed: those are cut, so that the steps between the others are smaller. */
function largest(values: Float64Array): number {
  const sizes = values
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort();
  return sizes[Math.floor(sizes.length * FEW)] ?? 1;
}
