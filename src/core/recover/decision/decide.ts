import type { JsonObject } from "../../model/tool-call.ts";
import type { Strength } from "../formats/table.ts";
import type { Evidence, RejectReason } from "../types.ts";
import {
  announcesNext,
  isDeepInSentence,
  isInSentence,
  leavesOut,
  mentionedAfter,
  mentionedBefore,
} from "./mention.ts";
import { hasPlaceholder } from "./placeholder.ts";
import { isQuoted } from "./quotation.ts";
import { CALL_MARK, countWords, type LeadIn, leadIn, offersChoice, withoutTags } from "./sentence.ts";
import type { Before } from "./surroundings.ts";

/** A call parsed from text, with the text before it. */
export interface Candidate {
  readonly strength: Strength;
  /** The opener is a special token, which people do not type. */
  readonly hasSpecialToken: boolean;
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly before: Before;
  /** The sentence directly before the call. */
  readonly lead: LeadIn;
  /** The lead-in announces the model's own next action. */
  readonly isAnnounced: boolean;
}

/** The text after a candidate, complete only at the end of the message. Calls joined by a connector share it. */
export interface After {
  /** Text up to the next call that is not joined to this one, or to the end of the message. */
  readonly text: string;
  readonly isFollowedByCall: boolean;
  /** Text up to the next call that is joined to this one. */
  readonly join: string | undefined;
}

/** Returns the reason if the candidate is only a mention of a call, or undefined if it may be a real one. */
type Gate = (candidate: Candidate) => RejectReason | undefined;
type ClosingGate = (candidate: Candidate, after: After) => RejectReason | undefined;

/** Run in this order as soon as a candidate is parsed. */
export const GATES: readonly Gate[] = [
  insideList,
  insideTable,
  insideListing,
  besideOpener,
  placeholderValue,
  mentionedInLead,
  weakAfterLead,
];

/** Run in this order at the end of the message. */
export const CLOSING_GATES: readonly ClosingGate[] = [
  insideElement,
  insideQuotation,
  oneOfAlternatives,
  insideSentence,
  objectOfSentence,
  weakBeforeText,
  mentionedBehind,
];

/** Decides from the candidate itself and the text before it. */
export function decide(candidate: Candidate): RejectReason | undefined {
  for (const gate of GATES) {
    const reason = gate(candidate);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Decides from the text on both sides of the candidate, once the message has ended. */
export function decideAtEnd(candidate: Candidate, after: After): RejectReason | undefined {
  for (const gate of CLOSING_GATES) {
    const reason = gate(candidate, after);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The evidence that made a candidate a call; stored with the call. */
export function evidenceOf({ hasSpecialToken, before, isAnnounced }: Candidate, after: After): Evidence {
  if (hasSpecialToken) return "special-token";
  if (hasNoWords(before.text)) return after.text.trim() === "" ? "whole-message" : "start-of-message";
  return isAnnounced ? "announced" : "own-paragraph";
}

/** Whether a text consists only of calls, tags and whitespace. The first character rules out most texts cheaply. */
function hasNoWords(text: string): boolean {
  if (/^\s*[^\s<&[\ufffc]/.test(text)) return false;
  return withoutTags(text.replaceAll(CALL_MARK, "")).trim() === "";
}

const LIST_ITEM = /^\s{0,12}(?:[-*+•‣◦–—]|\d{1,3}[.):]|[a-zA-Z][.)]|\([a-zA-Z0-9]{1,3}\)|\[[ xX]\])(?:\s|$)/;

/** An item of a list is not indented further. */
const MAX_INDENT_CHARS = 16;

/** "Run 2:" labels an example. "Step 2:" is excluded because it orders the model's own actions. */
const NUMBERED_LABEL = /^\s{0,12}(?!step\b)[a-z]{2,16} \d{1,3}:\s{0,4}$/i;

/** Rejects list items: they offer or enumerate calls. Models make their own calls outside lists. */
export function insideList({ before }: Candidate): RejectReason | undefined {
  const text = withoutSiblings(before.text);
  const line = lineBefore(text);
  if (line !== "" && (LIST_ITEM.test(line) || NUMBERED_LABEL.test(line))) return "in-list";
  if (line.trim() !== "") return undefined;
  const earlier = text.slice(0, Math.max(0, text.length - line.length - 1));
  // Empty lines do not end an item whose text is indented.
  const above = lineBefore(line === "" ? earlier : earlier.trimEnd());
  // An indented line continues the item above it; a line after a marker without text is that item's text.
  return above !== "" && LIST_ITEM.test(above) && (line !== "" || !/\p{L}{2}/u.test(above)) ? "in-list" : undefined;
}

/** Removes the calls directly before this one that are as far indented: they are part of the same item. */
function withoutSiblings(text: string): string {
  if (!text.endsWith(" ") && !text.endsWith("\t")) return text;
  const indent = /\n[ \t]+$/.exec(text.slice(-MAX_INDENT_CHARS))?.[0];
  if (indent === undefined) return text;
  let rest = text;
  for (let own = rest.trimEnd(); own.endsWith(`${indent}${CALL_MARK}`); own = rest.trimEnd()) rest = own.slice(0, -1);
  return rest;
}

/** The opening of a string literal or heredoc in source code, directly before the candidate. */
const LITERAL_OPENER = /(?:[=(,[:+]\s{0,4}(?:[`"']|"""|''')|<<-?\s{0,2}["']?\w{1,24}["']?|\breturn [`"'])$/;
/** The longest text that `LITERAL_OPENER` can match, rounded up. */
const MAX_OPENER_CHARS = 40;

function opensLiteral(text: string): boolean {
  const end = text.trimEnd().slice(-MAX_OPENER_CHARS);
  return ("`\"'".includes(end.slice(-1)) || end.includes("<<")) && LITERAL_OPENER.test(end);
}

/** A diff header followed only by diff lines. */
const DIFF = /(?:^|\n)(?:@@ -\d|diff --git |--- a\/|\+\+\+ b\/)[^\n]*\n(?:[ +-][^\n]*\n){0,60}[ +-]?$/;
/** A cheap precondition of `DIFF`. */
const DIFF_END = /[^\n]\n[ +-]?$/;

/** A command behind the prompt of a shell: what follows is its output. */
const SHELL_LINE =
  /^\s{0,4}(?:\$|❯|➜|PS [A-Z]:\\[^>\n]{0,80}>|[\w.-]{1,32}@[\w.-]{1,64}[:~][^$#\n]{0,80}[$#]) [a-z./~]/;

export function insideTable({ before }: Candidate): RejectReason | undefined {
  const line = lineBefore(before.text);
  return line !== "" && /^\s{0,12}[|│┃]/.test(line) ? "in-table" : undefined;
}

/** Speaker labels of logs and dialogs. "Assistant:" is not included: a model may begin its own turn with it. */
const SPEAKER =
  /(?:^|[\s\]])(?:(?:model|bot|ai|llm|user|human|agent|gpt|claude|system|input|output|prompt|completion)\s?:|(?:assistant|model|bot|ai|llm|user|agent|tool|server|client)\s?(?:->|=>|→|»|<-|←))$|^[qa]:$/i;
/** The label of the model's own turn. Behind other text it is a line of a dialog. */
const OWN_TURN = /^assistant\s?:$/i;
/** A line of a log: it begins with a date, a time of day or a level. */
const LOG_LINE =
  /^[[(]?(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}:\d{2}(?::\d{2})?\b|[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b(?!:? *$))/;

/** Only a number and signs, a place in a file, or a prompt. */
const LISTED_LINE =
  /^[\d\s!-/:-@[-`{-~→│┃⎿§¶$€£]+$|^(?:[\w./\\-]{1,80}[:-]\d{1,6}[:-]|[\w./\\-]{1,40}[@:~][\w./~-]{0,40}[$#>])$/;

/** Rejects lines that are displayed rather than written: after a line number, comment sign, prompt or diff sign. */
export function insideListing({ before }: Candidate): RejectReason | undefined {
  // Inline code and block quotes are handled by the scanner's context.
  const written = lineBefore(before.text);
  const line =
    written === ""
      ? ""
      : withoutTags(written)
          .replaceAll(CALL_MARK, "")
          .replace(/[`>\s]+/g, " ")
          .trim();
  if (line !== "") {
    if (/[❌✗✘✖🚫⛔⚠👎✅✔☑]/u.test(line)) return "in-list";
    if (SPEAKER.test(line) || LOG_LINE.test(line)) return "reported";
    if (OWN_TURN.test(line) && countWords(before.text) > 1) return "reported";
  }
  const above = line === "" ? lineAbove(before.text) : "";
  if (above !== "" && SHELL_LINE.test(above)) return "in-code";
  if (opensLiteral(before.text)) return "in-code";
  if (line !== "" && LISTED_LINE.test(line)) return "in-code";
  return DIFF_END.test(before.text.slice(-3)) && DIFF.test(before.text) ? "in-code" : undefined;
}

/** Elements that display or structure text. A call directly after their opening tag is their content. */
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

export function placeholderValue({ calls }: Candidate): RejectReason | undefined {
  return calls.some(({ args }) => hasPlaceholder(args)) ? "placeholder" : undefined;
}

export function mentionedInLead({ before, lead, calls }: Candidate): RejectReason | undefined {
  const isLeftOut = leavesOut(
    lead,
    calls.map(({ name }) => name),
  );
  const reason = isLeftOut ? "negated" : mentionedBefore(lead);
  if (reason !== undefined || !/^ (?:assistant |model )?thought /.test(lead.words)) return reason;
  // A ReAct thought belongs to the call after it, so the sentence before the thought introduces the call too, unless it
  // is the question as ReAct repeats it.
  const earlier = before.text.slice(0, before.text.lastIndexOf("Thought"));
  return /(?:^|\n)Question:[^\n]*\s*$/.test(earlier) ? undefined : mentionedBefore(leadIn(earlier));
}

/**
 * Weak formats look like ordinary JSON or code, so after an introducing sentence they need an announcement. For a tool
 * that may have side effects, they need one after any sentence.
 */
export function weakAfterLead({ strength, calls, lead, isAnnounced }: Candidate): RejectReason | undefined {
  if (strength !== "weak" || lead.words === "" || isAnnounced) return undefined;
  if (!calls.every(({ name }) => onlyReads(name))) return "not-anchored";
  if (!lead.introduces) return undefined;
  return lead.leadsDirectly || lead.words.trim().split(" ").length > 3 ? "not-anchored" : undefined;
}

/** Weak formats look like ordinary JSON or code, so they count as calls only at the end of a message. */
export function weakBeforeText({ strength }: Candidate, after: After): RejectReason | undefined {
  if (strength !== "weak" || after.isFollowedByCall) return undefined;
  const text = withoutMarks(after.text);
  return countWords(text) > 0 && !announcesNext(text) ? "not-anchored" : undefined;
}

/** Removes what may close an envelope: escaped tags, and marks that no known format uses. */
function withoutMarks(text: string): string {
  return text.replace(/&lt;\/?[\w|-]{1,48}&gt;|<{2,4}\/?[\w -]{1,48}>{2,4}/g, " ");
}

export function insideQuotation({ before }: Candidate, after: After): RejectReason | undefined {
  return isQuoted(before.text, after.text) ? "in-quote" : undefined;
}

/** Rejects a call with words of one sentence on both sides. Special tokens tolerate more words. */
export function insideSentence({ before, hasSpecialToken }: Candidate, after: After): RejectReason | undefined {
  const line = lineBefore(before.text);
  const prefix = line.slice(line.lastIndexOf(CALL_MARK) + 1);
  const end = after.text.indexOf("\n");
  const following = end === -1 ? after.text : after.text.slice(0, end);
  return (hasSpecialToken ? isDeepInSentence : isInSentence)(prefix, following) ? "in-sentence" : undefined;
}

/** Rejects a call that is the object of an unfinished sentence which announces nothing, where the message goes on. */
export function objectOfSentence(candidate: Candidate, after: After): RejectReason | undefined {
  const { lead, hasSpecialToken, isAnnounced } = candidate;
  if (hasSpecialToken || isAnnounced || after.isFollowedByCall || !lead.leadsDirectly || lead.endsWithColon)
    return undefined;
  const isPhrase = lead.words.trim().includes(" ");
  return isPhrase && countWords(after.text) > 0 ? "in-sentence" : undefined;
}

/** Rejects both calls of "A or B": they are a choice for the reader. */
export function oneOfAlternatives({ before }: Candidate, { join }: After): RejectReason | undefined {
  const last = before.text.lastIndexOf(CALL_MARK);
  const isSecond = last !== -1 && offersChoice(before.text.slice(last + 1));
  return isSecond || (join !== undefined && offersChoice(join)) ? "example" : undefined;
}

export function mentionedBehind({ before, hasSpecialToken }: Candidate, after: After): RejectReason | undefined {
  // A sentence that introduces another call refers to that call.
  if (after.isFollowedByCall && !/[.!?。！？]\s/.test(after.text)) return undefined;
  const reason = mentionedAfter(after.text);
  const isOnOwnLine = /^\s*\n/.test(after.text) && lineBefore(before.text).trim() === "";
  return hasSpecialToken && reason === "in-sentence" && !isOnOwnLine ? undefined : reason;
}

function lineBefore(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** The line above the last one, which is empty where there is none. */
function lineAbove(text: string): string {
  const end = text.lastIndexOf("\n");
  return end <= 0 ? "" : text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
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

/** Whether the name suggests a tool without side effects. A name without a hint counts as one with side effects. */
export function onlyReads(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => READS.has(word)) && !words.some((word) => ACTS.has(word));
}
