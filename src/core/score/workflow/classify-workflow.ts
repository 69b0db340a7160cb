import { type PromptReading, readPrompt, type Sentence } from "./read-prompt.ts";
import { LEADS, MENTIONS, PARTS, PASTES, REPLIES, type RuleLine } from "./rules.ts";
import type { Workflow } from "./workflow.ts";

export interface WorkflowVerdict {
  readonly workflow: Workflow;
  /** The words that counted most, and where they stood: `lead:fix`, `mention:unit test`, `paste:trace`, `reply`, `none`. */
  readonly rule: string;
  /** 0 to 1: how far the winner is ahead of the next. */
  readonly confidence: number;
}

/** Below this the words say too little. */
const ENOUGH = 1.5;
/** What stands behind the first sentence weighs less; least where it only mentions something. */
const LATER = { lead: 0.75, mention: 0.5 };
const FIRST = { lead: 1, mention: 1 };
const MAX_REPLY_WORDS = 6;

interface Phrase {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly open: boolean;
  readonly workflow: Workflow;
  readonly weight: number;
  readonly name: string;
}

/** What kind of work a prompt asks for, by the words of docs/workflow.md. */
export function classifyWorkflow(prompt: string): WorkflowVerdict {
  const reading = readPrompt(prompt);
  if (isReply(reading)) return { workflow: "other", rule: "reply", confidence: 0.9 };
  const tally = new Tally();
  reading.sentences.forEach((sentence, at) => {
    scoreSentence(sentence, at === 0 ? FIRST : LATER, tally);
  });
  for (const kind of reading.pasted) tally.add(PASTES[kind][0], PASTES[kind][1], `paste:${kind}`);
  for (const [workflow, weight, parts] of PARTS) {
    for (const part of parts.split(", ")) if (reading.prose.includes(part)) tally.add(workflow, weight, `part:${part}`);
  }
  return tally.verdict();
}

function isReply({ sentences, pasted }: PromptReading): boolean {
  if (pasted.size > 0) return false;
  const words = sentences.flatMap((sentence) => sentence.words);
  if (words.length > MAX_REPLY_WORDS) return false;
  return words.every((word) => REPLIES.has(word) || /^\d+$/.test(word));
}

function scoreSentence({ words, lead, asks }: Sentence, weight: typeof FIRST, tally: Tally): void {
  const led = longestAt(LEAD_INDEX, words, lead);
  if (led !== undefined) tally.add(led.workflow, led.weight * weight.lead, `lead:${led.name}`);
  for (let at = 0; at < words.length; at += 1) {
    const found = longestAt(MENTION_INDEX, words, at);
    if (found === undefined || isDenied(words, at)) continue;
    tally.add(found.workflow, found.weight * weight.mention, `mention:${found.name}`);
    at += found.words.length - 1;
  }
  if (asks) tally.add("exploration", 0.5 * weight.mention, "question");
}

const DENIALS = new Set(["don't", "dont", "not", "without", "never", "no"]);

/** "don't fix it yet", "do not change anything". */
function isDenied(words: readonly string[], at: number): boolean {
  return at > 0 && DENIALS.has(words[at - 1] as string);
}

class Tally {
  readonly #scores = new Map<Workflow, number>();
  readonly #best = new Map<Workflow, { readonly weight: number; readonly rule: string }>();

  add(workflow: Workflow, weight: number, rule: string): void {
    this.#scores.set(workflow, (this.#scores.get(workflow) ?? 0) + weight);
    if (weight > (this.#best.get(workflow)?.weight ?? 0)) this.#best.set(workflow, { weight, rule });
  }

  verdict(): WorkflowVerdict {
    const [first, second] = [...this.#scores].sort(([, one], [, other]) => other - one);
    if (first === undefined || first[1] < ENOUGH) return { workflow: "other", rule: "none", confidence: 0.3 };
    const [workflow, score] = first;
    const ahead = score / (score + (second?.[1] ?? 0));
    const certainty = Math.min(1, score / 4);
    return {
      workflow,
      rule: this.#best.get(workflow)?.rule ?? "none",
      confidence: Math.round(ahead * certainty * 100) / 100,
    };
  }
}

type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>;

const PREFIX = 4;
const LEAD_INDEX = indexOf(LEADS);
const MENTION_INDEX = indexOf(MENTIONS);

/** By the first letters of the first word: a text asks a handful of phrases at each of its words. */
function indexOf(lines: readonly RuleLine[]): PhraseIndex {
  const index = new Map<string, Phrase[]>();
  for (const [workflow, weight, phrases] of lines) {
    for (const name of phrases.split(", ")) {
      const open = name.endsWith("*");
      const words = (open ? name.slice(0, -1) : name).split(" ");
      const key = (words[0] as string).slice(0, PREFIX);
      index.set(key, [...(index.get(key) ?? []), { words, open, workflow, weight, name }]);
    }
  }
  for (const phrases of index.values()) phrases.sort((one, other) => other.words.length - one.words.length);
  return index;
}

/** The longest phrase that begins here. */
function longestAt(index: PhraseIndex, words: readonly string[], at: number): Phrase | undefined {
  const key = words[at]?.slice(0, PREFIX);
  if (key === undefined) return undefined;
  return index.get(key)?.find((phrase) => matches(phrase, words, at));
}

function matches({ words: wanted, open }: Phrase, words: readonly string[], at: number): boolean {
  return wanted.every((word, offset) => {
    const said = words[at + offset];
    if (said === undefined) return false;
    return open && offset === wanted.length - 1 ? said.startsWith(word) : said === word;
  });
}
