import type { Category, Phase } from "../model/outcome.ts";
import { clientError } from "./http-status.ts";
import { otherLanguageCategory } from "./text/localized-errors.ts";
import { candidateRules, wordTriggers } from "./text/rule-prefilter.ts";

/** Category rules in order of precedence: the first match decides. Each lists its word prefixes for the prefilter. */
export const CATEGORY_RULES: readonly (readonly [Category, string, RegExp])[] = [
  [
    "cancelled",
    "user inte canc abor reje keyb sigi",
    /\b(?:user (?:rejected|declined|denied|cancell?ed|interrupted|aborted|doesn't want|does not want)|interrupted by (?:the )?user|(?:was|been|operation|command|request|by user) (?:cancell?ed|aborted|interrupted)|(?:cancell?ed|aborted|rejected) by (?:the )?user|Keyboard ?Interrupt|SIGINT|Abort ?Error|tool use was rejected|command aborted)\b/i,
  ],
  [
    "timeout",
    "time took dead etim",
    /\b(?:timed?[ -]?out|timeout|time limit|took (?:(?:more|longer) than \d+|too long)|deadline exceeded|ETIMEDOUT|TimeoutError|Timeout ?Expired)\b/i,
  ],
  [
    "rate_limited",
    "# rate too_ quot thro reso over",
    /\b(?:429|rate[ -]?limit\w*|too many requests|too quickly|quota|throttl\w+|RESOURCE[_ ]EXHAUSTED|overloaded)\b/i,
  ],
  [
    "auth",
    "# unau not_ host publ acce cred inva auth miss inco expi bad_ wron no_t no_k no_c no_p no_a no_b api_ apik logi log_ loca find load toke sess coul reau logg sign acco",
    /\b(?:401|407|unauthori[sz]ed(?! ?operation)|not authenticated|host key verification|publickey|access denied for user|(?:unable to |could not |can't |cannot )?(?:locate|find|load) credentials|invalid[ _](?:auth|grant)|unauthenticated|authentication(?! scopes)|(?:invalid|missing|incorrect|expired|bad|wrong|no) (?:api[ _-]?|access |auth\w* |bearer )?(?:key|token|credentials?|password)|api[ _-]?key|not subscribed|(?:token|session|credentials?)\b.{0,30}\b(?:expired|revoked)|could(?: not|n't) (?:authenticate|read (?:user ?name|password))|reauthenticat\w+|login required|(?:must be|need to be|please|is|has to be) (?:currently )?(?:authenticated|logged in|signed in)|(?:please|need to|must|run ['"`]?\w{1,20}(?: auth)?) (?:log|sign) ?in|(?:token|key|password|pin|credentials?) (?:is|are|was|were) (?:invalid|incorrect|wrong|not (?:valid|correct))|active account|not logged in|log in first|UNAUTHENTICATED)\b/i,
  ],
  [
    "permission_denied",
    "# eacc eper enab huma perm deni forb not_ insi have acce bloc sand poli read insu with robo disa refu hook outs miss requ",
    /\b(?:403|EACCES|EPERM|permissions?|denied|forbidden|not permitted|not allowed|not authori[sz]ed|haven't granted|access denied|blocked|sandbox(?! ?\.\w)(?! was)|policy|read-only|missing scopes?|requires \w+ access|insufficient (?:permissions?|privileges?|scopes?|authentication scopes)|within the (?:workspace|allowed|working)|robots\.txt|disallowed|refused by|hook error|outside (?:of )?(?:the |any |this )?(?:allowed|permitted|workspace|working|project|sandbox)|enable java ?script|you are (?:a )?human|(?:inside|within) (?:any|an|one of the) (?:allowed|permitted))\b/i,
  ],
  [
    "unknown_tool",
    "-32 meth unkn no_s unav unsu unre inva none tool func acti is_n does avai not_ no_t",
    /\b(?:-32601|method not found|(?:unknown|no such|unavailable|unsupported|unrecogni[sz]ed|invalid|nonexistent) (?:tool|function|action|command name|custom tool|method)\b|unsupported (?:custom tool )?call|(?:tool|function|action) ["'`]?[\w./:-]{1,80}["'`]? (?:not found|does not exist|is not (?:available|registered|defined|a valid|enabled)|exists but is not enabled)|is not a valid tool|does not have an? implementation|available (?:tools|actions|functions) ?(?:are)?:|not found in registry|no tool (?:named|called|with))/i,
  ],
  [
    "invalid_arguments",
    "-32 inpu vali inva miss requ unex unkn unre must fail coul json sche rege uncl malf out_ zode expe type bad_ not_ ille unab",
    /(?:-32602|-32600|\b(?:InputValidationError|validation errors?|ValidationError|invalid (?:arguments?|params?|parameters?|input|request|value|type|json|url|format|option)|(?:missing|required|unexpected|unknown|unrecogni[sz]ed) (?:\d+ )?(?:required )?(?:positional |keyword |field|argument|parameter|property|param|key|option|name|token)s?|required property|(?:is|are) (?:a )?required|must (?:be(?! (?:[\w-]+ ){1,3}before)|have|match|contain|provide|specify|not|lie)|illegal (?!operation)|unable to parse|unexpected keyword argument|missing field|failed to parse (?:\w+ ){0,3}arguments|could not be parsed as JSON|JSON parsing failed|schema|regex parse error|not a valid|failed validation|validation failed|missing input|unclosed group|invalid (?!operation|state|cast)[a-z]+|could not (?:be )?parsed?|(?:is|are) out of (?:bounds|range)|malformed|Zod ?Error|Input should be|is not of type|Expected \w+, received|type mismatch|bad request)\b)/i,
  ],
  [
    "precondition",
    "has_ not_ stri text cont old_ olds patt snip sear coul find no_c no_r no_m must mult modi stal alre eexi file firs veri call use_ run_ crea open load navi curr conf out_ does did_ expe insu cann need no_o no_a exac the_ line bloc fail no_s stil stat befo only less",
    /\b(?:has not been read|not been read yet|(?:string|text|content|old[ _]?str\w*|pattern|snippet|search block)\b.{0,30}\b(?:not found|did not (?:appear|match)|does(?:n't| not) (?:exist|match|appear))|could not find (?:the |exact )*(?:exact |old\w* ?)(?:string|text|match)?|old[ _]?string|no changes (?:were )?made|no replacement|no match(?:ing)? (?:found )?for|must match exactly|multiple (?:matches|occurrences)|modified since|stale|(?:string|text|lines?|block|content) to (?:replace|edit|match)|(?:does|did) not match|expected \d+ occurrences?|insufficient (?:\w+ ){0,2}(?:balance|funds|stock|inventory|credit)|cannot be (?:cancell?ed|modified|changed|returned|exchanged|refunded|merged)|not mergeable|failed to (?:exactly )?match|no (?:\w+ ){1,3}match found|needs? to be|no (?:open|active) (?:page|tab|session|connection|device|window|file|document|browser)|not enough|(?:must|needs?|ha(?:s|ve) to|start|stop|open|call|run|please)\b[^.\n]{0,60} before\b|only (?:[\w-]+ ){1,3}can\b|less than|already \w+ed|out of stock|(?:exactly )?the same\.|already (?:exists|refunded|allocated|shipped|cancell?ed|closed|in use|taken|running)|still in use|state lock|EEXIST|file exists|not empty|first\b.{0,20}$|verification failed|(?:call|use|run|create|open|load|navigate) .{0,80} first|currently (?:loaded|open)|conflict|out of date|does not apply|not initiali[sz]ed)\b/i,
  ],
  [
    "oversized",
    "# too_ exce maxi max_ payl cont e2bi enob maxb",
    /\b(?:413|too (?:large|long|big)|exceeds? (?:the )?(?:maximum|max|limit|allowed)|maximum (?:context|length|size)|payload too large|content length|max(?:imum)? (?:allowed )?tokens|E2BIG|ENOBUFS|max ?Buffer)\b/i,
  ],
  [
    "network",
    "econ enot eai_ ehos enet epip geta fetc can' cann coul unab fail was_ conn reso name netw no_r tran sock ssl_ tls_ cert max_ unre net_ prox dns_ err_",
    /(?:\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI[_ ]AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|getaddrinfo|fetch failed|(?:can't|cannot|could not|couldn't|unable to|failed to) connect|resolve (?:host|hostname|address|name|proxy|dns|[\w-]+\.[a-z]{2,})|was refused|connection to (?:the )?server|connection (?:refused|reset|error|closed|aborted|issue|failed)|name resolution|name or service not known|network (?:error|is unreachable|unreachable)|no route to host|transport error|socket hang up|SSL|TLS|certificate|max retries exceeded|Connection ?Error|unreachable|net::ERR|proxy error|DNS)\b)/i,
  ],
  [
    "crash",
    "sigs sigk siga sigb segm core kill cras died pani out_ outo oom_ heap bus_ stac brow targ proc work fail",
    /(?:\b(?:SIGSEGV|SIGKILL|SIGABRT|SIGBUS|segmentation fault|core dumped|killed|crashed|died|panicked|panic:|out of memory|OutOfMemory|OOM|heap out|bus error|stack overflow|browser (?:process|has been closed|closed)|target closed|process (?:gone|crashed|exited|has exited)|worker (?:died|crashed)|failed to launch)\b)/i,
  ],
  [
    "not_found",
    "# enoe not_ foun no_? nobo can' nxdo does do_n cann coul unab no_l file modu impo no_m unkn miss exec did_",
    /(?:\b(?:404|ENOENT|not found|no \w+ found|no such|does(?:n't| not) (?:(?:appear|seem) to )?exist|(?:did|does) not resolve|could not be resolved|no \w+ matching|nobody with|do not exist|cannot find|could(?: not|n't) (?:find|locate|be found)|can't find|NXDOMAIN|no \w+ (?:with|named|called)|unable to (?:find|locate)|no longer exists|FileNotFoundError|ModuleNotFoundError|Import ?Error|No module named|Cannot access|unknown (?:host|column|table|id)|missing|NOT_FOUND|cannot be found|is not recognized as|Executable doesn't exist)\b)/i,
  ],
  [
    "build_failure",
    "erro coul comp buil unde ld_",
    /(?:\berror TS\d{3,5}\b|\berror\[E\d{4}\]|could not compile|(?<!SQL )compilation (?:failed|failure|error)|build failed|BUILD FAILURE|undefined reference|ld returned \d|\bld: )/i,
  ],
  [
    "test_failure",
    "fail test asse",
    /(?:(?<![.:\d])\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|AssertionError|test failed|tests failed|--- FAIL|FAILED \()/i,
  ],
];

/** A number that can only be an HTTP status. */
const HTTP_STATUS =
  /(?:\b(?:status(?:[ _]code)?|http(?:\/[\d.]+)?(?: error)?|code|error|response|upstream|server|gateway|proxy|backend|returned|responded(?: with)?)["']?[ :=(#!-]{1,4}(?:code |status |is |error )?["']?([45]\d\d)\b(?!\.?\d)|\b([45]\d\d) (?:client |server )?(?:error|bad|unauthori|forbidden|not found|method|conflict|gone|too many|internal|service|gateway|unprocessable|payment))/i;

/** Server errors described without a status number. */
const SERVER_WORDS =
  /\b(?:internal server error|bad gateway|service unavailable|gateway time-?out|(?:^|internal |http |remote )server error|INTERNAL[_ ]ERROR|temporarily unavailable)\b/i;

/** Prefilter of the rules, with two additional bits for server errors and for localized errors. */
const TRIGGERS = wordTriggers([
  ...CATEGORY_RULES.map(([, words]) => words),
  "# inte bad_ serv gate temp",
  "~ no_e no_s fehl erre nich kein impo intr acce niet misl fall falh",
]);
const SERVER_BIT = 1 << CATEGORY_RULES.length;
const OTHER_LANGUAGE_BIT = SERVER_BIT << 1;

/** Messages name the cause early. */
const MESSAGE_LENGTH = 180;

/** Returns the category of a failure's text, or undefined if no rule matches. */
export function categorize(words: string, exitCode: number | undefined): Category | undefined {
  const byCode = exitCode === undefined ? undefined : categoryOfExit(exitCode, words);
  if (byCode !== undefined) {
    return byCode;
  }
  // The first line names the cause; the next ones are used only if it has no category.
  const newline = words.indexOf("\n");
  return newline === -1
    ? categoryOfWords(words.slice(0, MESSAGE_LENGTH))
    : (categoryOfWords(words.slice(0, Math.min(newline, MESSAGE_LENGTH))) ??
        categoryOfWords(words.slice(newline + 1, newline + 1 + MESSAGE_LENGTH)));
}

/** Error names such as `channel_not_found` or `AccessDenied` are split into words that the rules match. */
const ONE_WORD = /_|[a-z][A-Z]/;

function spelledOut(text: string): string {
  return text.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
}

function categoryOfWords(words: string): Category | undefined {
  const text = ONE_WORD.test(words) ? spelledOut(words) : words;
  const called = candidateRules(TRIGGERS, text, 0, text.length);
  const best = CATEGORY_RULES.findIndex(([, , pattern], index) => (called & (1 << index)) !== 0 && pattern.test(text));
  const category = CATEGORY_RULES[best]?.[0];
  if (best !== -1 && best < HTTP_PRECEDENCE) {
    return category;
  }
  return (
    ((called & SERVER_BIT) === 0 ? undefined : httpCategory(text)) ??
    category ??
    ((called & OTHER_LANGUAGE_BIT) === 0 ? undefined : otherLanguageCategory(text))
  );
}

/** An HTTP status has precedence over `network` and the rules after it, but not over those before. */
const HTTP_PRECEDENCE = CATEGORY_RULES.findIndex(([category]) => category === "network");

function httpCategory(text: string): Category | undefined {
  const status = HTTP_STATUS.exec(text);
  const number = status?.[1] ?? status?.[2];
  if (number !== undefined) {
    return number.startsWith("5") ? "http_server_error" : clientError(number);
  }
  return SERVER_WORDS.test(text) ? "http_server_error" : undefined;
}

/** Categories of exit codes with a fixed meaning. */
function categoryOfExit(code: number, words: string): Category | undefined {
  switch (code) {
    case 124:
      return "timeout";
    case 126:
      return "permission_denied";
    case 127:
      return "not_found";
    case 130:
    case -2:
      return "cancelled";
    case 132:
    case 134:
    case 135:
    case 136:
    case 137:
    case 139:
    case -6:
    case -9:
    case -11:
      return /tim(?:ed? ?out|e limit)/i.test(words) ? "timeout" : "crash";
    case 143:
    case -15:
      return /tim(?:ed? ?out|e limit)/i.test(words) ? "timeout" : "cancelled";
    default:
      return undefined;
  }
}

/** Refusals by a user, a rule or a policy before the call ran. */
const GATE =
  /(?:haven't granted|requested permissions|has been denied|was denied|denied by|hook error|blocked by|was blocked|not allowed by|policy|by (?:the )?user|user (?:rejected|declined|denied|doesn't|does not)|tool use was rejected|approval|permission to (?:use|run)|sandbox)/i;

/** Derives the phase from the category and the text, if nothing else determines it. */
export function phaseOf(category: Category, words: string): Phase {
  switch (category) {
    case "unknown_tool":
    case "invalid_arguments":
      return "call";
    case "precondition":
      return "call";
    case "permission_denied":
    case "cancelled":
      return GATE.test(words) ? "gate" : "run";
    default:
      return "run";
  }
}
