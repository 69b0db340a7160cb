import type { Category } from "../model/outcome.ts";
import { type Finding, finding } from "./finding.ts";
import { opensAnswer } from "./lead-rules.ts";
import { findOtherLanguage } from "./other-languages.ts";
import type { TextWindow } from "./text-window.ts";
import type { ToolKind } from "./tool-kind.ts";
import { rulesCalled, wordTriggers } from "./word-triggers.ts";

/** What a short answer can say anywhere in it. */
interface SentenceRule {
  readonly id: string;
  /** Beginnings of the words it is told with, see {@link wordTriggers}. */
  readonly begins: string;
  readonly pattern: RegExp;
  readonly confidence: number;
  readonly category?: Category;
  /** How far from the start it may stand: deep in a paragraph the words tell a story. */
  readonly within?: number;
  /** Not for these: in their answers the words mean something else. */
  readonly notFor?: readonly ToolKind[];
}

/** A whole answer of at most this length may be one sentence about what happened. */
const SENTENCE_LENGTH = 320;

/** Answers that name a failure only to deny it, or that say it worked. */
const DENIAL =
  /(?<!\bnot |n't |n't be |not be |never )\b(?:success(?:ful|fully)?|no (?:errors?|issues?|problems?|failures?|warnings?)|0 (?:errors?|failed|failures?|issues?)|without (?:errors?|issues?)|completed|but here is|here (?:is|are) the|has been (?:created|updated|saved|written|added|deleted|removed|set))\b/i;

/** Answers that start by saying what was done. */
const DONE =
  /^\W{0,6}(?:[\w-]+ (?:taken|created|updated|saved|added|sent|deleted|removed)[.!:]|(?:notice|info|note|hint|warning)\s*:|extracted|clicked|navigated|captured|pressed|typed|selected|transferred|took|waited|found:|scrolled|success|created|updated|deleted|removed|added|saved|wrote|written|sent|done|ok\b|completed|edited|applied|replaced|renamed|moved|copied|uploaded|downloaded|opened|started|scheduled|here (?:is|are)|contents of)/i;

/** A hit of a search: a place, a line number, the line. */
const HIT = /^\S{1,200}[:-]\d{1,7}[:-]/;

/** "Nothing there" is an answer of a search, not a failure of it. */
export const EMPTY_ANSWER: RegExp =
  /^\W{0,4}(?:no|zero|0) (?:[\w'-]+ ){0,6}?(?:found|match(?:es|ed|ing)?|results?|hits?|records?|rows?|entries|items|data|available|returned|output)\b/i;

export const SENTENCE_RULES: readonly SentenceRule[] = [
  {
    id: "timeout",
    begins: "time exce dead took",
    pattern:
      /\b(?:timed[ -]?out|time[ -]?out (?:exceeded|reached|expired|error|after)|exceed(?:ed|ing|s) (?:the )?(?:[\w.]+ ){0,3}time(?:out| ?limit)?|deadline exceeded|took (?:more|longer) than \d)/i,
    confidence: 0.85,
    category: "timeout",
  },
  {
    id: "connection",
    begins: "conn can' cann coul unab fail max_ maxi sock brok fetc",
    pattern:
      /\bconnection\b[^\n]{0,60}\b(?:refused|reset|aborted|unexpectedly closed|lost)\b|\b(?:can't|cannot|could not|couldn't|unable to|failed to) (?:connect|resolve)\b|\bmax(?:imum)? retries exceeded\b|\bsocket hang up\b|\bbroken pipe\b|\bfetch failed\b/i,
    confidence: 0.8,
    category: "network",
    notFor: ["search", "read"],
  },
  {
    id: "crashed",
    begins: "cras died kill term clos disc",
    pattern:
      /\b(?:kernel|page|browser|process|worker|session|container|server|tab|sandbox|renderer|interpreter|vm|machine)\b[^\n.]{0,30}\b(?:crashed|died|was killed|has been killed|terminated unexpectedly|has been closed|disconnected)\b/i,
    confidence: 0.8,
    category: "crash",
    notFor: ["search", "read"],
  },
  {
    id: "did-not",
    begins: "did_ didn does",
    pattern:
      /\b(?:did not|didn't|does not|doesn't) (?:understand|respond|succeed|complete|match any|work|recogni[sz]e|have an? (?:implementation|handler))\b/i,
    confidence: 0.75,
    within: 100,
    notFor: ["search", "read"],
  },
  {
    id: "absent",
    begins: "not_ does do_n don' no_l coul cann can' no_s",
    pattern:
      /\b(?:not found|(?:does not|doesn't|do not|don't) exist|no longer exists?|(?:could not|cannot|couldn't|can't) be found|no such (?:file|dir|tool|function|table|user|column|host|command|module|key|\w+))\b/i,
    confidence: 0.8,
    notFor: ["search"],
  },
  {
    id: "refused",
    begins: "deni not_ forb proh disa bloc rest reje refu decl gran unau auth allo",
    pattern:
      /\b(?:(?:permission|access|request|authori[sz]ation)\b.{0,40}\bdenied|not permitted|(?:is|are|was|were) (?:not allowed|forbidden|prohibited|disallowed|blocked|restricted)|(?:has been|was|were) (?:denied|rejected|refused|declined|blocked)|not (?:authenticated|logged in|subscribed)|haven't granted|(?:not|un)[ -]?authori[sz]ed|access denied|permission denied)\b/i,
    confidence: 0.8,
  },
  {
    id: "failed",
    begins: "fail",
    pattern:
      /(?:[^0\w] |[a-z,.:'"`)\]] )(?:has |have |had |was |is |execution |operation )?failed\b(?=\s*(?:[:.!,;)"']|$|\(|(?:to|with|because|due|on|after|while|when|for|validation)\b))/i,
    confidence: 0.75,
    within: 120,
  },
  {
    id: "could-not",
    begins: "coul cann can' can_ unab not_",
    pattern: /\b(?:could not|couldn't|cannot|can't|can not|unable to|was not able to|not able to)\b/i,
    confidence: 0.75,
    within: 100,
  },
  {
    id: "invalid",
    begins: "inva not_ out_ wron requ miss unex insu must",
    pattern:
      /\b(?:(?:is|are|was|were|with|an?|has|have|been|the|of|for) (?:an? )?invalid|not (?:a )?valid|out of (?:bounds|range)|wrong (?:kind|type|number|format|value)|(?:is|are) (?:a )?required|required (?:property|parameter|field|argument|key)|missing (?:required |\d+ ){0,2}(?:positional |keyword(?:-only)? )?(?:key|param\w*|field|argument|property|value)|unexpected (?:keyword )?(?:argument|parameter|property)|not (?:enough|sufficient)|insufficient|must (?:be|have|match|contain|provide|specify|include|not)|not an? (?:\w+ )?(?:command|tool|function|option|number|integer|string|list|directory|file))\b/i,
    confidence: 0.75,
    within: 140,
  },
  {
    id: "no-place",
    begins: "no_s does",
    pattern:
      /\b(?:no such file or directory|(?:file|directory|path|folder)\b[^\n]{0,80}\b(?:does not|doesn't) exist)\b/i,
    confidence: 0.85,
    category: "not_found",
  },
  {
    id: "exists",
    begins: "alre",
    pattern: /\balready (?:exists?|in use|taken|registered|open)\b/i,
    confidence: 0.72,
    category: "precondition",
    notFor: ["shell", "search"],
  },
  {
    id: "oversized",
    begins: "exce too_",
    pattern:
      /\b(?:exceeds? (?:the )?(?:max\w*|limit|allowed|size)|too (?:large|long|big) (?:to|for)|(?:file|input|output|result|content|payload) (?:is )?too (?:large|long|big))\b/i,
    confidence: 0.8,
    category: "oversized",
  },
  {
    id: "down",
    begins: "down offl unre unav not_ over too_",
    pattern:
      /\b(?:service|server|system|site|website|api|host|database|backend|endpoint)\b[^.\n]{0,24}\b(?:down|offline|unreachable|unavailable|not responding|overloaded|too busy)\b/i,
    confidence: 0.72,
    notFor: ["shell", "search", "read"],
  },
  {
    id: "unavailable",
    begins: "not_ unav unsu disa",
    pattern:
      /\b(?:not (?:available|present|supported|implemented|enabled|installed|configured|running|defined|recogni[sz]ed|registered|connected)|(?:is|are|was) (?:unavailable|unsupported|disabled)|unavailable tool|unsupported (?:\w+ ){0,3}call|not recognized as)\b/i,
    confidence: 0.75,
  },
  {
    id: "error",
    begins: "erro exce err_",
    pattern:
      /\b(?:an? (?:\w+ )?(?:error|exception) (?:has )?(?:occurred|happened|was|while)|encountered an? (?:\w+ )?(?:error|exception|problem)|net::ERR_\w+|ERR_[A-Z_]{4,40}|(?:returned|threw|raised|with|got|received|transport|internal|server|network|syntax|connection|validation|http|api|runtime|type) (?:an? )?(?:\w+ )?error|error (?:code:? (?!0\b|2\d\d)[\w-]|occurred|while|processing)|exception)\b/i,
    confidence: 0.75,
  },
  {
    id: "status-code",
    begins: "#",
    pattern:
      /\b(?:status(?: code)?|http(?: error)?|error code|code|upstream|gateway|server|returned|responded(?: with)?)[ :=(]{1,3}[45]\d\d\b|\b[45]\d\d (?:error|bad request|unauthori[sz]ed|forbidden|not found|internal server)/i,
    confidence: 0.85,
  },
  {
    id: "no-change",
    begins: "no_c no_r no_e no_m are_",
    pattern:
      /\bno (?:changes?|replacements?|edits?|modifications?) (?:were |was |has been |have been )?(?:made|performed|applied|done)\b|\bare (?:exactly )?(?:the same|identical)\b/i,
    confidence: 0.75,
    category: "precondition",
    notFor: ["shell", "api", "http", "sql"],
  },
  {
    id: "stale",
    begins: "has_ not_ modi chan read open load crea call run_ use_ matc occu",
    pattern:
      /\b(?:has not been read|not been read yet|modified since|changed since|\d+ (?:matches|occurrences) (?:of|for)|(?:read|open|load|create|call|run|use) (?:it |the \w+ |\w+ )?first\b)/i,
    confidence: 0.75,
    category: "precondition",
    notFor: ["shell", "search", "http", "read"],
  },
  {
    id: "aborted",
    begins: "abor inte canc reje decl user",
    pattern:
      /\b(?:aborted|interrupted|cancell?ed by|was cancell?ed|rejected by|declined by|user (?:rejected|declined|denied))\b/i,
    confidence: 0.8,
    category: "cancelled",
    notFor: ["api"],
  },
];

/** Which of them can match at all; one more for other languages. */
const TRIGGERS = wordTriggers([
  ...SENTENCE_RULES.map(({ begins }) => begins),
  "~ fehl erre erro nich kein impo intr acce no_s no_e niet misl fall falh",
]);
const OTHER_LANGUAGE_BIT = 1 << SENTENCE_RULES.length;

/** Which kinds answer with sentences at all: a shell prints what its program likes, a search finds words. */
const SENTENCE_KINDS: Readonly<Record<ToolKind, number>> = {
  api: SENTENCE_LENGTH,
  edit: SENTENCE_LENGTH,
  http: SENTENCE_LENGTH,
  sql: SENTENCE_LENGTH,
  agent: SENTENCE_LENGTH,
  read: 250,
  search: 200,
  prose: 0,
  shell: 160,
};

/** A failure told in a short answer that does not start with it. */
export function findSentence(window: TextWindow, kind: ToolKind): Finding | undefined {
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
  const called = rulesCalled(TRIGGERS, text, start, end);
  const answer = called === 0 ? undefined : sentenceOf(text.slice(start, end), kind);
  if (answer === undefined) {
    return undefined;
  }
  for (const [index, rule] of SENTENCE_RULES.entries()) {
    if ((called & (1 << index)) === 0 || rule.notFor?.includes(kind) === true) {
      continue;
    }
    const match = rule.pattern.exec(answer);
    if (match !== null && match.index <= (rule.within ?? SENTENCE_LENGTH)) {
      return DENIAL.test(answer) || EMPTY_ANSWER.test(answer) || DONE.test(answer)
        ? undefined
        : finding("failure", `sentence-${rule.id}`, start + match.index, answer, rule.confidence, rule);
    }
  }
  return (called & OTHER_LANGUAGE_BIT) === 0 || kind === "search" ? undefined : findOtherLanguage(answer, start);
}

/** Files and hits are lines of data: of theirs only the first line can be a sentence, and a shell's only when it is alone. */
function sentenceOf(answer: string, kind: ToolKind): string | undefined {
  const newline = answer.indexOf("\n");
  if (kind === "shell") {
    return newline === -1 && !CODE.test(answer) ? answer : undefined;
  }
  if (kind === "read" || kind === "search") {
    const line = newline === -1 ? answer : answer.slice(0, newline);
    return HIT.test(answer) || LIST.test(answer) || answer.split("\n", 4).length > 3 || !PROSE.test(line)
      ? undefined
      : line;
  }
  if (kind === "http") {
    const paragraph = answer.indexOf("\n\n");
    return LIST.test(answer) || RECORD.test(answer)
      ? undefined
      : paragraph === -1
        ? answer
        : answer.slice(0, paragraph);
  }
  return answer.split("\n", 5).length > 4 || RECORD.test(answer) || LIST.test(answer) ? undefined : answer;
}

/** Lines of `Key: value` describe something, numbered or ticked lines list something: their words are data. */
const RECORD = /(?:^|\n)[\w -]{1,30}: [^\n]{0,300}\n{1,2}[\w -]{1,30}: /;
const LIST =
  /^(?:(?:\d{1,3}[.)]|[-*\u2022]) [^\n]{0,300}\n\s*(?:\d{1,3}[.)]|[-*\u2022]) |\[[^\]\n]{1,20}\] [^\n]{0,300}\n\[[^\]\n]{1,20}\] )/;

/** A line of a script talks about failures that have not happened. */
const CODE = /\|\||&&|[{}$]| \| |[^ ]\(\) *[{;]/;

/** A sentence starts with a word or a path and has blanks; code starts otherwise. */
const PROSE = /^["'`<(]?[\w./~-]+["'`>)]?[:,]? \S/;

/** Fetchers explain at length why they may not fetch; the first sentence says it. */
const PAGE_REFUSAL =
  /^[^<{[\n]{0,200}\b(?:robots\.txt|fetching|crawling|scraping|accessing|access)\b[^<\n]{0,160}\b(?:not (?:allowed|permitted)|denied|disallowed|forbidden|prohibited)\b/i;

/** The error page of a web server instead of the page asked for. */
const ERROR_PAGE =
  /^<(?:!doctype|html)[^\0]{0,400}?<title>\s*(?:[45]\d\d(?=\s*(?:[-\u2013:|<]|not|forbidden|error|bad|unauth|internal|service|gateway|too|page))|(?:error|access denied|forbidden|not found|page not found|bad gateway|service unavailable)\b)[^<]{0,80}/i;

function findErrorPage({ text, start, end }: TextWindow): Finding | undefined {
  const match =
    text.charCodeAt(start) === 60 && end - start <= 3000 ? ERROR_PAGE.exec(text.slice(start, start + 600)) : null;
  const title = match?.[0].slice(match[0].toLowerCase().lastIndexOf("<title>") + 7).trim();
  return title === undefined ? undefined : finding("failure", "sentence-error-page", start, title, 0.75);
}

function findPageRefusal({ text, start }: TextWindow): Finding | undefined {
  const opening = text.slice(start, start + 300);
  return PAGE_REFUSAL.test(opening)
    ? finding("failure", "sentence-page-refusal", start, opening, 0.75, { category: "permission_denied" })
    : undefined;
}
