import type { TextWindow } from "../text/text-window.ts";
import { addFacts } from "./facts.ts";
import { collectFeatures, createFeatures, FEATURE_BITS, type WordingContext } from "./features.ts";
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
  decoded ??= decodeWeights(WEIGHTS);
  return decoded;
}

/** The letters of base64, each with a value of six bits. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Weights are whole numbers from minus this to this. */
export const MAX_WEIGHT = 31;

/** A letter for this many features without a weight; the distance to the next weight goes on behind it. */
const LONG_GAP = LETTERS.length - 1;

/** Writes each weight that is not 0 as its distance from the one before it and its value: most features have none. */
export function encodeWeights(values: ArrayLike<number>): string {
  let text = "";
  let next = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (value !== 0) {
      const gap = index - next;
      text += LETTERS.charAt(LONG_GAP).repeat(Math.floor(gap / LONG_GAP));
      text += LETTERS.charAt(gap % LONG_GAP) + LETTERS.charAt(value + MAX_WEIGHT);
      next = index + 1;
    }
  }
  return text;
}

export function decodeWeights(text: string): Int8Array {
  const byCode = new Uint8Array(128);
  for (let value = 0; value < LETTERS.length; value += 1) {
    byCode[LETTERS.charCodeAt(value)] = value;
  }
  const values = new Int8Array(1 << FEATURE_BITS);
  let next = 0;
  for (let at = 0; at < text.length; at += 1) {
    const gap = byCode[text.charCodeAt(at)] as number;
    next += gap;
    if (gap !== LONG_GAP) {
      at += 1;
      values[next] = (byCode[text.charCodeAt(at)] as number) - MAX_WEIGHT;
      next += 1;
    }
  }
  return values;
}

/** Below this, words alone make a failure so unlikely that the lines are not examined. */
const WORDS_ALONE_OK = -2;

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
