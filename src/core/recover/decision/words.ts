import { CUES, type PhraseCues, type WordCues } from "./cues.ts";

/**
 * A cue that is searched for in lower-case sentences without punctuation. Phrases match whole words; those in scripts
 * without spaces match anywhere.
 */
type PhraseCue = keyof PhraseCues;

/** The phrases in spaced scripts, each with a trailing space, by their first word. */
const SPACED = new Map<string, { readonly phrase: string; readonly cue: PhraseCue }[]>();
const UNSPACED = new Map<PhraseCue, string[]>();
/** Scripts that do not separate words with spaces. */
const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** Makes the phrases of a cue searchable, or those of another one count for it, too. */
function index(cue: PhraseCue, from: PhraseCue = cue): void {
  for (const phrase of phrasesOf(from)) {
    if (UNSPACED_SCRIPT.test(phrase)) UNSPACED.set(cue, [...(UNSPACED.get(cue) ?? []), phrase]);
    else {
      const [first = ""] = phrase.split(" ", 1);
      SPACED.set(first, [...(SPACED.get(first) ?? []), { phrase: `${phrase} `, cue }]);
    }
  }
}

/** The phrases of a cue in all languages. */
function phrasesOf(cue: PhraseCue | keyof WordCues): readonly string[] {
  const lists = Object.values(CUES).flatMap((cues) => cues[cue]?.split(",") ?? []);
  return [...new Set(lists.map((phrase) => phrase.trim()))];
}

/** The words of one or more cues in all languages. */
export function wordsOf(...cues: readonly (keyof WordCues)[]): ReadonlySet<string> {
  return new Set(cues.flatMap(phrasesOf));
}

/** Whether a plain sentence (see `plainWords`) contains a word or phrase of the cue. */
export function mentions(sentence: string, cue: PhraseCue): boolean {
  return lastMention(sentence, cue) !== -1;
}

/** Position of the space before the last phrase of the cue in a plain sentence, or -1. */
export function lastMention(sentence: string, cue: PhraseCue): number {
  if (sentence !== latestMatches.sentence) latestMatches = matchCues(sentence);
  return lastIn(latestMatches, cue);
}

/** Whether the first `count` words of a plain sentence contain a word or phrase of the cue. */
export function mentionsEarly(sentence: string, count: number, cue: PhraseCue): boolean {
  let end = -1;
  for (let blanks = 0; blanks <= count; blanks++) {
    end = sentence.indexOf(" ", end + 1);
    if (end === -1) return mentions(sentence, cue);
  }
  return lastIn(matchCues(sentence.slice(0, end + 1)), cue) !== -1;
}

function lastIn({ sentence, spaced, hasUnspaced }: SentenceMatches, cue: PhraseCue): number {
  const last = spaced.get(cue) ?? -1;
  if (!hasUnspaced) return last;
  return (UNSPACED.get(cue) ?? []).reduce((best, phrase) => Math.max(best, sentence.lastIndexOf(phrase)), last);
}

/** All cues of one sentence. */
interface SentenceMatches {
  readonly sentence: string;
  /** Position of the last matching phrase, by cue. */
  readonly spaced: ReadonlyMap<PhraseCue, number>;
  readonly hasUnspaced: boolean;
}

/** Caches the latest sentence, because the gates query a dozen cues in a row. */
let latestMatches = matchCues("");

/** Matches a sentence against all cues in one pass. */
function matchCues(sentence: string): SentenceMatches {
  const spaced = new Map<PhraseCue, number>();
  for (let blank = 0, end = sentence.indexOf(" ", 1); end !== -1; blank = end, end = sentence.indexOf(" ", end + 1)) {
    const phrases = SPACED.get(sentence.slice(blank + 1, end));
    if (phrases === undefined) continue;
    // The later position overwrites the earlier one.
    for (const { phrase, cue } of phrases) if (sentence.startsWith(phrase, blank + 1)) spaced.set(cue, blank);
  }
  return { sentence, spaced, hasUnspaced: UNSPACED_SCRIPT.test(sentence) };
}

/** A record, so that the compiler notices when one is missing. All other cues are searched for. */
const WORD_CUES: Readonly<Record<keyof WordCues, true>> = {
  ...{ openEnd: true, conditional: true, closing: true, interjection: true, order: true, noAction: true },
  ...{ aboutCall: true, caption: true, glue: true, objectEnd: true, choice: true, join: true, thought: true },
};
const USED_CUES = new Set(Object.values(CUES).flatMap((cues) => Object.keys(cues) as (keyof typeof cues)[]));
for (const cue of USED_CUES) if (!(cue in WORD_CUES)) index(cue as PhraseCue);
index("negation", "prohibition");
index("negation", "refusal");
