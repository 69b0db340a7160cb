import type { ToolKind } from "../call/tool-kind.ts";
import { createSignal, type Signal } from "../signal.ts";
import { opensAnswer } from "./first-line-rules.ts";
import { findLocalizedError } from "./localized-errors.ts";
import { actionOf, findActionRefusal, isReadOnlyTool, isTrailingRemark } from "./mutating-tool.ts";
import { candidateRules, wordTriggers } from "./rule-prefilter.ts";
import { SENTENCE_RULES } from "./sentence-table.ts";
import type { TextWindow } from "./text-window.ts";

/** A result of at most this length may be one sentence about the outcome. */
const SENTENCE_LENGTH = 320;

/** Results that negate a failure or report success. */
const DENIAL =
  /(?<!\bnot |n't |n't be |not be |never )\b(?:success(?:ful|fully)?|no (?:errors?|issues?|problems?|failures?|warnings?)|0 (?:errors?|failed|failures?|issues?)|without (?:errors?|issues?)|completed|but here is|here(?: is| are|'s) the|has been (?:created|updated|saved|written|added|deleted|removed|set|edited|modified(?! since)|applied|replaced|renamed|moved|copied|inserted|scheduled|sent|submitted|booked|uploaded|installed|enabled|queued|posted|published|recorded|stored|registered|assigned))\b/i;

/** Results that start with a confirmation. */
const DONE =
  /^\W{0,6}(?:(?:(?!not |be |been |never |no |cannot |only |already |could |was not )[\w#'-]+ ){1,4}(?:taken|created|updated|saved|added|sent|deleted|removed|accepted|confirmed|placed|made|booked|scheduled|submitted|recorded|started|opened|closed|moved|posted|uploaded|applied|queued|enabled|installed|deployed|restarted|returned|recorded)[.!]|(?!(?:request|command|query|message|data) )[\w-]+(?: [\w-]+)? (?:sent|saved|created|updated|added|scheduled|uploaded|published|posted|booked|recorded|submitted|stored) (?:to|as|in|for|with|at|on|from|into|under) (?!errors?\b)|(?:notice|info|note|hint|warning)\s*:|extracted|clicked|navigated|captured|pressed|typed|selected|transferred|took|waited|found(?::| \d+ (?:issues?|results?|errors?|problems?|files?|messages?|items?|records?|documents?|pages?|users?|events?|tickets?|warnings?)\b)|scrolled|success|created|updated|deleted|removed|added|saved|wrote|written|sent|done|ok\b|completed|edited|applied|replaced|renamed|moved|copied|uploaded|downloaded|opened|started|scheduled|here (?:is|are)|contents of)/i;

/** A search hit: path, line number, line. */
const HIT = /^\S{1,200}[:-]\d{1,7}[:-]/;

/** "Nothing found" is a regular search result, not a failure. */
export const EMPTY_ANSWER: RegExp =
  /^\W{0,4}(?:no|zero|0) (?:[\w'-]+ ){0,6}?(?:found|match(?:es|ed|ing)?|results?|hits?|records?|rows?|entries|items|data|available|returned|output)\b/i;

/** Prefilter of the rules, with one additional bit for localized errors. */
const TRIGGERS = wordTriggers([
  ...SENTENCE_RULES.map(({ begins }) => begins),
  "~ fehl erre erro nich kein impo intr acce aces zugr no_s no_e niet misl fall falh pas_ plus bitt leid no_h no_f no_p ya_n nao_",
]);
const OTHER_LANGUAGE_BIT = 1 << SENTENCE_RULES.length;

/** Kinds whose results may be sentences. A shell prints any output, and a search returns any text. */
const SENTENCE_KINDS: Readonly<Record<ToolKind, number>> = {
  api: SENTENCE_LENGTH,
  edit: SENTENCE_LENGTH,
  http: SENTENCE_LENGTH,
  sql: SENTENCE_LENGTH,
  // A subagent's report describes its findings; only a short one reports its own failure.
  agent: 160,
  read: 250,
  search: 200,
  prose: 0,
  shell: 160,
};

/** Finds a failure in a short result that does not start with it. */
export function findSentence(window: TextWindow, kind: ToolKind, toolName?: string): Signal | undefined {
  const { text, start, end } = window;
  const page = kind === "http" || kind === "api" ? findErrorPage(window) : undefined;
  if (page !== undefined) {
    return page;
  }
  if (end - start > SENTENCE_KINDS[kind]) {
    return kind === "http" ? findPageRefusal(window) : undefined;
  }
  if (opensAnswer(text, start, kind)) {
    return undefined;
  }
  const called = candidateRules(TRIGGERS, text, start, end);
  const action = kind === "api" || kind === "edit" ? actionOf(toolName) : undefined;
  const answer = called === 0 && action === undefined ? undefined : sentenceOf(text.slice(start, end), kind);
  if (answer === undefined) {
    return undefined;
  }
  for (const [index, rule] of SENTENCE_RULES.entries()) {
    if ((called & (1 << index)) === 0 || rule.notFor?.includes(kind) === true) {
      continue;
    }
    const match = rule.pattern.exec(answer);
    if (match !== null && match.index <= (rule.within ?? SENTENCE_LENGTH) && !isTold(answer, match, kind)) {
      // After confirming the action, a mutating tool may list limitations; those are not failures.
      if (action !== undefined && AFTERTHOUGHTS.has(rule.id) && isTrailingRemark(answer, match.index)) {
        continue;
      }
      return DENIAL.test(answer) || (rule.emptyToo !== true && EMPTY_ANSWER.test(answer)) || DONE.test(answer)
        ? undefined
        : createSignal("failure", `sentence-${rule.id}`, start + match.index, answer, rule.confidence, rule);
    }
  }
  if (action !== undefined && !EMPTY_ANSWER.test(answer) && !DENIAL.test(answer) && !DONE.test(answer)) {
    const hindrance = findActionRefusal(answer, start, action);
    if (hindrance !== undefined) {
      return hindrance;
    }
  }
  return (called & OTHER_LANGUAGE_BIT) === 0 || kind === "search"
    ? undefined
    : findLocalizedError(answer, start, kind === "api" && !isReadOnlyTool(toolName));
}

const AFTERTHOUGHTS = new Set(["could-not", "refused", "unavailable", "invalid"]);

/** Longer results are not one sentence. Fetched pages may explain a refusal at length. */
const SHORT_ANSWER = 330;

/** The same for results of any length. */
export function findShortSentence(window: TextWindow, kind: ToolKind, toolName?: string): Signal | undefined {
  return window.end - window.start > SHORT_ANSWER && kind !== "http" ? undefined : findSentence(window, kind, toolName);
}

/** Prose mentions failures in subordinate clauses: "fell after the company failed to …". */
const SUBORDINATE = /\b(?:after|when|if|since|because|while|who|which|why|how|although|though)\b[^.;:,!?]{0,60}$/i;

/** Whether the failure concerns something else. A subagent's report also quotes the errors it searched for. */
function isTold(answer: string, { index, 0: words }: RegExpExecArray, kind: ToolKind): boolean {
  const before = answer.slice(0, index + 1);
  return (
    (kind === "agent" && before.split('"').length % 2 === 0) || (/failed\b/i.test(words) && SUBORDINATE.test(before))
  );
}

/** In files and search hits only the first line can be a sentence; in shell output only a single line. */
function sentenceOf(answer: string, kind: ToolKind): string | undefined {
  const newline = answer.indexOf("\n");
  if (kind === "shell") {
    return newline === -1 && !CODE.test(answer) ? answer : undefined;
  }
  if (kind === "read" || kind === "search") {
    const line = newline === -1 ? answer : answer.slice(0, newline);
    return HIT.test(answer) ||
      LIST.test(answer) ||
      RECORD.test(answer) ||
      CODE_LINE.test(line) ||
      answer.split("\n", 4).length > 3 ||
      !PROSE.test(line)
      ? undefined
      : line;
  }
  if (kind === "http" || kind === "edit") {
    const paragraph = answer.indexOf("\n\n");
    return LIST.test(answer) || RECORD.test(answer)
      ? undefined
      : paragraph === -1
        ? answer
        : answer.slice(0, paragraph);
  }
  return answer.split("\n", 5).length > 4 || TABLE.test(answer) || RECORD.test(answer) || LIST.test(answer)
    ? undefined
    : answer;
}

/** Lines such as `Key: value`, numbered or ticked lines are data. */
const RECORD = /(?:^|\n)[\w -]{1,30}: [^\n]{0,300}\n{1,2}[\w -]{1,30}: /;
const LIST =
  /^(?:(?:\d{1,3}[.)]|[-*\u2022]) [^\n]{0,300}\n\s*(?:\d{1,3}[.)]|[-*\u2022]) |\[[^\]\n]{1,20}\] [^\n]{0,300}\n\[[^\]\n]{1,20}\] )/;

/** A table's cells are data. */
const TABLE = /^\|[^\n]*\|\s*\n\||\n\|[ :-]*-{3}/;

/** A line of a script mentions failures that have not occurred. */
const CODE = /\|\||&&|[{}$]| \| |[^ ]\(\) *[{;]/;

/** The first line of a program. */
const CODE_LINE =
  /^(?:(?:class|def|import|from|const|let|var|function|public|private|export|package|interface|struct|enum|func|fn|use|module|namespace)\b|#include|\/\/|\/\*|<\?)|[{;]\s*$/;

/** A sentence starts with a word or a path and contains spaces; code does not. */
const PROSE = /^["'`<(]?[\w./~-]+(?:\(\))?["'`>)]?[:,]? \S/;

/** Fetch tools explain refusals at length; the first sentence is enough. */
const PAGE_REFUSAL =
  /^[^<{[\n]{0,200}\b(?:robots\.txt|fetching|crawling|scraping|accessing|access)\b[^<\n]{0,160}\b(?:not (?:allowed|permitted)|denied|disallowed|forbidden|prohibited)\b/i;

/** The error page of a web server instead of the requested page. */
const ERROR_PAGE =
  /^<(?:!doctype|html)[^\0]{0,400}?<title>\s*(?:[45]\d\d(?=\s*(?:[-\u2013:|<]|not|forbidden|error|bad|unauth|internal|service|gateway|too|page))|(?:error|access denied|forbidden|not found|page not found|bad gateway|service unavailable)\b)[^<]{0,80}/i;

function findErrorPage({ text, start, end }: TextWindow): Signal | undefined {
  const match =
    text.charCodeAt(start) === 60 && end - start <= 3000 ? ERROR_PAGE.exec(text.slice(start, start + 600)) : null;
  const title = match?.[0].slice(match[0].toLowerCase().lastIndexOf("<title>") + 7).trim();
  return title === undefined ? undefined : createSignal("failure", "sentence-error-page", start, title, 0.75);
}

function findPageRefusal({ text, start }: TextWindow): Signal | undefined {
  const opening = text.slice(start, start + 300);
  return PAGE_REFUSAL.test(opening)
    ? createSignal("failure", "sentence-page-refusal", start, opening, 0.75, { category: "permission_denied" })
    : undefined;
}
