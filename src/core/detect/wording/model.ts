import type { TextWindow } from "../text/text-window.ts";
import { addFacts } from "./facts.ts";
import { collectFeatures, createFeatures, type WordingContext } from "./features.ts";
import { BIAS, CALIBRATION, SCALE, WEIGHTS } from "./weights.ts";

/** A phrase of the text that speaks for a failure: the line around the deciding words, or a part of a long one. */
export interface Gram {
  readonly at: number;
  readonly words: string;
}

/** How likely the wording of a result reports a failure. */
export interface WordingScore {
  readonly kind: "wording-score";
  /** 0 to 1, calibrated on texts that were left out of the training. */
  readonly probability: number;
  /** The three strongest phrases; only of results above {@link WORTH_EXPLAINING}. */
  readonly grams: readonly Gram[];
}

const features = createFeatures();
let decoded: Int8Array | undefined;

function weights(): Int8Array {
  decoded ??= decode(WEIGHTS);
  return decoded;
}

/** One character for each weight, as in base64. */
export const WEIGHT_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function decode(text: string): Int8Array {
  const byCode = new Int8Array(128);
  for (let index = 0; index < WEIGHT_LETTERS.length; index += 1) {
    byCode[WEIGHT_LETTERS.charCodeAt(index)] = index - MAX_WEIGHT;
  }
  const values = new Int8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    values[index] = byCode[text.charCodeAt(index)] as number;
  }
  return values;
}

/** Weights are whole numbers from minus this to this. */
export const MAX_WEIGHT = 31;

/** Below this, words alone make a failure so unlikely that the lines are not examined. */
const WORDS_ALONE_OK = -1;

const NO_FAILURE: WordingScore = { kind: "wording-score", probability: 0.02, grams: [] };

/** Below this, no result is called a failure or unsure. */
const WORTH_EXPLAINING = 0.4;
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
    grams: probability < WORTH_EXPLAINING ? [] : strongestGrams(window, words, table),
  };
}

/** Converts a score to a probability with two decimals, so that it is the same on every platform. */
function calibrated(score: number): number {
  const [slope, shift] = CALIBRATION;
  return Math.round(100 / (1 + Math.exp(-(slope * score + shift)))) / 100;
}

/** Returns the phrases around the strongest sequences; a phrase counts once. */
function strongestGrams(window: TextWindow, words: number, table: Int8Array): readonly Gram[] {
  const { ids, starts, ends } = features;
  const candidates: number[] = [];
  for (let index = 0; index < words; index += 1) {
    const start = starts[index] as number;
    if ((table[ids[index] as number] as number) > 0 && start >= 0 && (ends[index] as number) - start >= MIN_GRAM) {
      candidates.push(index);
    }
  }
  const taken: Gram[] = [];
  while (taken.length < GRAMS) {
    let best = -1;
    let bestWeight = 0;
    for (const index of candidates) {
      const weight = table[ids[index] as number] as number;
      if (weight > bestWeight && !overlaps(starts[index] as number, ends[index] as number, taken)) {
        best = index;
        bestWeight = weight;
      }
    }
    if (best === -1) {
      break;
    }
    taken.push(phraseAround(window, starts[best] as number, ends[best] as number));
  }
  return taken;
}

function overlaps(start: number, end: number, taken: readonly Gram[]): boolean {
  return taken.some(({ at, words }) => start < at + words.length && end > at);
}

/** Longest phrase in characters, and how much of it precedes the deciding words in a longer line. */
const MAX_PHRASE = 120;
const PHRASE_LEAD = 40;

/** Two words such as "or directory" explain little: returns their line, or whole words around them if it is long. */
function phraseAround({ text, start, end }: TextWindow, from: number, to: number): Gram {
  let hit = from;
  while (hit < to - 1 && text.charCodeAt(hit) <= 32) {
    hit += 1;
  }
  const head = text.slice(Math.max(start, hit - MAX_PHRASE), hit);
  const tail = text.slice(hit, Math.min(end, hit + MAX_PHRASE));
  const lead = head.slice(head.lastIndexOf("\n") + 1);
  const newline = tail.indexOf("\n");
  const rest = newline === -1 ? tail : tail.slice(0, newline);
  const isWhole = lead.length + rest.length <= MAX_PHRASE;
  const shortLead = isWhole || lead.length <= PHRASE_LEAD ? lead : fromWord(lead.slice(-PHRASE_LEAD));
  const room = MAX_PHRASE - shortLead.length;
  const before = shortLead.trimStart();
  const after = rest.length <= room ? rest : toWord(rest.slice(0, room));
  // The deciding words may end beyond their line; the phrase covers at least their first one.
  return { at: hit - before.length, words: (before + after).trimEnd() };
}

function fromWord(text: string): string {
  return text.slice(text.indexOf(" ") + 1);
}

function toWord(text: string): string {
  const blank = text.lastIndexOf(" ");
  return blank <= 0 ? text : text.slice(0, blank);
}
