import type { RejectReason } from "../types.ts";
import { countWords, firstSentence, type LeadIn, leadIn, plainWords, withoutTags } from "./sentence.ts";
import {
  ANNOUNCEMENT,
  CONDITION,
  GENERAL,
  lastMention,
  mentions,
  NEGATION,
  PROHIBITION,
  QUESTION,
  REFERENCE,
  REPORT,
  SPECIMEN,
  TELLING,
  TOLD_THING,
} from "./words.ts";

/** More words than this before a candidate say something of their own. */
const MAX_LABEL_WORDS = 3;
/** Words like "Now:" or "Step 2:" that only order actions. */
const ORDER_WORDS: ReadonlySet<string> = new Set(
  "now next first then finally again sure ok okay alright yes done action step tool call calling great perfect both at once together parallel 1 2 3 4 5 6 7 8 9".split(
    " ",
  ),
);
/** Words that end in -ing and are no actions. */
const NO_ACTIONS: ReadonlySet<string> = new Set(
  "nothing something anything everything during following warning according including meaning being missing string thing king ring spring morning evening regarding concerning".split(
    " ",
  ),
);
/** Words that glue a call into a sentence, even where only one word stands on each side of it. */
const GLUE: ReadonlySet<string> = new Set(
  "is was means and or because instead here works fails never not send use using called like as if when with for the this that run type write wrote says said either than versus vs equals looks".split(
    " ",
  ),
);

/** Whether the lead-in announces the model's own next action. */
export function isAnnounced({ words }: LeadIn): boolean {
  return announcementAt(words) !== -1 || isLabel(words);
}

/** Why the words before a candidate make it a mention. */
export function mentionedBefore(lead: LeadIn): RejectReason | undefined {
  const { words, introduces, earlier } = lead;
  if (words === "") return undefined;
  if (mentions(words, SPECIMEN)) return "example";
  const announced = announcementAt(words);
  if (announced !== -1) return mentionedInAnnouncement(words.slice(announced));
  if (isLabel(words)) return mentionedEarlier(earlier);
  if (mentions(words, QUESTION)) return "question";
  if (introduces) {
    if (mentions(words, NEGATION)) return "negated";
    if (mentions(words, GENERAL)) return "example";
    if (mentions(words, REPORT)) return "reported";
    return mentionedEarlier(earlier);
  }
  if (mentions(words, PROHIBITION)) return "negated";
  if (!mentions(words, REFERENCE)) return undefined;
  if (mentions(words, GENERAL)) return "example";
  return mentions(words, REPORT) ? "reported" : undefined;
}

/** Why the first sentence behind a candidate makes it a mention. */
export function mentionedAfter(text: string): RejectReason | undefined {
  const sentence = firstSentence(withoutTags(text)).trim();
  const words = plainWords(sentence);
  // The rest of a list that was cut is no comment.
  if (words === "" || /^[\s,;\]}]*[{["]/.test(sentence)) return undefined;
  if (
    /[?？]["'”»)\]]{0,3}$/.test(sentence) &&
    (countWords(sentence) < MAX_LABEL_WORDS - 1 || mentions(words, QUESTION))
  )
    return "question";
  if (/^[,;.)\]。、，；」』]/.test(sentence)) return "in-sentence";
  if (isContinued(sentence)) return "in-sentence";
  const beginning = words
    .split(" ")
    .slice(0, 8)
    .join(" ")
    .padEnd(words.length > 60 ? 0 : 1, " ");
  if (announcementAt(beginning) !== -1 && !mentions(words, PROHIBITION)) return undefined;
  if (mentions(words, PROHIBITION)) return "negated";
  if (!mentions(beginning, REFERENCE)) return undefined;
  if (mentions(words, SPECIMEN) || mentions(words, GENERAL) || mentions(words, CONDITION)) return "example";
  if (mentions(words, NEGATION)) return "negated";
  return mentions(words, REPORT) ? "reported" : undefined;
}

/** Whether a candidate is part of a sentence: words of one sentence stand on both sides of it on its line. */
export function isInSentence(linePrefix: string, followingLine: string): boolean {
  const before = withoutTags(linePrefix).trim();
  const after = withoutTags(followingLine).trim();
  if (/^[\s,;\]}]*[{["]/.test(after)) return false;
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

/** Whether a text behind a candidate goes on with the sentence of the candidate: small letters, or punctuation first. */
function isContinued(text: string): boolean {
  const trimmed = text.trimStart();
  const first = trimmed[0] ?? "";
  if (/[,;.)?!、。，；？！:：]/.test(first)) return true;
  if (first === first.toUpperCase() && first !== first.toLowerCase()) return false;
  const words = plainWords(firstSentence(trimmed)).trim().split(" ");
  if (words.some((word) => GLUE.has(word)) && first !== first.toUpperCase()) return true;
  return first !== first.toUpperCase() && words.length > 1;
}

function mentionedInAnnouncement(rest: string): RejectReason | undefined {
  if (mentions(rest, NEGATION)) return "negated";
  if (mentions(rest, CONDITION)) return "example";
  return mentions(rest, TELLING) && mentions(rest, TOLD_THING) ? "example" : undefined;
}

/** The paragraph before a short or neutral lead-in may have said what the candidate is. */
function mentionedEarlier(earlier: string): RejectReason | undefined {
  if (earlier === "" || announcementAt(earlier) !== -1) return undefined;
  if (mentions(earlier, PROHIBITION) && mentions(earlier, REFERENCE)) return "negated";
  return mentions(earlier, SPECIMEN) ? "example" : undefined;
}

function announcementAt(words: string): number {
  const at = lastMention(words, ANNOUNCEMENT);
  if (at !== -1) return at;
  const first = words.trimStart().split(" ", 1)[0] ?? "";
  return first.length > 4 && first.endsWith("ing") && !NO_ACTIONS.has(first) ? 0 : -1;
}

/** "Now:", "Step 2:", "Tool call:" */
function isLabel(words: string): boolean {
  const list = words.trim().split(" ");
  return list.length <= MAX_LABEL_WORDS && list.every((word) => ORDER_WORDS.has(word));
}
