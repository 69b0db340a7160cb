import { CUES, type Cues } from "./cues.ts";

/**
 * A vocabulary of the mention gates, in the languages that models use most. A phrase matches whole words of a
 * lower-case sentence without punctuation. Phrases in scripts without spaces match anywhere in it.
 */
export interface Vocabulary {
  readonly unspaced: readonly string[];
}

/**
 * The phrases of all vocabularies in spaced scripts, each with a trailing space, by the hash of their first one or two
 * words.
 */
const SPACED = new Map<number, { readonly phrase: string; readonly vocabulary: Vocabulary }[]>();
/** A prefilter on the low bits of the hashes: most words do not begin a phrase. */
const BEGINS = new Uint8Array(1 << 15);
const LAST_BITS = BEGINS.length - 1;

/** Scripts that do not separate words with spaces. */
const FIRST_UNSPACED = 0xe00;
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

function vocabulary(...cues: readonly (keyof Cues)[]): Vocabulary {
  const unspaced: string[] = [];
  const own: Vocabulary = { unspaced };
  for (const phrase of cues.flatMap(phrasesOf)) {
    if (UNSPACED.test(phrase)) unspaced.push(phrase);
    else {
      const hash = phrase.split(" ", 2).map(hashOf).reduce(joinHashes);
      BEGINS[hash & LAST_BITS] = 1;
      SPACED.set(hash, [...(SPACED.get(hash) ?? []), { phrase: `${phrase} `, vocabulary: own }]);
    }
  }
  return own;
}

/** The phrases of a cue in all languages. */
export function phrasesOf(cue: keyof Cues): readonly string[] {
  const lists = Object.values(CUES).flatMap((cues) => cues[cue]?.split(",") ?? []);
  return [...new Set(lists.map((phrase) => phrase.trim()))];
}

/** The words of a cue that are compared with single words, not searched for in a sentence. */
export function wordsOf(...cues: readonly (keyof Cues)[]): ReadonlySet<string> {
  return new Set(cues.flatMap(phrasesOf));
}

function addToHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = addToHash(hash, word.charCodeAt(i));
  return hash;
}

function joinHashes(first: number, second: number): number {
  return addToHash(Math.imul(first, 8191), second);
}

/** Whether a plain sentence (see `plainWords`) contains a word or phrase of the vocabulary. */
export function mentions(sentence: string, words: Vocabulary): boolean {
  return lastMention(sentence, words) !== -1;
}

/** Position of the space before the last phrase of the vocabulary in a plain sentence, or -1. */
export function lastMention(sentence: string, vocabulary: Vocabulary): number {
  if (sentence !== latestMatches.sentence) latestMatches = matchVocabularies(sentence);
  return lastIn(latestMatches, vocabulary);
}

/** Whether the first `count` words of a plain sentence contain a word or phrase of the vocabulary. */
export function mentionsEarly(sentence: string, count: number, vocabulary: Vocabulary): boolean {
  let end = -1;
  for (let blanks = 0; blanks <= count; blanks++) {
    end = sentence.indexOf(" ", end + 1);
    if (end === -1) return mentions(sentence, vocabulary);
  }
  return lastIn(matchVocabularies(sentence.slice(0, end + 1)), vocabulary) !== -1;
}

function lastIn({ sentence, spaced, hasUnspaced }: SentenceMatches, vocabulary: Vocabulary): number {
  const last = spaced.get(vocabulary) ?? -1;
  if (!hasUnspaced) return last;
  return vocabulary.unspaced.reduce((best, phrase) => Math.max(best, sentence.lastIndexOf(phrase)), last);
}

/** All vocabulary matches of one sentence. */
interface SentenceMatches {
  readonly sentence: string;
  /** Position of the last matching phrase, by vocabulary. */
  readonly spaced: ReadonlyMap<Vocabulary, number>;
  readonly hasUnspaced: boolean;
}

/** Caches the latest sentence, because the gates query a dozen vocabularies in a row. */
let latestMatches = matchVocabularies("");

/** Matches a sentence against all vocabularies in one pass, without copying words. */
function matchVocabularies(sentence: string): SentenceMatches {
  const spaced = new Map<Vocabulary, number>();
  const matchAt = (hash: number, blank: number): void => {
    if (BEGINS[hash & LAST_BITS] === 0) return;
    const phrases = SPACED.get(hash);
    if (phrases === undefined) return;
    for (const { phrase, vocabulary } of phrases)
      if (sentence.startsWith(phrase, blank + 1)) spaced.set(vocabulary, blank);
  };
  /** `word` and `last` are the hashes of the current and the last word; `blank` and `earlier` the spaces before them. */
  let word = 0;
  let last = 0;
  let blank = 0;
  let earlier = -1;
  /** All bits of all characters: a script beyond the spaced ones sets a high one. */
  let bits = sentence.codePointAt(0) ?? 0;
  for (let i = 1; i < sentence.length; i++) {
    const code = sentence.charCodeAt(i);
    bits |= code;
    if (code !== 32) {
      word = addToHash(word, code);
      continue;
    }
    // The later position must be set last, because it overwrites the earlier one.
    if (earlier !== -1) matchAt(joinHashes(last, word), earlier);
    matchAt(word, blank);
    last = word;
    word = 0;
    earlier = blank;
    blank = i;
  }
  return { sentence, spaced, hasUnspaced: bits >= FIRST_UNSPACED && UNSPACED.test(sentence) };
}

// What each of them is for is documented in `Cues`.
export const SPECIMEN = vocabulary("specimen");
export const GENERAL = vocabulary("general");
export const REPORT = vocabulary("report");
export const NEGATION = vocabulary("negation", "prohibition", "refusal");
export const PROHIBITION = vocabulary("prohibition");
export const REFUSAL = vocabulary("refusal");
export const RETRACTION = vocabulary("retraction");
export const REFERENCE = vocabulary("reference");
export const CALL_NAME = vocabulary("callName");
export const BACK_REFERENCE = vocabulary("backReference");
export const ACTING = vocabulary("acting");
export const FIRST_PERSON = vocabulary("firstPerson");
export const ANNOUNCEMENT = vocabulary("announcement");
export const EXPLAINING = vocabulary("explaining");
export const EXPLAINED = vocabulary("explained");
export const CONDITION = vocabulary("condition");
export const CONSENT = vocabulary("consent");
export const CALL_PART = vocabulary("callPart");
export const QUESTION = vocabulary("question");
