import type { Category, Phase } from "../../model/outcome.ts";
import type { ToolKind } from "../call/tool-kind.ts";

/** Rule for a message at the very start of a result. */
export interface FirstLineRule {
  readonly id: string;
  /** Prefixes for the prefilter, see {@link wordTriggers}. */
  readonly begins: string;
  /** Sticky and case-insensitive; tried once, at the first word. */
  readonly pattern: RegExp;
  /**
   * `wrapper`: written by clients and servers around a failure, applies at any length. `opening`: only to short text.
   */
  readonly trust: "wrapper" | "opening";
  readonly confidence: number;
  readonly category?: Category;
  readonly phase?: Phase;
  /** Maximum text length, for words that are common in prose. */
  readonly upTo?: number;
  /** Excluded kinds, whose results may start with these words without a failure. */
  readonly notFor?: readonly ToolKind[];
}

/** Starts of results that report a failure. */
export const FIRST_LINE_RULES: readonly FirstLineRule[] = [
  {
    id: "wrapper-prefix",
    begins: "erro",
    pattern:
      /(?:an? |the )?(?:\w+ )?errors?(?: \w+)? (?:while |when |during |in |on )?(?:execut|call|runn|invok|process|perform|occurr|fetch|read|writ|access|connect|pars|retriev|gett|creat|updat|search|load|open|send|encounter|communicat|evaluat|analyz|generat|delet|list|download|upload|validat)(?:ing|ed)\b(?! (?:guide|strateg|best))/iy,
    trust: "wrapper",
    confidence: 0.92,
  },
  {
    id: "wrapper-place",
    begins: "erro exce fail",
    pattern: /(?:an? |the )?(?:\w+ )?(?:error|exception|failure) (?:during|in|at|from|with|on) [^\n:]{1,60}:/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "other-language",
    begins: "~ fehl erre erro",
    pattern:
      /[^\n]{0,24}?(?:\u9519\u8bef|\u932f\u8aa4|\u5931\u8d25|\u5931\u6557|\u5f02\u5e38|\u65e0\u6cd5|\u4e0d\u5b58\u5728|\u30a8\u30e9\u30fc|\u043e\u0448\u0438\u0431\u043a\u0430|\uc624\ub958|\uc2e4\ud328|fehler|erreur|erro|errore|error al [^\n:]{1,60})\s*[:\uff1a!]/iy,
    trust: "opening",
    confidence: 0.75,
  },
  {
    id: "rpc-error",
    begins: "erro unkn no_s unre",
    pattern:
      /(?:(?:MCP|JSON-?RPC|RPC|gRPC) error\b|(?:[\w.-]{1,30} ){0,2}API error(?=: | \(|: ?\n| \d)|(?:unknown|unrecogni[sz]ed|no such) tool\b(?=:| name| called| ["'`]))/iy,
    trust: "wrapper",
    confidence: 0.95,
  },
  {
    id: "tool-failed",
    begins: "fail time does has_ deni reje bloc canc abor erro retu not_ term kill did_ didn inva miss",
    pattern:
      /(?:the )?(?:tool|function|action|command|operation|request|query|execution|task|script|call|api call|tool call|tool execution|function call|job)\b[^\n.:]{0,60}?\b(?:failed|timed out|does not have|has no|was denied|was rejected|was blocked|was cancell?ed|was aborted|aborted|errored|returned an error|does not exist|not found|is not available|not recogni[sz]ed|terminated|killed|denied|(?:did not|didn't|does not|doesn't) (?:match|conform|accept|support|pass|validate|satisfy|complete)|is (?:invalid|missing))\b/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "kind-of-error",
    begins: "erro divi",
    pattern:
      /(?:syntax|parse|parsing|runtime|compile|compilation|internal|server|network|connection|validation|permission|type|value|key|index|unexpected|unknown) error\b(?! (?:rate|codes?|handling|messages?))|division by zero\b/iy,
    trust: "opening",
    confidence: 0.82,
    upTo: 3000,
  },
  {
    id: "there-was",
    begins: "erro exce prob issu",
    pattern:
      /(?:there (?:was|is|has been)|you have|we (?:encountered|hit|got)|i (?:encountered|got)|got|encountered) an? (?:\w+ )?(?:error|exception|problem|issue)\b/iy,
    trust: "opening",
    confidence: 0.82,
  },
  {
    id: "status-line",
    begins: "erro fail fals unsu",
    pattern:
      /(?:status|result|outcome|success|ok|succeeded)\s*[:=]\s*["']?(?:error|fail(?:ed|ure)?|false|unsuccessful)\b/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "sql-code",
    begins: "*",
    pattern: /\(?\d{4} \([0-9A-Z]{5}\)|\(?\d{4}, ["']|ORA-\d{4,5}|SQLSTATE\[/y,
    trust: "opening",
    confidence: 0.88,
  },
  {
    id: "errno",
    begins: "enoe eacc eper eisd enot eexi einv econ etim epip ebus emfi enos erof ehos eai_ exde eloo enam",
    pattern:
      /\[?E(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|EXIST|INVAL|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|BUSY|MFILE|NOSPC|ROFS|HOSTUNREACH|NOTFOUND|AI_AGAIN|NOTEMPTY|XDEV|LOOP|NAMETOOLONG)\b/y,
    trust: "wrapper",
    confidence: 0.93,
  },
  {
    id: "error-word",
    begins: "erro err_",
    pattern: /(?:errors?(?=\s*[:!\])*]|\s+-\s|\s*$|\s*\n)(?!\s*:\s*\n?\s*\|)|err (?=[a-z]))/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "failed-to",
    begins: "fail unab not_ cann can' can_ coul",
    pattern:
      /(?:fail(?:ed|s|ure)?(?: (?:to|with|due|because|while|when|after|on|at|in|validation|assertion|precondition)\b|\s*[:!]|[.,]?\s*$)|(?:was )?(?:unable|not able) to\b|(?:cannot|can't|can not|could not|couldn't) \w)/iy,
    trust: "opening",
    confidence: 0.82,
  },
  {
    id: "refusal",
    begins: "deni refu forb reje bloc not_ unau auth",
    pattern:
      /(?:access|permission|authori[sz]ation|request|operation)(?: (?:is|was|has been))? (?:denied|refused|forbidden|rejected|blocked|not permitted)|forbidden\b|unauthori[sz]ed\b|not (?:authori[sz]ed|permitted|allowed)\b|authentication (?:failed|required|error)|not (?:authenticated|logged in)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "bad-input",
    begins: "inva miss unkn unsu unre unex ille malf unde bad_ no_s inco wron ambi vali",
    pattern:
      /(?:[Ii]nvalid|INVALID|[Mm]issing|[Uu]nknown|[Uu]nsupported|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Ii]llegal|[Mm]alformed|[Uu]ndefined|[Bb]ad|[Nn]o such|[Ii]ncorrect|[Ww]rong|[Aa]mbiguous|\d{1,3} validation errors?)\s+(?:[a-z`'"<{[(]|[A-Z]{2})/y,
    trust: "opening",
    confidence: 0.78,
    upTo: 600,
  },
  {
    id: "incomplete-call",
    begins: "must requ acce expe",
    pattern:
      /(?:(?:you )?must (?:provide|specify|supply|pass|include)\b|(?:requires|accepts|expects|expected) (?:at least |at most |exactly |between )?\d+ (?:positional |more )?arg)/iy,
    trust: "opening",
    confidence: 0.78,
    category: "invalid_arguments",
    upTo: 1000,
    notFor: ["read", "search", "prose", "http", "agent"],
  },
  {
    id: "not-found",
    begins: "not_ no_? nobo none",
    pattern:
      /(?:(?:[\w'"`-]+ ){0,3}not found\b|(?:there (?:is|was|are|were) )?(?:(?:no [\w-]+|nobody|no one|none) (?:with|named|called)|no such [\w-]+) \S|no (?:[\w-]+ ){1,4}(?:with|for|matching) (?:the )?(?:given |specified )?(?:id|name|key|ref|number)\b)/iy,
    trust: "opening",
    confidence: 0.78,
  },
  {
    id: "error-class",
    begins: "erro exce faul notf deni fail",
    pattern:
      /(?:[\w$.]{1,60}: )?(?:[\w$]{1,40}[.:]{1,2}){0,4}[A-Z][\w$]{0,60}(?:Error|Exception|Fault|NotFound|Denied|Failure)(?=[\])]{0,2}:|\) |\(["'])/y,
    trust: "opening",
    confidence: 0.87,
    upTo: 6000,
  },
  {
    id: "noun-failed",
    begins: "fail cras died erro brok",
    pattern:
      /(?!attempt |\d{4})(?:[\w'/.-]{1,40} ){1,4}?(?:has |have |was )?(?<!attempt )(?:failed|crashed|died|errored out|broke down)(?=\s*(?:[:!(]|\.?\s*$|[.,]?\n|(?:at|to|with|due|because|while|when|after|before)\b))/imy,
    trust: "opening",
    confidence: 0.8,
    upTo: 600,
    notFor: ["read", "search", "prose"],
  },
  {
    id: "status-first",
    begins: "#",
    pattern: /(?:40[0-689]|41[0-7]|42[2-9]|431|451|50[0-8]|511)(?: [A-Z][a-z]+){1,2}(?: [a-z]|:| [A-Z]?[a-z]+:)/y,
    trust: "opening",
    confidence: 0.82,
    upTo: 600,
    notFor: ["shell", "read", "search", "prose"],
  },
  {
    id: "http-status",
    begins: "#",
    notFor: ["shell", "prose"],
    pattern:
      /(?:(?:http|status|response (?:code|status)|error|code)\b[\s:/.\d-]{0,12}(?:error\s*|status\s*|code\s*|is\s*){0,2}[:\s]{0,3}[45]\d\d\b|[45]\d\d\s+(?:client |server )?(?:error|bad request|unauthori[sz]ed|forbidden|not found|method|conflict|gone|too many|internal|bad gateway|service|gateway|payment|unprocessable))/iy,
    trust: "opening",
    confidence: 0.88,
  },
  {
    id: "timeout",
    begins: "time dead",
    pattern:
      /(?:[\w'"`-]+ ){0,4}?(?:timed out|time[- ]?out\b(?!\s*[:=]\s*\d| (?:is|was|set|value)\b)|deadline exceeded)/iy,
    trust: "opening",
    confidence: 0.85,
    category: "timeout",
    upTo: 1000,
  },
  {
    id: "limit",
    begins: "rate too_ quot usag thro",
    pattern: /(?:rate limit|too many requests|quota|usage limit|throttl)/iy,
    trust: "opening",
    confidence: 0.85,
    category: "rate_limited",
  },
  {
    id: "connection",
    begins: "conn netw sock dns_ ssl_ tls_",
    pattern:
      /(?:connection|network|socket|dns|ssl|tls)\b[^\n.:]{0,30}?(?:refused|reset|error|failed|closed|timed out|timeout|aborted|unreachable)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "crash",
    begins: "fata pani segm bus_ kill abor core out_ unca unha exce trac",
    pattern:
      /(?:fatal(?: error)?\s*[:!]|panic:|segmentation fault|bus error|killed(?:[.!:]|\s*$|\s*\n)|aborted(?:[.!:]| by\b| after\b|\s*$|\s*\n)|core dumped|(?:\w+ )?out of memory\b|uncaught |unhandled |exception(?:\s*[:!(]| (?:in|occurred|was|thrown|while)\b)|traceback \(most)/iy,
    trust: "opening",
    confidence: 0.85,
  },
  {
    id: "apology",
    begins: "sorr oops whoo unfo",
    pattern: /(?:i'm |i am |we're |we are )?(?:sorry|oops|whoops|unfortunately)[,.! ]/iy,
    trust: "opening",
    confidence: 0.7,
    upTo: 400,
    notFor: ["read", "search", "prose", "shell", "http"],
  },
  {
    id: "cancelled",
    begins: "user inte canc abor",
    pattern:
      /(?:(?:the )?user (?:rejected|denied|declined|cancell?ed|interrupted|aborted|doesn't want|does not want|chose (?:not )?to|skipped)|(?:\[?request )?interrupted by user|(?:\w+ ){0,2}(?:cancell?ed|aborted) by (?:the )?user|(?:command|operation|request|call|execution|process|tool call|task) (?:was |has been )?(?:aborted|cancell?ed|interrupted))/iy,
    trust: "opening",
    confidence: 0.9,
    category: "cancelled",
  },
];
