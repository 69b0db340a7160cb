import type { Category, Phase } from "../model/outcome.ts";
import { type Finding, finding } from "./finding.ts";
import type { TextWindow } from "./text-window.ts";
import type { ToolKind } from "./tool-kind.ts";

/** A message that stands at the very start of a result. */
interface LeadRule {
  readonly id: string;
  /** Sticky, letter case ignored; tried once, at the first word. */
  readonly pattern: RegExp;
  /** `wrapper`: written around a failure by harnesses and servers, believed at any length. `opening`: only where the text is short for its kind. */
  readonly trust: "wrapper" | "opening";
  readonly confidence: number;
  readonly category?: Category;
  readonly phase?: Phase;
  /** Believed only in texts up to this length, where the words are common in prose. */
  readonly upTo?: number;
}

/** What stands before the first word: Markdown, brackets, crosses, warning signs. */
const DECORATION = new RegExp(
  `(?:[\\s*_#>"'\`[(|!-]|${["2022", "2717", "2718", "00d7", "274c", "274e", "26d4", "26a0", "203c", "fe0f", "001b\\[[0-9;]{0,12}m"].map((sign) => `\\u${sign}`).join("|")}|\\ud83d[\\udeab\\udd34])+`,
  "y",
);

/** A heading of the harness's own; the message stands below or behind it. */
const HEADING =
  /(?:(?:tool |function |command )?(?:result|output|response|observation)s?(?: from [\w./-]{1,60})?(?::\s*|\s*\n\s*)){1,2}/iy;

/** Values that turn an error label into "no error": `Error: (none)`, `Error code: 200`, `errors: 0`. */
const NO_ERROR_VALUE =
  /\s*(?:""|''|\[\s*\]|\{\s*\}|\(\s*\)|[[({"'`*]{0,2}(?:(?:none|null|nil|false|ok|success\w*|undefined)\b|no(?: errors?)?\s*(?:$|[\n.)\]])|n\/a|0(?![.\d])|2\d\d\b|-+\s*$))/iy;

/** The last word of a label that makes it a report: `Input validation error:`, `ValueError:`, `Build failed:`. */
const LABEL_END =
  /(?:(?:^|[\s(_.:/'"-]|[a-z])(?:error|exception|failure|fault)s?|\bfailed|\bfatal|\bpanic|\bdenied|\btraceback|\bnot found|\brefused|\btimed out|\bErrno|\binvalid (?:arguments?|input|parameters?|json|request)|\bunsupported (?:\w+ ){0,2}call)(?:\s*[[(#]?[\w ,.-]{0,40}[\])]?)?$/i;

/** A label that starts with the word and goes on: `Error reading pom.xml:`. */
const LABEL_START =
  /^(?:an? )?(?:\w+ )?(?:error|exception|failure)\b(?! (?:rate|margin|budget|log|code|handling|messages?|types?|counts?))/i;

/** Words before a label's last word that make it a heading of something else. */
const LABEL_DATA =
  /[={};?<>]|\b(?:no|zero|without|handling|handle|common|known|how|why|what|possible|total|last|previous|fix(?:ed)?|bug|issue|log|logs|list|type|types|count|rate|margin|mean|standard|example)\b/i;

export const LEAD_RULES: readonly LeadRule[] = [
  {
    id: "wrapper-prefix",
    pattern:
      /(?:an? |the )?(?:\w+ )?errors?(?: \w+)? (?:while |when |during |in |on )?(?:execut|call|runn|invok|process|perform|occurr|fetch|read|writ|access|connect|pars|retriev|gett|creat|updat|search|load|open|send|encounter|communicat|evaluat|analyz|generat|delet|list|download|upload|validat)(?:ing|ed)\b(?! (?:guide|strateg|best))/iy,
    trust: "wrapper",
    confidence: 0.92,
  },
  {
    id: "wrapper-place",
    pattern: /(?:an? |the )?(?:\w+ )?(?:error|exception|failure) (?:during|in|at|from|with|on) [^\n:]{1,60}:/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "other-language",
    pattern:
      /[^\n]{0,24}?(?:\u9519\u8bef|\u932f\u8aa4|\u5931\u8d25|\u5931\u6557|\u5f02\u5e38|\u65e0\u6cd5|\u4e0d\u5b58\u5728|\u30a8\u30e9\u30fc|\u043e\u0448\u0438\u0431\u043a\u0430|fehler|erreur|erro)\s*[:\uff1a!]/iy,
    trust: "opening",
    confidence: 0.75,
  },
  { id: "rpc-error", pattern: /(?:MCP|JSON-?RPC|RPC|gRPC) error\b/iy, trust: "wrapper", confidence: 0.95 },
  {
    id: "tool-failed",
    pattern:
      /(?:the )?(?:tool|function|action|command|operation|request|query|execution|task|script|call|api call|tool call|tool execution|function call|job)\b[^\n.:]{0,60}?\b(?:failed|timed out|was denied|was rejected|was blocked|was cancell?ed|was aborted|aborted|errored|returned an error|does not exist|not found|is not available|not recogni[sz]ed|terminated|killed|denied)\b/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "there-was",
    pattern:
      /(?:there (?:was|is|has been)|we (?:encountered|hit|got)|i (?:encountered|got)|got|encountered) an? (?:\w+ )?(?:error|exception|problem|issue)\b/iy,
    trust: "opening",
    confidence: 0.82,
  },
  {
    id: "status-line",
    pattern:
      /(?:status|result|outcome|success|ok|succeeded)\s*[:=]\s*["']?(?:error|fail(?:ed|ure)?|false|unsuccessful)\b/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "sql-code",
    pattern: /\(?\d{4} \([0-9A-Z]{5}\)|\(\d{4}, ["']|ORA-\d{4,5}|SQLSTATE\[/y,
    trust: "opening",
    confidence: 0.88,
  },
  {
    id: "errno",
    pattern:
      /\[?E(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|EXIST|INVAL|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|BUSY|MFILE|NOSPC|ROFS|HOSTUNREACH|NOTFOUND|AI_AGAIN|NOTEMPTY|XDEV|LOOP|NAMETOOLONG)\b/y,
    trust: "wrapper",
    confidence: 0.93,
  },
  {
    id: "error-word",
    pattern: /errors?(?=\s*[:!\]*]|\s+-\s|\s*$|\s*\n)(?!\s*:\s*\n?\s*\|)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "failed-to",
    pattern:
      /(?:fail(?:ed|s|ure)?(?: (?:to|with|due|because|while|when|after|on|at|in|validation|assertion|precondition)\b|\s*[:!]|[.,]?\s*$)|(?:was )?(?:unable|not able) to\b|(?:cannot|can't|can not|could not|couldn't) \w)/iy,
    trust: "opening",
    confidence: 0.82,
  },
  {
    id: "refusal",
    pattern:
      /(?:access|permission|authori[sz]ation|request|operation)(?: (?:is|was|has been))? (?:denied|refused|forbidden|rejected|blocked|not permitted)|forbidden\b|unauthori[sz]ed\b|not (?:authori[sz]ed|permitted|allowed)\b|authentication (?:failed|required|error)|not (?:authenticated|logged in)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "bad-input",
    pattern:
      /(?:[Ii]nvalid|INVALID|[Mm]issing|[Uu]nknown|[Uu]nsupported|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Ii]llegal|[Mm]alformed|[Uu]ndefined|[Bb]ad|[Nn]o such|[Ii]ncorrect|[Ww]rong|[Aa]mbiguous|\d{1,3} validation errors?)\s+(?:[a-z`'"<{[(]|[A-Z]{2})/y,
    trust: "opening",
    confidence: 0.78,
    upTo: 600,
  },
  { id: "not-found", pattern: /(?:[\w'"`-]+ ){0,3}not found\b/iy, trust: "opening", confidence: 0.78 },
  {
    id: "http-status",
    pattern:
      /(?:(?:http|status|response|error|code)\b[\s:/.\d-]{0,12}(?:error\s*|status\s*|code\s*|is\s*){0,2}[:\s]{0,3}[45]\d\d\b|[45]\d\d\s+(?:client |server )?(?:error|bad request|unauthori[sz]ed|forbidden|not found|method|conflict|gone|too many|internal|bad gateway|service|gateway|payment|unprocessable))/iy,
    trust: "opening",
    confidence: 0.88,
  },
  {
    id: "timeout",
    pattern:
      /(?:[\w'"`-]+ ){0,4}?(?:timed out|time[- ]?out\b(?!\s*[:=]\s*\d| (?:is|was|set|value)\b)|deadline exceeded)/iy,
    trust: "opening",
    confidence: 0.85,
    category: "timeout",
    upTo: 1000,
  },
  {
    id: "limit",
    pattern: /(?:rate limit|too many requests|quota|usage limit|throttl)/iy,
    trust: "opening",
    confidence: 0.85,
    category: "rate_limited",
  },
  {
    id: "connection",
    pattern:
      /(?:connection|network|socket|dns|ssl|tls)\b[^\n.:]{0,30}?(?:refused|reset|error|failed|closed|timed out|timeout|aborted|unreachable)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "crash",
    pattern:
      /(?:fatal(?: error)?\s*[:!]|panic:|segmentation fault|bus error|killed(?:[.!:]|\s*$|\s*\n)|aborted(?:[.!:]| by\b| after\b|\s*$|\s*\n)|core dumped|uncaught |unhandled |exception(?:\s*[:!(]| (?:in|occurred|was|thrown|while)\b)|traceback \(most)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "apology",
    pattern: /(?:i'm |i am |we're |we are )?(?:sorry|oops|whoops|unfortunately)[,.! ]/iy,
    trust: "opening",
    confidence: 0.7,
    upTo: 400,
  },
  {
    id: "cancelled",
    pattern:
      /(?:(?:the )?user (?:rejected|denied|declined|cancell?ed|interrupted|aborted|doesn't want|does not want|chose not)|(?:\[?request )?interrupted by user|(?:\w+ ){0,2}(?:cancell?ed|aborted) by (?:the )?user|(?:command|operation|request|call|execution|process|tool call|task) (?:was |has been )?(?:aborted|cancell?ed|interrupted))/iy,
    trust: "opening",
    confidence: 0.9,
    category: "cancelled",
  },
];

/** How long a text may be and still be a message rather than data, by what the tool does. */
const MESSAGE_LENGTH: Readonly<Record<ToolKind, number>> = {
  shell: Number.POSITIVE_INFINITY,
  edit: 6000,
  api: 3000,
  agent: 1500,
  sql: 3000,
  http: 1500,
  read: 600,
  search: 600,
};

/** The message a result starts with, if its first line is one. */
export function findLead(window: TextWindow, kind: ToolKind): Finding | undefined {
  const { text, end } = window;
  let { start } = window;
  DECORATION.lastIndex = start;
  if (DECORATION.test(text)) {
    start = Math.min(DECORATION.lastIndex, end);
  }
  HEADING.lastIndex = start;
  if (HEADING.test(text)) {
    start = Math.min(HEADING.lastIndex, end);
  }
  if (!isLetterOrDigit(text.charCodeAt(start))) {
    return undefined;
  }
  const short = end - window.start <= MESSAGE_LENGTH[kind];
  const label = labelOf(text, start, end);
  for (const rule of LEAD_RULES) {
    rule.pattern.lastIndex = start;
    const believed = rule.trust === "wrapper" || (short && (rule.upTo === undefined || end - start <= rule.upTo));
    const match = believed ? rule.pattern.exec(text) : null;
    if (match !== null && !deniedAt(text, start + match[0].length)) {
      return finding("failure", `lead-${rule.id}`, start, openingAt(text, start, end), rule.confidence, rule);
    }
  }
  if (
    label !== undefined &&
    short &&
    (LABEL_END.test(label) || LABEL_START.test(label)) &&
    !LABEL_DATA.test(label) &&
    !deniedAt(text, start + label.length)
  ) {
    return finding("failure", "lead-label", start, openingAt(text, start, end), 0.85);
  }
  return undefined;
}

/** The words before the first colon of the first line, if it is near. */
function labelOf(text: string, start: number, end: number): string | undefined {
  const head = text.slice(start, Math.min(end, start + 100));
  const colon = head.search(/[:\n]/);
  return colon > 0 && head[colon] === ":" ? head.slice(0, colon) : undefined;
}

/** Is the label followed by "nothing"? */
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

/** The opening of a message: the first line, and what explains it below. */
function openingAt(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + 500)).trimEnd();
}

/** The line that starts here, cut to what a person reads. */
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
