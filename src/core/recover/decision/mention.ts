import type { RejectReason } from "../types.ts";
import {
  countWords,
  firstPlainSentence,
  firstSentence,
  type LeadIn,
  leadIn,
  plainWords,
  withoutTags,
} from "./sentence.ts";
import { lastMention, mentions, mentionsEarly, wordsOf } from "./words.ts";

/** A lead-in with more words than this is a statement rather than a label. */
const MAX_LABEL_WORDS = 3;
/** How many words at the start of a sentence can refer back to the text before it. */
const BEGINNING_WORDS = 4;
/** With this many words of its sentence on each side, even a call in special tokens is part of the sentence. */
const SENTENCE_WORDS = 4;
const CONDITIONALS = wordsOf("conditional");
const CLOSINGS = wordsOf("closing");
const INTERJECTIONS = wordsOf("interjection");
const ORDER_WORDS = wordsOf("order");
const NO_ACTIONS = wordsOf("noAction");
const WORDS_ABOUT_CALLS = wordsOf("aboutCall");
const CAPTIONS = wordsOf("caption");
const GLUE = wordsOf("glue");
const OPEN_ENDS = wordsOf("openEnd");
const OBJECT_ENDS = wordsOf("objectEnd");
/** Parts of a call as only an explanation names them. */
const PART_NAMES = /^ (?:each|every|the|an|a|all) (?:\S+ ){0,2}(?:elements?|tags?|parameters?|arguments?|attributes?) /;
/** "Let me see what the queue looks like." announces a look, not an example. */
const LOOKING = / (?:see|check|inspect|find out) (?:what|how) (?:\S+ ){1,6}looks? like $/;
/** "I should not guess." leads to a call. */
const NO_GUESS =
  / (?:not|never|without|rather than|instead of) (?:guess|guessing|assume|assuming|speculate|speculating) /;

/** What an announced action may be about, although the words alone would warn: "I'll post the warning." */
const DANGER_NOUN = / (?:warnings?|danger|warnung)(?= )/;
/** Negates the call only if the call is its object: among the next words, up to one of `OBJECT_ENDS`. */
const VERB_OF_REFUSAL = / (?:stop|skip|ignore|decline)((?: [^ ]+){1,6})(?= )/;

/** The label of a thought before an action, in the languages that prompts are translated to. */
const THOUGHT = new RegExp(`^ (?:assistant |model )?(?:${[...wordsOf("thought")].join("|")})[ :：]`);

export function isAnnounced({ words }: LeadIn): boolean {
  return announcementAt(words) !== -1 || isLabel(words);
}

/** Whether the text after a call starts a new paragraph that announces the model's next action. */
export function announcesNext(text: string): boolean {
  return /^[ \t]*\r?\n[ \t]*\r?\n/.test(text) && announcementAt(plainWords(firstSentence(text))) !== -1;
}

/** Returns the reason if the lead-in turns the candidate into a mention. */
export function mentionedBefore(lead: LeadIn): RejectReason | undefined {
  const { words, introduces, isQuestion, earlier } = lead;
  if (words === "") return undefined;
  if (isQuestion) return "question";
  if (mentions(words, "specimen") && (introduces || !LOOKING.test(words))) return "example";
  if (mentions(words, "refusal")) return "negated";
  if (mentions(words, "consent")) return "question";
  if (lead.endsWithColon && CAPTIONS.has(words.trim())) return "example";
  const announced = announcementAt(words);
  if (announced !== -1) return mentionedInAnnouncement(words.slice(announced));
  if (isLabel(words)) return mentionedEarlier(earlier);
  if (mentions(words, "question")) return "question";
  if (introduces) return mentionedByIntroduction(lead);
  if (mentions(words, "prohibition")) return "negated";
  if (!mentions(words, "reference")) return undefined;
  if (mentions(words, "general")) return "example";
  return mentions(words, "report") ? "reported" : undefined;
}

/** What "I'll skip …" leaves out. */
const LEFT_OUT = / (?:skip|skipping|ignore|ignoring|decline|declining) (?:the |a |an )?([^ ]{4,40}) /;

/** Whether an announcement leaves out what a tool's name says: "I'll skip the deploy." before `deploy_app`. */
export function leavesOut({ words }: LeadIn, names: readonly string[]): boolean {
  const thing = LEFT_OUT.exec(words)?.[1];
  return thing !== undefined && names.some((name) => name.toLowerCase().includes(thing));
}

/** Handles a lead-in that is not a complete sentence and announces nothing. */
function mentionedByIntroduction({ words, leadsDirectly, earlier }: LeadIn): RejectReason | undefined {
  if (mentions(words, "negation")) return "negated";
  if (mentions(words, "general") || mentions(words, "condition")) return "example";
  if (mentions(words, "report")) return "reported";
  const list = words.trim().split(" ");
  const last = list.at(-1) as string;
  if (list.length > 1 && OPEN_ENDS.has(last)) return "in-sentence";
  // "Whispered:" introduces speech.
  if (leadsDirectly && list.length > 1 && last.length > 4 && last.endsWith("ed")) return "reported";
  return mentionedEarlier(earlier);
}

const LEADING_SIGNS = /^[\s….—–←→↑^-]{1,12}/;

/** The longest end of a question, with the quotation marks and brackets behind it. */
const MAX_END_SIGNS = 4;

/** Returns the reason if the first sentence after a candidate turns it into a mention. */
export function mentionedAfter(text: string): RejectReason | undefined {
  const sentence = firstPlainSentence(text.replace(LEADING_SIGNS, "")).replace(LEADING_SIGNS, "").trim();
  const words = plainWords(sentence);
  // The remainder of a truncated list is not a comment.
  if (words === "" || /^[\s,;\]}]*[{["]/.test(sentence)) return undefined;
  const isQuestion =
    /[?？]["'”»)\]]{0,3}$/.test(sentence.slice(-MAX_END_SIGNS)) &&
    (countWords(sentence) === 1 || mentions(words, "question") || mentions(words, "backReference"));
  if (isQuestion || mentions(words, "consent")) return "question";
  if (mentions(words, "retraction")) return "negated";
  return commentOn(words) ?? (isContinued(sentence, words) ? "in-sentence" : undefined);
}

/** Classifies a sentence after a candidate that comments on it. */
function commentOn(words: string): RejectReason | undefined {
  const first = firstWord(words);
  if (refuses(words)) return "negated";
  if (announcementAt(words) !== -1 || CONDITIONALS.has(first)) return undefined;
  if (WORDS_ABOUT_CALLS.has(first) || PART_NAMES.test(words)) return "example";
  if (!mentions(words, "backReference") || !mentionsEarly(words, BEGINNING_WORDS, "backReference")) return undefined;
  const [, , second = "", third = ""] = words.split(" ", BEGINNING_WORDS);
  if (WORDS_ABOUT_CALLS.has(second) && first !== "here" && !CLOSINGS.has(third)) return "example";
  if ((["specimen", "general", "condition", "callPart"] as const).some((cue) => mentions(words, cue))) return "example";
  if (mentions(words, "negation")) return "negated";
  return mentions(words, "report") ? "reported" : undefined;
}

/** Whether one sentence has words on both sides of a candidate, on the same line. */
export function isInSentence(linePrefix: string, followingLine: string): boolean {
  const before = withoutTags(linePrefix).trim();
  const after = withoutTags(followingLine).trim();
  if (after === "" || /^[\s,;\]}]*[{["]/.test(after)) return false;
  const [left, right] = [countWords(before), countWords(after)];
  if (right === 0) return left > 0 && /^[,;.)?!、。，；？！]/.test(after) && !/[.!?…。！？]$/.test(before);
  if (left === 0) return isContinued(after);
  if (/[.!?…。！？]["'”»)*_]{0,3}$/.test(before)) return isContinued(after);
  const isGlued = plainWords(`${before} ${after}`)
    .split(" ")
    .some((word) => GLUE.has(word));
  if (right === 1 && !isGlued && isAnnounced(leadIn(before))) return false;
  return isGlued || left + right > MAX_LABEL_WORDS - 1;
}

/**
 * Whether at least `SENTENCE_WORDS` words of the sentence are on each side, so that even a special token is part of it.
 */
export function isDeepInSentence(linePrefix: string, followingLine: string): boolean {
  const before = withoutTags(linePrefix).trim();
  const after = withoutTags(followingLine).trim();
  if (before === "" || after === "") return false;
  if (/[.!?…。！？:：]["'”»)*_]{0,3}$/.test(before) || isAnnounced(leadIn(before))) return false;
  return Math.min(countWords(before), countWords(firstSentence(after))) >= SENTENCE_WORDS;
}

/**
 * Whether the text after a candidate continues its sentence: it starts with lower case or punctuation. `known` is
 * the text's first sentence in plain words, if the caller has computed it.
 */
function isContinued(text: string, known?: string): boolean {
  const trimmed = text.trimStart();
  const first = trimmed[0] ?? "";
  if (/[,;.)?!、。，；？！:：]/.test(first)) return true;
  if (first === first.toUpperCase()) return false;
  const words = (known ?? plainWords(firstSentence(trimmed))).trim();
  return words.includes(" ") || GLUE.has(words);
}

function mentionedInAnnouncement(rest: string): RejectReason | undefined {
  const isExplained = mentions(rest, "explaining");
  const said = rest.replace(NO_GUESS, " ");
  const done = isExplained ? said : said.replace(DANGER_NOUN, " ").replace(VERB_OF_REFUSAL, withoutAction);
  // Only an early negation ("I will not …") denies the action; a later one belongs to something else.
  if (mentionsEarly(done, BEGINNING_WORDS, "negation")) return "negated";
  // After "I'll stop the old unit", a later refusal can still concern the call.
  if (done.length < said.length && refuses(done)) return "negated";
  if (mentions(rest, "condition")) return "example";
  return isExplained && mentions(rest, "explained") ? "example" : undefined;
}

/** Whether a sentence forbids or refuses something next to it. */
function refuses(words: string): boolean {
  return mentions(words, "prohibition") && (mentions(words, "reference") || mentions(words, "acting"));
}

/** Removes a verb of refusal whose object is not the call: "stop the old unit" is an action. */
function withoutAction(match: string, following: string): string {
  const words = following.trim().split(" ");
  const end = words.findIndex((word) => OBJECT_ENDS.has(word));
  const object = end === -1 ? words : words.slice(0, end);
  if (object.length === 0 || object[0]?.endsWith("ing")) return match;
  const text = ` ${object.join(" ")} `;
  return mentions(text, "reference") || mentions(text, "callName") ? match : following;
}

/** Checks the paragraph before a short or neutral lead-in, which may already have introduced an example. */
function mentionedEarlier(earlier: string): RejectReason | undefined {
  const words = plainWords(earlier);
  if (words === "" || announcementAt(words) !== -1) return undefined;
  if (mentions(words, "prohibition") && mentions(words, "reference")) return "negated";
  return mentions(words, "specimen") ? "example" : undefined;
}

function announcementAt(words: string): number {
  const at = lastMention(words, "announcement");
  // A ReAct thought leads to the next action.
  if (at !== -1 || THOUGHT.test(words)) return Math.max(at, 0);
  const speaker = lastMention(words, "firstPerson");
  if (speaker !== -1 && !mentions(words, "report") && !mentions(words, "question")) return speaker;
  if (!words.includes("ing ")) return -1;
  const verb = words.split(" ").find((word) => word !== "" && !INTERJECTIONS.has(word)) ?? "";
  return verb.length > 4 && verb.endsWith("ing") && !NO_ACTIONS.has(verb) ? 0 : -1;
}

function firstWord(words: string): string {
  return words.slice(1, words.indexOf(" ", 1));
}

/** Matches "Now:", "Step 2:", "Tool call:". */
function isLabel(words: string): boolean {
  if (!ORDER_WORDS.has(firstWord(words))) return false;
  const list = words.trim().split(" ");
  return list.length <= MAX_LABEL_WORDS + 1 && list.every((word) => ORDER_WORDS.has(word));
}
