import type { ToolKind } from "../call/tool-kind.ts";
import { createSignal, type Signal } from "../signal.ts";
import { FIRST_LINE_RULES, type FirstLineRule } from "./first-line-table.ts";
import { candidateRules, wordTriggers } from "./rule-prefilter.ts";
import type { TextWindow } from "./text-window.ts";

/** Decoration before the first word: Markdown, brackets, crosses, warning signs. */
const DECORATION = new RegExp(
  `(?:[\\s*_#>"'\`[(|!-]|${["2022", "2717", "2718", "00d7", "274c", "274e", "26d4", "26a0", "203c", "fe0f", "[2500-\\u257f]", "001b\\[[0-9;]{0,12}m"].map((sign) => (sign.startsWith("[") ? `[\\u${sign.slice(1)}` : `\\u${sign}`)).join("|")}|\\ud83d[\\udeab\\udd34])+`,
  "y",
);

/** A heading of the client; the message follows it. */
const HEADING =
  /(?:(?:tool |function |command )?(?:result|output|response|observation)s?(?: from [\w./-]{1,60})?(?::\s*|\s*\n\s*)){1,2}/iy;

/** Values that turn an error label into "no error": `Error: (none)`, `Error code: 200`, `errors: 0`. */
const NO_ERROR_VALUE =
  /\s*(?:""|''|\[\s*\]|\{\s*\}|\(\s*\)|[[({"'`*]{0,2}(?:(?:none|null|nil|false|ok|success\w*|undefined)\b|no(?: errors?)?\s*(?:$|[\n.)\]])|n\/a|0(?![.\d])|2\d\d\b|-+\s*$))/iy;

/** Final word of an error label: `Input validation error:`, `ValueError:`, `Build failed:`. */
const LABEL_END =
  /(?:(?:^|[\s(_.:/'"-]|[a-z])(?<!\bt)(?:error|exception)s?|(?:^|[\s(_.:/'"-])(?:failure|fault)s?|\bfailed|\bfatal|\bpanic|\bdenied|\btraceback|\bnot found|\brefused|\btimed out|\bErrno|\binvalid (?:arguments?|input|parameters?|json|request)|\bunsupported (?:\w+ ){0,2}call|\b(?:invalid|missing|unknown|unauthorized|expired)_\w+|\w_(?:denied|expired|exceeded|failed|required|not_found|error))(?:\s*[[(#]?[\w ,.-]{0,40}[\])]?)?$/i;

/** A label that starts with the error word: `Error reading pom.xml:`. */
const LABEL_START =
  /^(?:an? )?(?:\w+ )?(?:error|exception|failure)\b(?! (?:rate|margin|budget|log|code|handling|messages?|types?|counts?))/i;

/** Words that turn an error label into a heading of something else. */
const LABEL_DATA =
  /[={};?<>]|\b(?:no|zero|without|handling|handle|common|known|how|why|what|possible|total|last|previous|fix(?:ed)?|bug|issue|log|logs|list|type|types|count|rate|margin|mean|standard|example)\b|^[^'"\n]*(?:'[^'\n]*|"[^"\n]*)$|[._/](?:errors|failures|exceptions)$|(?:error|exception|failure|fault)s?\.[a-z]{1,5}$/i;

/** Prefilter of the rules, with one additional bit for labels. */
const TRIGGERS = wordTriggers([
  ...FIRST_LINE_RULES.map(({ begins }) => begins),
  "erro exce fail faul fata pani deni trac not_ refu time errn inva unsu miss unkn unau expi exce requ",
]);
const LABEL_BIT = 1 << FIRST_LINE_RULES.length;

/** A message starts with its key words; further down they belong to a sentence or to data. */
const LEAD_LENGTH = 90;
const WRAPPER_LENGTH = 48;

/** The rules that apply at any length. */
const WRAPPERS = FIRST_LINE_RULES.reduce(
  (bits, { trust }, index) => (trust === "wrapper" ? bits | (1 << index) : bits),
  0,
);

/** Maximum length of a message by kind of tool; longer text is data. */
const MESSAGE_LENGTH: Readonly<Record<ToolKind, number>> = {
  shell: Number.POSITIVE_INFINITY,
  edit: 6000,
  api: 3000,
  agent: 1500,
  sql: 3000,
  http: 1500,
  read: 600,
  search: 600,
  prose: 600,
};

/** An exception with its module's name; prose never starts like that. */
const QUALIFIED = /^(?:[a-z_]\w{0,30}\.){1,4}[A-Z]\w{0,40}(?:Error|Exception): /;

/** Finds the error message at the start of a result. */
export function findFirstLineError(window: TextWindow, kind: ToolKind): Signal | undefined {
  const { text, end } = window;
  let { start } = window;
  const length = end - start;
  const short =
    length <= MESSAGE_LENGTH[kind] &&
    (kind !== "prose" || !holdsNewline(text, start, end) || QUALIFIED.test(text.slice(start, start + 120)));
  const called = candidateRules(TRIGGERS, text, start, Math.min(end, start + (short ? LEAD_LENGTH : WRAPPER_LENGTH)));
  // A text too long for a message can only match wrapper rules.
  const possible = short ? called : called & WRAPPERS;
  if ((possible & ~TRIGGERS.always) === 0 || opensAnswer(text, start, kind)) {
    return undefined;
  }
  DECORATION.lastIndex = start;
  if (DECORATION.test(text)) {
    start = Math.min(DECORATION.lastIndex, end);
  }
  HEADING.lastIndex = start;
  if (HEADING.test(text)) {
    start = Math.min(HEADING.lastIndex, end);
  }
  const crossed = start > window.start && CROSS.test(text.slice(window.start, start));
  if (!isLetterOrDigit(text.charCodeAt(start))) {
    return undefined;
  }
  const found = matchingRule(text, start, end, possible, kind, short, start === window.start);
  if (found !== undefined) {
    return found;
  }
  const label = (possible & LABEL_BIT) === 0 ? undefined : labelOf(text, start, end);
  if (
    label !== undefined &&
    short &&
    (LABEL_END.test(label) || (kind !== "prose" && LABEL_START.test(label))) &&
    !LABEL_DATA.test(label) &&
    !deniedAt(text, start + label.length)
  ) {
    return createSignal("failure", "lead-label", start, openingAt(text, start, end), 0.85);
  }
  // A cross before the first word means failure in every language, unless other lines are ticked.
  return crossed && short && !SHOWS_DOCUMENTS.has(kind) && !TICK.test(text.slice(start, Math.min(end, start + 600)))
    ? createSignal("failure", "lead-cross", start, openingAt(text, start, end), 0.75)
    : undefined;
}

/** The regular result of a search without hits. */
const FOUND_NOTHING = /^(?:could not|couldn't|cannot|can't|unable to) find\b/i;

/** A heading starts a document, not a message; "could not find" is a regular search result. */
export function opensAnswer(text: string, start: number, kind: ToolKind): boolean {
  return (
    (SHOWS_DOCUMENTS.has(kind) && text.startsWith("# ", start)) ||
    (kind === "search" && FOUND_NOTHING.test(text.slice(start, start + 40)))
  );
}

const CROSS = /[\u2717\u2718\u00d7\u274c\u274e\u26d4]|\ud83d[\udeab\udd34]/;
const TICK = /[\u2705\u2713\u2714]/;

function holdsNewline(text: string, start: number, end: number): boolean {
  const at = text.indexOf("\n", start);
  return at !== -1 && at < end;
}

/** Kinds whose results may be whole documents. */
const SHOWS_DOCUMENTS: ReadonlySet<ToolKind> = new Set<ToolKind>(["http", "read", "search", "prose"]);

function matchingRule(
  text: string,
  start: number,
  end: number,
  called: number,
  kind: ToolKind,
  short: boolean,
  bare: boolean,
): Signal | undefined {
  for (let left = called & ~LABEL_BIT; left !== 0; left &= left - 1) {
    const rule = FIRST_LINE_RULES[31 - Math.clz32(left & -left)];
    if (
      rule === undefined ||
      rule.notFor?.includes(kind) === true ||
      (kind === "prose" && !speaksForItself(rule, bare))
    ) {
      continue;
    }
    rule.pattern.lastIndex = start;
    const believed = rule.trust === "wrapper" || (short && (rule.upTo === undefined || end - start <= rule.upTo));
    const match = believed ? rule.pattern.exec(text) : null;
    if (match !== null && !deniedAt(text, start + match[0].length)) {
      return createSignal("failure", `lead-${rule.id}`, start, openingAt(text, start, end), rule.confidence, rule);
    }
  }
  return undefined;
}

/** Openings that also occur in prose. */
const QUOTABLE = new Set(["bad-input", "kind-of-error", "http-status", "connection", "there-was", "status-line"]);

/** Shown content may start with anything; the tools that show it fail with a wrapper's text or `Error:`. */
function speaksForItself({ id, trust }: FirstLineRule, bare: boolean): boolean {
  return trust === "wrapper" || (bare && !QUOTABLE.has(id));
}

/** Returns the words before the first colon of the first line, if it is near. */
function labelOf(text: string, start: number, end: number): string | undefined {
  const head = text.slice(start, Math.min(end, start + 100));
  const colon = head.search(/[:\n]/);
  return colon > 0 && head[colon] === ":" ? head.slice(0, colon) : undefined;
}

/** Whether the label is followed by an empty value. */
function deniedAt(text: string, at: number): boolean {
  const colon = text.slice(at, at + 40).search(/\S/);
  if (colon === -1) {
    return false;
  }
  const rest = text.slice(at + colon, at + colon + 60);
  const separator = /^(?:[ \t]*code)?[ \t]*[:=]/i.exec(rest);
  if (separator === null) {
    return false;
  }
  NO_ERROR_VALUE.lastIndex = separator[0].length;
  return NO_ERROR_VALUE.test(rest);
}

/** Returns the start of a message: the first line and the explanation below. */
function openingAt(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + 500)).trimEnd();
}

/** Returns the line that starts here, truncated to a readable length. */
export function lineAt(text: string, start: number, end: number): string {
  const stop = Math.min(end, start + 500);
  const newline = text.indexOf("\n", start);
  return text.slice(start, newline === -1 || newline > stop ? stop : newline).trimEnd();
}

function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127 || code === 91
  );
}
