import type { ParsedPrompt, Sentence } from "./parse-prompt.ts";
import { WEIGHTS } from "./weights.ts";
import { WORKFLOWS } from "./workflow.ts";

/** What each word feature counts for each workflow, in the order of {@link WORKFLOWS}. */
export interface LearnedWeights {
  readonly bias: readonly number[];
  readonly byFeature: ReadonlyMap<string, readonly number[]>;
}

/** Weights are written as one letter per workflow; the middle letter is 0. */
export const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY";
export const ZERO_LETTER = 25;
/** Value of one letter. */
export const LETTER_STEP = 0.08;

let shipped: LearnedWeights | undefined;

/** The weights in `weights.ts`, parsed at the first prompt. */
export function shippedWeights(): LearnedWeights {
  shipped ??= parseWeights(WEIGHTS);
  return shipped;
}

/** Parses lines of one letter per workflow and the feature; the feature of the first line is empty: the bias. */
export function parseWeights(text: string): LearnedWeights {
  const byFeature = new Map<string, readonly number[]>();
  for (const line of text.trim().split("\n")) {
    const letters = line.slice(0, WORKFLOWS.length);
    byFeature.set(
      line.slice(WORKFLOWS.length),
      Array.from(letters, (letter) => (LETTERS.indexOf(letter) - ZERO_LETTER) * LETTER_STEP),
    );
  }
  return { bias: byFeature.get("") ?? WORKFLOWS.map(() => 0), byFeature };
}

/** Scores each workflow by the words of a prompt, in the order of {@link WORKFLOWS}. */
export function scoreWords(parsed: ParsedPrompt, { bias, byFeature }: LearnedWeights): readonly number[] {
  const scores = [...bias];
  for (const [feature, amount] of featuresOf(parsed)) {
    const weights = byFeature.get(feature);
    if (weights === undefined) continue;
    for (const [at, weight] of weights.entries()) scores[at] = (scores[at] ?? 0) + weight * amount;
  }
  return scores;
}

/** Every prompt has features of this total length, so that a long one does not count more than a short one. */
const LENGTH = 3;
const LATER = 0.6;
const ITEM = 0.3;
/** Word starts serve as word stems. */
const STARTS = [3, 4, 5, 6];
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/**
 * The features of a prompt: kinds of pasted text, mood, length; and of each sentence its main verb (`l:`), pairs of
 * words (`b:`), words (`w:`), their starts (`p:`) and endings (`s:`).
 */
export function featuresOf({ sentences, pasted }: ParsedPrompt): ReadonlyMap<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string, amount: number): void => {
    features.set(feature, Math.max(features.get(feature) ?? 0, amount));
  };
  for (const kind of pasted) add(`paste:${kind}`, 1);
  const [first] = sentences;
  if (first !== undefined) {
    add(`mood:${first.mood}`, 1.5);
    add(`f:${first.words[0]}`, 1);
  }
  sentences.forEach((sentence, at) => {
    addSentence(sentence, at === 0 ? 1 : sentence.item ? ITEM : LATER, add);
  });
  add(`length:${lengthOf(sentences)}`, 1);
  const length = Math.sqrt([...features.values()].reduce((sum, amount) => sum + amount * amount, 0));
  for (const [feature, amount] of features) features.set(feature, (LENGTH * amount) / length);
  return features;
}

function addSentence({ words, lead }: Sentence, part: number, add: (feature: string, amount: number) => void): void {
  add(`l:${words[lead]}`, 1.5 * part);
  add(`l:${words[lead]} ${words[lead + 1] ?? ""}`, part);
  for (const [at, word] of words.entries()) {
    add(`w:${word}`, part);
    if (at > 0) add(`b:${words[at - 1]} ${word}`, 0.7 * part);
    for (const size of STARTS) if (word.length > size) add(`p:${word.slice(0, size)}`, 0.6 * part);
    if (word.length > 4) add(`s:${word.slice(-3)}`, 0.3 * part);
    if (!UNSPACED.test(word)) continue;
    for (let from = 0; from < word.length; from += 1) add(`w:${word.slice(from, from + 2)}`, part);
  }
}

const LENGTHS = [2, 5, 12, 40];

function lengthOf(sentences: readonly Sentence[]): string {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
  return String(LENGTHS.find((most) => words <= most) ?? "more");
}
