import type { TextWindow } from "../text/text-window.ts";
import { addFacts } from "./facts.ts";
import { collectFeatures, createFeatures, FEATURE_BITS, type WordingContext } from "./features.ts";
import { BIAS, CALIBRATION, SCALE, WEIGHTS } from "./weights.ts";

/** A word or a sequence of words from the text that speaks for a failure. */
export interface Gram {
  readonly at: number;
  readonly words: string;
}

/** How likely the wording of a result reports a failure. */
export interface WordingScore {
  readonly kind: "wording-score";
  /** 0 to 1, calibrated on texts that were left out of the training. */
  readonly probability: number;
  /** The three strongest sequences of words; only of results above {@link WORTH_EXPLAINING}. */
  readonly grams: readonly Gram[];
}

const features = createFeatures();
let decoded: Int8Array | undefined;

function weights(): Int8Array {
  decoded ??= decode(WEIGHTS);
  return decoded;
}

/** Decodes base64. Written out, because the core uses no platform functions. */
function decode(text: string): Int8Array {
  const values = new Int8Array(1 << FEATURE_BITS);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let bits = 0;
  let held = 0;
  let count = 0;
  for (const letter of text) {
    held = (held << 6) | alphabet.indexOf(letter);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      values[count] = (held >> bits) & 255;
      count += 1;
      held &= (1 << bits) - 1;
    }
  }
  return values;
}

/** Below this, words alone make a failure so unlikely that the lines are not examined. */
const WORDS_ALONE_OK = -1;

const NO_FAILURE: WordingScore = { kind: "wording-score", probability: 0.02, grams: [] };

const WORTH_EXPLAINING = 0.3;
const GRAMS = 3;
/** Shorter sequences are signs and particles, which explain nothing to a reader. */
const MIN_GRAM = 4;

/** Scores the wording of a text. Linear in the part that is read, which is bounded. */
export function scoreWording(window: TextWindow, context: WordingContext): WordingScore {
  collectFeatures(features, window.text, window.start, window.end, context);
  const words = features.count;
  const table = weights();
  let sum = 0;
  for (let index = 0; index < words; index += 1) {
    sum += table[features.ids[index] as number] as number;
  }
  if ((sum * SCALE) / Math.sqrt(words) + BIAS < WORDS_ALONE_OK) {
    return NO_FAILURE;
  }
  if (!addFacts(features, window, context)) {
    return NO_FAILURE;
  }
  for (let index = words; index < features.count; index += 1) {
    sum += table[features.ids[index] as number] as number;
  }
  const probability = calibrated((sum * SCALE) / Math.sqrt(features.count) + BIAS);
  return {
    kind: "wording-score",
    probability,
    grams: probability < WORTH_EXPLAINING ? [] : strongestGrams(window.text, words, table),
  };
}

/** Converts a score to a probability with two decimals, so that it is the same on every platform. */
function calibrated(score: number): number {
  const [slope, shift] = CALIBRATION;
  return Math.round(100 / (1 + Math.exp(-(slope * score + shift)))) / 100;
}

/** Returns the strongest sequences that do not overlap, cut from the text. */
function strongestGrams(text: string, words: number, table: Int8Array): readonly Gram[] {
  const taken: { start: number; end: number }[] = [];
  while (taken.length < GRAMS) {
    let best = -1;
    let bestWeight = 0;
    for (let index = 0; index < words; index += 1) {
      const weight = table[features.ids[index] as number] as number;
      const start = features.starts[index] as number;
      const end = features.ends[index] as number;
      if (
        weight > bestWeight &&
        start >= 0 &&
        end - start >= MIN_GRAM &&
        !taken.some((one) => start < one.end && end > one.start)
      ) {
        best = index;
        bestWeight = weight;
      }
    }
    if (best === -1) {
      break;
    }
    taken.push({ start: features.starts[best] as number, end: features.ends[best] as number });
  }
  return taken.map(({ start, end }) => ({ at: start, words: text.slice(start, wordEnd(text, end)) }));
}

/** A feature may be the beginning of a word; a reader wants the whole word. */
function wordEnd(text: string, from: number): number {
  let end = from;
  while (
    end < text.length &&
    end < from + 40 &&
    /[\p{L}]/u.test(text[end] ?? "") &&
    /[\p{L}]/u.test(text[end - 1] ?? "")
  ) {
    end += 1;
  }
  return end;
}
