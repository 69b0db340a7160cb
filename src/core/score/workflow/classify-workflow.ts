import { isOneOf, present } from "../../model/narrow.ts";
import { type LearnedWeights, scoreWords, shippedWeights } from "./learned.ts";
import { type ParsedPrompt, parsePrompt, type Sentence } from "./parse-prompt.ts";
import { LEADS, MENTIONS, MOODS, PARTS, PASTES, REPLIES } from "./rules.ts";
import { WORKFLOWS, type Workflow } from "./workflow.ts";

export interface WorkflowMatch {
  readonly workflow: Workflow;
  /**
   * The rule with the highest weight: `lead:fix`, `mention:unit test`, `part:修复`, `paste:trace`, `mood:statement`,
   * `reply`; `words` if only the learned weights decided, or `none`.
   */
  readonly rule: string;
  /** 0 to 1: the share of the workflow among all, by their scores. */
  readonly confidence: number;
}

/** Weight of the rules relative to the learned weights, whatever their sum. */
const RULES_SHARE = 3;
/** Rules with a lower sum count less. */
const HIGH_SCORE = 4;
/** Divides scores for the confidence, so that it is rather too low than too high (measured on held-out prompts). */
const CAUTION = 1.4;
/** Below this confidence, learned words alone decide nothing. */
const MIN_CONFIDENCE = 0.25;
const MAX_REPLY_WORDS = 6;
const NOTHING_KNOWN: WorkflowMatch = { workflow: "other", rule: "none", confidence: 0.3 };

interface Weights {
  readonly lead: number;
  readonly mention: number;
}

/** The first sentence has the highest weight. An order that ends a description is the actual request. */
const FIRST: Weights = { lead: 1, mention: 1 };
/** A question before an order: "why is it red? rerun it". */
const ASKED: Weights = { lead: 0.4, mention: 0.6 };
const CLAUSE: Weights = { lead: 0.6, mention: 0.75 };
const LATER: Weights = { lead: 0.75, mention: 0.5 };
const LAST: Weights = { lead: 1, mention: 0.6 };
const ITEM: Weights = { lead: 0.3, mention: 0.25 };
/** The second verb in "look at it and fix it", if its own weight is high. */
const SECOND = { lead: 0.7, least: 3 };

/** Phrases are indexed by this many letters of their first word. */
const PREFIX = 3;

const leads = indexPhrases(parseTable(LEADS));
const mentions = indexPhrases(parseTable(MENTIONS));
const parts = parseTable(PARTS);
const byName = (table: string): ReadonlyMap<string, Phrase> =>
  new Map(parseTable(table).map((phrase) => [phrase.name, phrase]));
const moods = byName(MOODS);
const pastes = byName(PASTES);
const replies = new Set(REPLIES.split(" "));

/**
 * Classifies what a prompt asks for by the phrases in `rules.ts` and the learned weights of its words, in linear time;
 * see docs/workflow.md.
 *
 * @example
 * classifyWorkflow("Fix the crash when the cart is empty"); // { workflow: "bug_fix", rule: "lead:fix", confidence:
 * 0.99 }
 */
export function classifyWorkflow(prompt: string): WorkflowMatch {
  return classifyWith(prompt, shippedWeights());
}

/** {@link classifyWorkflow} with other learned weights, to measure them. */
export function classifyWith(prompt: string, weights: LearnedWeights): WorkflowMatch {
  const parsed = parsePrompt(prompt);
  if (isReply(parsed)) return { workflow: "other", rule: "reply", confidence: 0.9 };
  const { sentences, pasted, prose } = parsed;
  if (sentences.length === 0 && pasted.size === 0) return NOTHING_KNOWN;
  const tally = new Tally();
  sentences.forEach((sentence, at) => {
    scoreSentence(sentence, weightsOf(sentences, at), tally);
  });
  const [first] = sentences;
  if (first !== undefined && first.words.length > 2) {
    const mood = isReport(first) ? "statement" : first.mood;
    if (!isAnsweredByOrder(sentences)) tally.add(moods.get(mood), `mood:${mood}`);
  }
  for (const kind of pasted) tally.add(pastes.get(kind), `paste:${kind}`);
  for (const part of parts) if (prose.includes(part.name)) tally.add(part, `part:${part.name}`);
  return tally.match(scoreWords(parsed, weights));
}

function isReply({ sentences, pasted }: ParsedPrompt): boolean {
  if (pasted.size > 0) return false;
  const words = sentences.flatMap((sentence) => sentence.words);
  return words.length <= MAX_REPLY_WORDS && words.every((word) => replies.has(word) || /^\d+$/.test(word));
}

function weightsOf(sentences: readonly Sentence[], at: number): Weights {
  const { clause, item, mood } = present(sentences[at]);
  if (at === 0) return isAnsweredByOrder(sentences) ? ASKED : FIRST;
  if (item) return ITEM;
  if (clause) return CLAUSE;
  const ending = at === sentences.length - 1 && mood === "order" && sentences[0]?.mood !== "order";
  return ending ? LAST : LATER;
}

/** Whether the first sentence asks a question and a later one is an order about it. */
function isAnsweredByOrder(sentences: readonly Sentence[]): boolean {
  if (sentences[0]?.mood !== "question") return false;
  return sentences.some(({ clause, item, mood, words, lead }, at) => {
    if (at === 0 || clause || item || mood !== "order") return false;
    const phrase = longestAt(leads, words, lead);
    return phrase !== undefined && phrase.workflow !== "exploration" && phrase.workflow !== "other";
  });
}

/** "login page just spins": starts without a verb of an order, and contains a verb of a report. */
function isReport({ words, lead, mood }: Sentence): boolean {
  if (mood !== "order" || longestAt(leads, words, lead) !== undefined) return false;
  return words.slice(lead + 1, lead + 1 + MAX_REPORT_WORDS).some((word) => REPORT_VERBS.has(word));
}

function scoreSentence({ words, lead }: Sentence, weights: Weights, tally: Tally): void {
  const leadPhrase = longestAt(leads, words, lead);
  // Thanks after a request are not the request.
  if (leadPhrase?.workflow !== "other" || weights === FIRST)
    tally.add(leadPhrase, `lead:${leadPhrase?.name}`, weights.lead);
  const detail = detailOf(words, lead);
  for (let at = 0; at < words.length; at += 1) {
    const second = at > lead && JOINS.has(words[at]) ? longestAt(leads, words, at + 1) : undefined;
    if (second !== undefined && second.weight >= SECOND.least)
      tally.add(second, `lead:${second.name}`, weights.lead * SECOND.lead);
    const found = longestAt(mentions, words, at);
    if (found === undefined || isNegated(words, at)) continue;
    const end = at + found.words.length;
    const factor = (at > detail ? DETAIL : 1) * (isModifier(found, words[end]) ? MODIFIER : 1);
    tally.add(found, `mention:${found.name}`, weights.mention * factor);
    at = end - 1;
  }
}

/** "add a changelog entry *for* the crash fix": what follows describes the occasion, not the work. */
const DETAILS: ReadonlySet<string> = new Set(
  "for about after before since until while above below für pour para".split(" "),
);
const MAKING: ReadonlySet<string | undefined> = new Set(
  "add write create make update rewrite generate implement build integrate document remove send show".split(" "),
);
const RELATIVES: ReadonlySet<string> = new Set("that which who when where whenever".split(" "));
const DETAIL = 0.5;

/** The index of the first word that starts a detail. */
function detailOf(words: readonly string[], lead: number): number {
  const isMaking = MAKING.has(words[lead]);
  const at = words.findIndex((word, at) => at > lead && (DETAILS.has(word) || (isMaking && RELATIVES.has(word))));
  return at === -1 ? words.length : at;
}

/** "bug tracker", "review tool", "deploy script": the second word is what the sentence is about. */
const HEADS: ReadonlySet<string | undefined> = new Set(
  (
    "tool tools tracker helper helpers mode script scripts page pages endpoint button folder class classes service channel column " +
    "field table command commands flow system board bot app form dialog list file files module component team status screen " +
    "tab panel message messages banner handler reporter manager view queue user users customer"
  ).split(" "),
);
const MODIFIER = 0.35;

function isModifier({ words }: Phrase, next: string | undefined): boolean {
  return words.length === 1 && HEADS.has(next);
}

const MAX_REPORT_WORDS = 12;
const REPORT_VERBS: ReadonlySet<string> = new Set(
  (
    "is are was were isn't aren't wasn't doesn't don't didn't won't can't keeps gets got goes seems looks shows throws fails takes " +
    "stays spins stopped started broke resets just never returns ends comes becomes has hangs loads opens ist sind est sont está"
  ).split(" "),
);

const JOINS: ReadonlySet<string | undefined> = new Set(["and", "then", "und", "y", "et"]);
const NEGATIONS: ReadonlySet<string | undefined> = new Set(["don't", "dont", "not", "without", "never", "no"]);

/** "don't fix it yet", "not a bug". */
function isNegated(words: readonly string[], at: number): boolean {
  return NEGATIONS.has(words[at - 1]);
}

class Tally {
  readonly #scores = new Map<Workflow, number>();
  readonly #best = new Map<Workflow, { readonly weight: number; readonly rule: string }>();

  add(found: Pick<Phrase, "workflow" | "weight"> | undefined, rule: string, factor = 1): void {
    if (found === undefined) return;
    const { workflow } = found;
    const weight = found.weight * factor;
    this.#scores.set(workflow, (this.#scores.get(workflow) ?? 0) + weight);
    if (weight > (this.#best.get(workflow)?.weight ?? 0)) this.#best.set(workflow, { weight, rule });
  }

  match(learned: readonly number[]): WorkflowMatch {
    const high = Math.max(HIGH_SCORE, ...this.#scores.values());
    const totals = WORKFLOWS.map(
      (workflow, at) => (learned[at] ?? 0) + (RULES_SHARE * (this.#scores.get(workflow) ?? 0)) / high,
    );
    const best = Math.max(...totals);
    const workflow = present(WORKFLOWS[totals.indexOf(best)]);
    const sum = totals.reduce((all, total) => all + Math.exp((total - best) / CAUTION), 0);
    const confidence = Math.round(100 / sum) / 100;
    const rule = this.#best.get(workflow)?.rule;
    if (rule === undefined && confidence < MIN_CONFIDENCE) return NOTHING_KNOWN;
    return { workflow, rule: rule ?? "words", confidence };
  }
}

/** One phrase of a table, with its workflow and weight. */
export interface Phrase {
  readonly words: readonly string[];
  /** Whether the phrase ends with a prefix instead of a word. */
  readonly open: boolean;
  readonly workflow: Workflow;
  readonly weight: number;
  readonly name: string;
}

export type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>;

/** Parses a table of `rules.ts`. */
export function parseTable(table: string): readonly Phrase[] {
  return table.trim().split("\n").flatMap(parseLine);
}

function parseLine(line: string): readonly Phrase[] {
  const colon = line.indexOf(": ");
  const [workflow, weight] = line.slice(0, colon).split(" ");
  if (!isOneOf(WORKFLOWS, workflow) || !(Number(weight) > 0)) throw new Error(`Invalid rule: ${line}`);
  return line
    .slice(colon + 2)
    .split(", ")
    .map((name) => {
      const open = name.endsWith("*");
      const words = (open ? name.slice(0, -1) : name).split(" ");
      return { words, open, workflow, weight: Number(weight), name };
    });
}

/**
 * Indexes phrases by the first letters of their first word, so that few are compared at each word of a text. Longest
 * first.
 */
export function indexPhrases(phrases: readonly Phrase[]): PhraseIndex {
  const index = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const key = phrase.words[0]?.slice(0, PREFIX) ?? "";
    index.set(key, [...(index.get(key) ?? []), phrase]);
  }
  for (const same of index.values()) same.sort((one, other) => other.words.length - one.words.length);
  return index;
}

/** The longest phrase that starts at this word. */
export function longestAt(index: PhraseIndex, words: readonly string[], at: number): Phrase | undefined {
  const key = words[at]?.slice(0, PREFIX);
  return key === undefined ? undefined : index.get(key)?.find((phrase) => matches(phrase, words, at));
}

function matches({ words: wanted, open }: Phrase, words: readonly string[], at: number): boolean {
  return wanted.every((word, offset) => {
    const actual = words[at + offset];
    return open && offset === wanted.length - 1 ? actual?.startsWith(word) === true : actual === word;
  });
}
