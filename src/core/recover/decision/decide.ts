import type { JsonObject } from "../../model/tool-call.ts";
import type { Strength } from "../formats/row.ts";
import type { Evidence, RejectReason } from "../types.ts";
import { announcesNext, isDeepInSentence, isInSentence, mentionedAfter, mentionedBefore } from "./mention.ts";
import { hasPlaceholder } from "./placeholder.ts";
import { isQuoted } from "./quotation.ts";
import { CALL_MARK, countWords, type LeadIn, leadIn, offersChoice, withoutTags } from "./sentence.ts";
import type { Before } from "./surroundings.ts";

/** A call that was read from text, and what stands before it. */
export interface Candidate {
  readonly strength: Strength;
  /** Its opener is a special token, which no person types. */
  readonly hasSpecialToken: boolean;
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly before: Before;
  /** What was said directly before it. */
  readonly lead: LeadIn;
  /** That announces the model's own next action. */
  readonly isAnnounced: boolean;
}

/** What stands behind a candidate, known when the message has ended. Calls that are only joined share it. */
export interface After {
  /** Text up to the next call that is not joined to this one, or to the end. */
  readonly text: string;
  readonly isFollowedByCall: boolean;
  /** Text up to the next call that is joined to this one. */
  readonly join: string | undefined;
}

/** Asks whether a candidate was made or only mentioned: a reason to leave it, or undefined. */
type Gate = (candidate: Candidate) => RejectReason | undefined;
type ClosingGate = (candidate: Candidate, after: After) => RejectReason | undefined;

/** Asked as soon as a candidate is read, in this order. */
export const GATES: readonly Gate[] = [
  insideList,
  insideTable,
  insideListing,
  besideOpener,
  placeholderValue,
  mentionedInLead,
  weakAfterLead,
];

/** Asked when the message has ended, in this order. */
export const CLOSING_GATES: readonly ClosingGate[] = [
  insideElement,
  insideQuotation,
  oneOfAlternatives,
  insideSentence,
  weakBeforeText,
  mentionedBehind,
];

/** Decides by what stands before a candidate and in it. */
export function decide(candidate: Candidate): RejectReason | undefined {
  for (const gate of GATES) {
    const reason = gate(candidate);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Decides by what stands around a candidate, once the message has ended. */
export function decideAtEnd(candidate: Candidate, after: After): RejectReason | undefined {
  for (const gate of CLOSING_GATES) {
    const reason = gate(candidate, after);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** What made a candidate a call, for the record. */
export function evidenceOf({ hasSpecialToken, before, isAnnounced }: Candidate, after: After): Evidence {
  if (hasSpecialToken) return "special-token";
  if (isSilent(before.text)) return after.text.trim() === "" ? "whole-message" : "start-of-message";
  return isAnnounced ? "announced" : "own-paragraph";
}

/** Whether a text is nothing but calls, tags and blanks. Most texts show with their first character that they are more. */
function isSilent(text: string): boolean {
  if (/^\s*[^\s<&[\ufffc]/.test(text)) return false;
  return withoutTags(text.replaceAll(CALL_MARK, "")).trim() === "";
}

const LIST_ITEM = /^\s{0,12}(?:[-*+•‣◦–—]|\d{1,3}[.):]|[a-zA-Z][.)]|\([a-zA-Z0-9]{1,3}\)|\[[ xX]\])(?:\s|$)/;

/** "Run 2:"; but "Step 2:" orders the model's own actions. */
const NUMBERED_LABEL = /^\s{0,12}(?!step\b)[a-z]{2,16} \d{1,3}:\s{0,4}$/i;

/** An item of a list offers or enumerates; the model makes its calls outside of lists. */
export function insideList({ before }: Candidate): RejectReason | undefined {
  const line = lineBefore(before.text);
  if (LIST_ITEM.test(line) || NUMBERED_LABEL.test(line)) return "in-list";
  if (line.trim() !== "") return undefined;
  const above = lineBefore(before.text.slice(0, Math.max(0, before.text.length - line.length - 1)));
  // An indented line continues the item above it; a line behind a lone marker is its item.
  return LIST_ITEM.test(above) && (line !== "" || !/\p{L}{2}/u.test(above)) ? "in-list" : undefined;
}

/** A string literal or a heredoc of source code that opens directly before the candidate. */
const LITERAL_OPENER = /(?:[=(,[:+]\s{0,4}(?:[`"']|"""|''')|<<-?\s{0,2}["']?\w{1,24}["']?|\breturn [`"'])$/;
/** No such opener is longer. */
const MAX_OPENER_CHARS = 40;
/** The beginning of a diff, with nothing but its lines behind it. */
const DIFF = /(?:^|\n)(?:@@ -\d|diff --git |--- a\/|\+\+\+ b\/)[^\n]*\n(?:[ +-][^\n]*\n){0,60}[ +-]?$/;
/** How such a text ends. */
const DIFF_END = /[^\n]\n[ +-]?$/;

export function insideTable({ before }: Candidate): RejectReason | undefined {
  return /^\s{0,12}[|│┃]/.test(lineBefore(before.text)) ? "in-table" : undefined;
}

/** Names of speakers before a line of a log or a dialogue; a model that plays itself may begin with "Assistant:". */
const SPEAKER =
  /(?:^|[\s\]])(?:model|bot|ai|llm|user|human|agent|gpt|claude|system|input|output|prompt|completion)\s?:$/i;

/** Line numbers, comment signs, prompts and signs of a diff stand before lines that are shown. */
export function insideListing({ before }: Candidate): RejectReason | undefined {
  // Inline code and quotations are places of their own.
  const line = withoutTags(lineBefore(before.text))
    .replaceAll(CALL_MARK, "")
    .replace(/[`>\s]+/g, " ")
    .trim();
  if (/[❌✗✘✖🚫⛔⚠👎✅✔☑]/u.test(line)) return "in-list";
  if (SPEAKER.test(line)) return "reported";
  if (LITERAL_OPENER.test(before.text.trimEnd().slice(-MAX_OPENER_CHARS))) return "in-code";
  if (line !== "" && /^[\d\s!-/:-@[-`{-~→│┃⎿§¶$€£]+$/.test(line)) return "in-code";
  if (/^(?:[\w./\\-]{1,80}[:-]\d{1,6}[:-]|[\w./\\-]{1,40}[@:~][\w./~-]{0,40}[$#>])$/.test(line)) return "in-code";
  return DIFF_END.test(before.text.slice(-3)) && DIFF.test(before.text) ? "in-code" : undefined;
}

/** Elements that show or structure text; a call directly behind their opener is their content. */
const CONTAINERS: ReadonlySet<string> = new Set(
  "! pre code samp kbd tt blockquote q cite textarea script style template xmp html head body table thead tbody tr td th li ul ol dl dt dd details summary example examples sample documentation doc docs quote verbatim lstlisting minted alltt listing quotation src [code [quote [pre [noparse [spoiler {code {noformat {quote".split(
    " ",
  ),
);

export function besideOpener({ before }: Candidate): RejectReason | undefined {
  return before.open.some(({ element, isAdjacent }) => isAdjacent && CONTAINERS.has(element.name))
    ? "in-markup"
    : undefined;
}

export function insideElement({ before }: Candidate): RejectReason | undefined {
  return before.open.some(({ element }) => element.isClosed) ? "in-markup" : undefined;
}

/** A value for the reader to fill in. */
export function placeholderValue({ calls }: Candidate): RejectReason | undefined {
  return calls.some(({ args }) => hasPlaceholder(args)) ? "placeholder" : undefined;
}

export function mentionedInLead({ before, lead }: Candidate): RejectReason | undefined {
  const reason = mentionedBefore(lead);
  if (reason !== undefined || !lead.words.startsWith(" thought ")) return reason;
  // Thoughts of ReAct belong to the call behind them: what leads to them leads to it.
  return mentionedBefore(leadIn(before.text.slice(0, before.text.lastIndexOf("Thought"))));
}

/**
 * A form that any JSON or code has needs an announcement behind words that lead to it; for a tool that may act, behind
 * any words.
 */
export function weakAfterLead({ strength, calls, lead, isAnnounced }: Candidate): RejectReason | undefined {
  if (strength !== "weak" || lead.words === "" || isAnnounced) return undefined;
  if (!calls.every(({ name }) => onlyReads(name))) return "not-anchored";
  if (!lead.introduces) return undefined;
  return lead.leadsDirectly || lead.words.trim().split(" ").length > 3 ? "not-anchored" : undefined;
}

/** A form that any JSON or code has is a call at the end of a message only. */
export function weakBeforeText({ strength }: Candidate, after: After): RejectReason | undefined {
  if (strength !== "weak" || after.isFollowedByCall) return undefined;
  const said = withoutMarks(after.text);
  return countWords(said) > 0 && !announcesNext(said) ? "not-anchored" : undefined;
}

/** Text without what may close an envelope: escaped tags, and marks that no format of ours has. */
function withoutMarks(text: string): string {
  return text.replace(/&lt;\/?[\w|-]{1,48}&gt;|<{2,4}\/?[\w -]{1,48}>{2,4}/g, " ");
}

export function insideQuotation({ before }: Candidate, after: After): RejectReason | undefined {
  return isQuoted(before.text, after.text) ? "in-quote" : undefined;
}

/** Words on both sides of a call make it part of a sentence; around special tokens, many words. */
export function insideSentence({ before, hasSpecialToken }: Candidate, after: After): RejectReason | undefined {
  const line = lineBefore(before.text);
  const prefix = line.slice(line.lastIndexOf(CALL_MARK) + 1);
  const end = after.text.indexOf("\n");
  const following = end === -1 ? after.text : after.text.slice(0, end);
  return (hasSpecialToken ? isDeepInSentence : isInSentence)(prefix, following) ? "in-sentence" : undefined;
}

/** "A or B" offers a choice. */
export function oneOfAlternatives({ before }: Candidate, { join }: After): RejectReason | undefined {
  const last = before.text.lastIndexOf(CALL_MARK);
  const isSecond = last !== -1 && offersChoice(before.text.slice(last + 1));
  return isSecond || (join !== undefined && offersChoice(join)) ? "example" : undefined;
}

export function mentionedBehind({ before, hasSpecialToken }: Candidate, after: After): RejectReason | undefined {
  // What leads to another call speaks of that one.
  if (after.isFollowedByCall && !/[.!?。！？]\s/.test(after.text)) return undefined;
  const reason = mentionedAfter(after.text);
  const isOnOwnLine = /^\s*\n/.test(after.text) && lineBefore(before.text).trim() === "";
  return hasSpecialToken && reason === "in-sentence" && !isOnOwnLine ? undefined : reason;
}

function lineBefore(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

const READS: ReadonlySet<string> = new Set(
  "read get list search find view show query lookup look check count describe grep glob ls cat head tail status info inspect explain diff stat peek preview browse recall retrieve".split(
    " ",
  ),
);
const ACTS: ReadonlySet<string> = new Set(
  "write create delete remove send post put patch update edit insert set add run exec execute shell bash command move rename copy drop deploy publish push merge commit install kill stop start restart reset apply pay buy book order cancel approve fetch upload download navigate click type press fill submit eval python terminal save replace append".split(
    " ",
  ),
);

/** Whether a tool only reads, as far as its name tells. A name that says neither acts. */
export function onlyReads(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => READS.has(word)) && !words.some((word) => ACTS.has(word));
}
