import type { Category } from "../../model/outcome.ts";
import type { ToolKind } from "../call/tool-kind.ts";

/** Rule for a sentence anywhere in a short result. */
export interface SentenceRule {
  readonly id: string;
  /** Prefixes for the prefilter, see {@link wordTriggers}. */
  readonly begins: string;
  readonly pattern: RegExp;
  readonly confidence: number;
  readonly category?: Category;
  /** Maximum offset; deep in a paragraph the words belong to prose. */
  readonly within?: number;
  /** Also applies if the result starts with "no …". */
  readonly emptyToo?: true;
  /** Excluded kinds, in whose results the words mean something else. */
  readonly notFor?: readonly ToolKind[];
}

/** Sentences of short results that report a failure. The first match decides. */
export const SENTENCE_RULES: readonly SentenceRule[] = [
  {
    id: "timeout",
    begins: "time exce dead took no_r no_a due_ beca",
    pattern:
      /\b(?:timed[ -]?out|time[ -]?out (?:of )?(?:[\d.,]+ ?[a-z]{1,12} )?(?:(?:was |is )?exceeded|reached|expired|elapsed|error|after)|(?:due to|because of) (?:an? |the )?(?:[\w-]+ ){0,2}time-?out|exceed(?:ed|ing|s) (?:the )?(?:[\w.]+ ){0,5}(?:time(?:out| ?limit)?|(?:milli)?seconds|minutes)|deadline exceeded|took (?:(?:(?:more|longer) than|over) \d|too long\b)|no (?:response|reply|answer) (?:was |has been )?(?:received|from|within|after)\b)/i,
    confidence: 0.85,
    category: "timeout",
  },
  {
    id: "connection",
    begins: "conn can' cann coul unab fail max_ maxi sock brok fetc",
    pattern:
      /\bconnect (?:error|failure)\b|\bconnection failure\b|\bconnection\b[^\n]{0,60}\b(?:refused|reset|aborted|unexpectedly closed|lost)\b|\b(?:can't|cannot|could not|couldn't|unable to|failed to) (?:connect|resolve)\b|\bmax(?:imum)? retries exceeded\b|\bsocket hang up\b|\bbroken pipe\b|\bfetch failed\b/i,
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
      /\b(?:did not|didn't|does not|doesn't) (?:understand|respond|succeed|complete|(?:exactly )?match (?:any|exactly)|work|recogni[sz]e|have an? (?:implementation|handler))\b/i,
    confidence: 0.75,
    within: 100,
    notFor: ["search", "read"],
  },
  {
    id: "absent",
    begins: "not_ does do_n don' no_l coul cann can' no_s",
    pattern:
      /\b(?:not found|(?:does not|doesn't|do not|don't) (?:appear to |seem to |currently |yet |actually )?exist|no longer exists?|(?:could not|cannot|couldn't|can't) be found|no such (?:file|dir|tool|function|table|user|column|host|command|module|key|\w+))\b/i,
    confidence: 0.8,
    notFor: ["search"],
  },
  {
    id: "refused",
    begins: "deni not_ forb proh disa bloc rest reje refu decl gran unau auth allo only miss outs have enab veri",
    pattern:
      /\b(?:(?:permission|access|request|authori[sz]ation)\b.{0,40}\bdenied|not permitted|(?:is|are|was|were) (?:not allowed|forbidden|prohibited|disallowed|blocked|restricted)|(?:has been|was|were) (?:denied|rejected|refused|declined|blocked)|not (?:authenticated|logged in|subscribed)|haven't granted|(?:not|un)[ -]?authori[sz]ed|access denied|permission denied|only [\w -]{1,40} (?:is|are) (?:allowed|permitted|supported|accepted)|missing (?:required )?(?:permissions?|access|scopes?|privileges?|credentials?)|not (?:inside|within|under) (?:[\w-]+ ){0,3}(?:allowed|permitted|workspace|working|project|sandbox)|outside (?:of )?(?:[\w-]+ ){0,2}(?:allowed|permitted|workspace|working|project|sandbox)|(?:not|n't) have (?:[\w-]+ ){0,3}(?:permissions?|access|rights?|privileges?)|enable javascript\b.{0,40} to (?:continue|proceed|view)|verify(?:ing)? (?:that )?you are (?:a |not a )?(?:human|robot)|(?:rejected|refused|blocked|declined)(?=: [^\d\n]))\b/i,
    confidence: 0.8,
  },
  {
    id: "failed",
    begins: "fail",
    pattern:
      /(?:[^0\w] |[a-z,.:'"`)\]] )(?:has |have |had |was |is |execution |operation )?failed\b(?!:? +0\b)(?=\s*(?:[:!,;)"']|\.(?:\s|$)|$|\(|(?:to|with|because|due|on|after|while|when|for|validation)\b))/i,
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
      /\b(?:(?:is|are|was|were|with|an?|has|have|been|the|of|for) (?:an? )?invalid|(?:had|contains?|uses|using|received|got|provided|given) (?:an? )?invalid|not (?:a )?valid|out of (?:bounds|range)|wrong (?:kind|type|number|format|value)|(?:is|are) (?:a )?required|required (?:property|parameter|field|argument|key)|missing (?:required |\d+ ){0,2}(?:positional |keyword(?:-only)? )?(?:key|param\w*|field|argument|property|value)|unexpected (?:keyword )?(?:argument|parameter|property)|not (?:enough|sufficient)|insufficient|must (?:be|have|match|contain|provide|specify|include|not|lie|fall|start|begin|end|equal|use|follow|fit|consist|differ|come|stay|reach)|not an? <\w+|not an? (?:\w+ )?(?:command|tool|function|option|number|integer|string|list|directory|file))\b/i,
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
    begins: "alre conf",
    pattern:
      /\b(?:already (?:exists?|in use|taken|registered|open)|conflicts? with (?:an? |the )?(?:existing|another|other))\b/i,
    confidence: 0.72,
    category: "precondition",
    notFor: ["shell", "search"],
  },
  {
    id: "oversized",
    begins: "exce too_ maxi beyo past more",
    pattern:
      /\b(?:exceeds? (?:the )?(?:max\w*|limit|allowed|size)|too (?:large|long|big) (?:to|for)|(?:file|input|output|result|content|payload) (?:is )?too (?:large|long|big)|too many (?:results|matches|rows|items|files|tokens|lines|characters|records|entries|arguments)|maximum (?:allowed )?(?:context|token|file|request|payload|upload|message|input|prompt)\b|more than (?:can be|is allowed|are allowed|allowed)|(?:beyond|past) the (?:end|limit|last|range|bounds|maximum))\b/i,
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
      /\b(?:not (?:available|mergeable|reachable|accessible|writable|editable|refundable|cancell?able|executable|present|supported|implemented|enabled|installed|configured|running|defined|recogni[sz]ed|registered|connected)|(?:is|are|was) (?:unavailable|unsupported|disabled)|unavailable tool|unsupported (?:\w+ ){0,3}call|not recognized as)\b/i,
    confidence: 0.75,
  },
  {
    id: "error",
    begins: "erro exce err_",
    pattern:
      /\b(?:an? (?:\w+ )?(?:error|exception) (?:has )?(?:occurred|happened|was|while)|encountered an? (?:\w+ )?(?:error|exception|problem)|net::ERR_\w+|ERR_[A-Z_]{4,40}|(?:returned|threw|raised|with|got|received|transport|internal|server|network|syntax|connect(?:ion)?|validation|http|api|runtime|type|i\/o|disk|fatal|pars(?:e|ing)|dns|protocol|auth\w{0,12}|database|sql|query|permission|device|hardware|socket|ssl|tls|proxy|rpc|configuration|decoding|encoding|conversion|memory|unknown|unexpected) (?:an? )?(?:\w+ )?error|error (?:code:? (?!0\b|2\d\d)[\w-]|occurred|while|processing)|(?:an?|unhandled|uncaught|with|threw|got|raised) (?:\w+ )?exception|exception (?:occurred|raised|thrown|while|caught|in thread))\b/i,
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
    id: "not-done",
    begins: "not_",
    pattern:
      /^[\w' -]{1,60}\b(?<!if |when |unless )not (?:been )?(?:sent|saved|created|updated|deleted|applied|booked|processed|executed|uploaded|submitted|added|removed)\b/i,
    confidence: 0.75,
    notFor: ["shell", "search", "read", "prose"],
  },
  {
    id: "do-first",
    begins: "use_ call run_ open crea star navi conn log_ logi load sele set_ init",
    pattern:
      /\b(?:use|call|run|open|create|start|navigate|connect|log ?in|load|select|set|initiali[sz]e)\b[^.\n]{1,80} first\b(?=[.!]?\s*(?:$|\n))/i,
    confidence: 0.75,
    category: "precondition",
    notFor: ["shell", "search", "read", "prose"],
    emptyToo: true,
  },
  {
    id: "please",
    begins: "plea",
    pattern:
      /^(?:[^\n]{0,100}[.:,;!] )?please (?:first )?(?:run|log ?in|sign ?in|(?:re-?)?authenticate|set|install|configure|provide|specify|supply|enable|try|retry|correct)\b/i,
    confidence: 0.72,
    emptyToo: true,
    notFor: ["search", "read", "prose"],
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
