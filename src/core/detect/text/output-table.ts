import type { Category } from "../../model/outcome.ts";

/** Rule for a line near the end of a program's output that reports a failure. */
export interface LineRule {
  readonly id: string;
  /** Prefixes for the prefilter, see {@link wordTriggers}. */
  readonly begins: string;
  /** Sticky: tried at the start of a line. */
  readonly pattern: RegExp;
  readonly confidence: number;
  readonly category?: Category;
  /** A substring of every match, if searching for it is cheaper than the pattern. */
  readonly needs?: string;
  /** Maximum line number from the end; 1 is the last line. */
  readonly within: number;
}

/** Last lines of failed programs. The first match decides, so specific rules come first. */
export const LINE_RULES: readonly LineRule[] = [
  {
    id: "make",
    begins: "make gmak ninj cmak erro",
    pattern: /(?:g?make(?:\[\d+\])?: \*\*\* |ninja: build stopped|cmake error|\*\*\* error code \d)/iy,
    confidence: 0.88,
    category: "build_failure",
    within: 8,
  },
  {
    id: "rust",
    begins: "erro",
    pattern: /error: (?:could not compile|aborting due to)/iy,
    confidence: 0.9,
    category: "build_failure",
    within: 10,
  },
  {
    id: "build-failed",
    begins: "buil erro fail comp foun prob",
    pattern:
      /(?:BUILD (?:FAILED|FAILURE)|\[ERROR\] BUILD FAILURE|FAILURE: Build failed|Build (?:failed|FAILED)|\[ERROR\] Failed to execute goal|[Cc]ompilation (?:failed|terminated|aborted)|Failed to compile|[\u2716\u2717\u00d7] [1-9]\d{0,5} problems? \([1-9]\d{0,5} errors?|Found [1-9]\d{0,5} errors?\b)/y,
    confidence: 0.85,
    category: "build_failure",
    within: 14,
  },
  {
    id: "npm",
    begins: "npm_ err_ erro elif yarn",
    pattern:
      /(?:npm (?:ERR!|error)|(?:\s?ERR_PNPM|\u2009?ERR_PNPM)|error (?:Command|An unexpected|Couldn't|Could not|Failed|Incorrect|Missing|Invalid|Unknown|Found incompatible) |\u00a0?ELIFECYCLE|yarn run v\S{0,20} failed)/iy,
    confidence: 0.85,
    within: 14,
  },
  {
    id: "test-summary",
    begins: "fail erro test exam",
    pattern:
      /[ \t]{0,12}(?:=+ .{0,60}?\b[1-9]\d{0,5} (?:failed|errors?)\b[^\n]{0,80}=+|FAILED \((?:failures|errors)=|Tests?:?\s+(?:[^\n]{0,40}\b)?[1-9]\d{0,5} failed|[1-9]\d{0,5} (?:tests? )?fail(?:ed|ing|ures?)\b(?=\s*(?:[,|;.]|$|in \d|out of))|# fail [1-9]|\u2139 fail [1-9]|--- FAIL: |FAIL\s+\S+|FAIL$|The following tests? FAILED|test result: FAILED|FAILURES!|\d+ (?:examples?|tests?|specs?|checks?|scenarios?|assertions?|doctests?)(?:, \d+ [a-z]{1,14}){0,3}, [1-9]\d{0,5} (?:failures?|failed|errors?)\b|Tests run: \d+, Failures: [1-9])/my,
    confidence: 0.87,
    category: "test_failure",
    within: 14,
  },
  {
    id: "test-count",
    begins: "fail erro",
    pattern: /[^\n=]{0,60}?\b[1-9]\d{0,5} (?:tests? failed\b|errors? in \d)/iy,
    confidence: 0.87,
    category: "test_failure",
    within: 8,
  },
  {
    id: "compiler",
    begins: "erro fata",
    needs: "rror",
    pattern:
      /[^\s:(][^\n:(]{0,200}(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}(?::\d{1,7})?):? (?:\s*-? ?)(?:fatal )?error\b(?![-_./])/iy,
    confidence: 0.87,
    category: "build_failure",
    within: 14,
  },
  {
    id: "format-check",
    begins: "woul issu",
    pattern:
      /(?:[1-9]\d{0,5} files? would (?:be|have been) (?:re)?(?:formatted|sorted|changed|fixed)|(?:\[\w{1,8}\] )?(?:code style|formatting|style) issues (?:were )?found)\b/iy,
    confidence: 0.8,
    category: "build_failure",
    within: 3,
  },
  {
    id: "go-compiler",
    begins: "unde cann synt expe miss coul not_ rede mism decl",
    needs: ".go:",
    pattern:
      /(?:vet: )?[^\s:]{1,200}\.go:\d{1,7}:\d{1,7}: (?:undefined|cannot|syntax error|expected|missing|could not|[^\n]{0,80}\b(?:not used|redeclared|mismatched))/y,
    confidence: 0.87,
    category: "build_failure",
    within: 8,
  },
  {
    id: "timeout-line",
    begins: "time exce",
    pattern:
      /[[(<]?(?:the )?(?:command|process|script|execution|operation|tool|shell)\b[^\n]{0,60}\b(?:timed out|exceed(?:ed|ing) (?:the )?(?:\w+ )?time)/iy,
    confidence: 0.9,
    category: "timeout",
    within: 4,
  },
  {
    id: "abort-line",
    begins: "abor canc inte kill term",
    pattern:
      /[[(<]?(?:the )?(?:command|process|script|execution|operation)\b(?: was| has been)? (?:aborted|cancell?ed|interrupted|killed|terminated)\b/iy,
    confidence: 0.88,
    category: "cancelled",
    within: 2,
  },
  {
    id: "git",
    begins: "auto conf erro",
    pattern: /(?:Automatic merge failed|CONFLICT \(|error: failed to push some refs|error: Your local changes)/y,
    confidence: 0.88,
    category: "precondition",
    within: 14,
  },
  {
    id: "ruby",
    begins: "erro exce",
    needs: ":in ",
    pattern: /[^\s:]{1,200}:\d{1,7}:in [`'][^\n]{0,300}\([\w:]{1,60}(?:Error|Exception)\)/y,
    confidence: 0.87,
    within: 8,
  },
  {
    id: "js-stack",
    begins: "inte node",
    needs: "internal",
    pattern: /\s{1,12}at [^\n]{0,160}\(?(?:node:)?internal\/[\w/.:-]{1,120}\)?\s*$/my,
    confidence: 0.8,
    category: "error",
    within: 3,
  },
  { id: "node-crash", begins: "node", pattern: /Node\.js v\d{1,3}\.\d/y, confidence: 0.88, within: 3 },
  {
    id: "cross",
    begins: "~",
    pattern: /\s{0,4}(?:[\u274c\u26d4]|\ud83d\udeab)/y,
    confidence: 0.76,
    within: 2,
  },
  {
    id: "stack-trace",
    begins: "stac call back",
    pattern: /(?:stack (?:trace|traceback)|call stack|backtrace):\s*$/imy,
    confidence: 0.78,
    category: "error",
    within: 14,
  },
  {
    id: "powershell",
    begins: "cate full",
    pattern: /\s*\+ (?:CategoryInfo|FullyQualifiedErrorId)\s*:/iy,
    confidence: 0.9,
    within: 14,
  },
  {
    id: "sql",
    begins: "erro ora_ sqls",
    pattern: /(?:ERROR:\s{1,2}|ORA-\d{4,5}:|SQLSTATE\[|ERROR \d{4} \([0-9A-Z]{5}\))/y,
    confidence: 0.85,
    within: 6,
  },
  {
    id: "fatal",
    begins: "fata exec pani thre segm bus_ abor kill core out_ unca unha php_",
    pattern:
      /(?:fatal(?: error)?: |execution of [^\n]{1,80} aborted|panic: |thread '[^'\n]{0,60}' panicked|segmentation fault|bus error|aborted \(core dumped\)|killed\s*$|[^\n]{0,60}\(core dumped\)|out of memory|uncaught (?:\w+)?(?:error|exception)|unhandled (?:\w+ )?(?:error|exception|rejection)|PHP (?:fatal|parse) error)/imy,
    confidence: 0.85,
    within: 10,
  },
  {
    id: "connection-line",
    begins: "conn",
    pattern: /(?:the )?connection (?:to|with) [^\n]{1,100}?(?: was)? (?:refused|reset|closed by|timed out|failed)\b/iy,
    confidence: 0.8,
    category: "network",
    within: 2,
  },
  {
    id: "curl",
    begins: "curl",
    needs: "curl: (",
    pattern: /[^\n]{0,200}curl: \(\d{1,3}\) /iy,
    confidence: 0.88,
    within: 3,
  },
  {
    id: "windows-not-found",
    begins: "not_ reco",
    needs: "ecognized as",
    pattern: /[^\n]{0,120} is not recognized as (?:an internal|the name of)/iy,
    confidence: 0.9,
    category: "not_found",
    within: 8,
  },
  {
    id: "shell-not-found",
    begins: "not_ comm",
    needs: "not found",
    // Without the word "command" the missing program is one word: `sh: 1: jq: not found`.
    pattern:
      /(?:(?:[^\n]{0,120}: )?(?:line )?(?:\d+: )?[^\n:]{1,80}: command not found|(?:[\w./-]{1,60}: (?:line )?(?:\d+: )?)?[^\s:]{1,80}: not found)\s*$/imy,
    confidence: 0.85,
    category: "not_found",
    within: 4,
  },
  {
    id: "exit-line",
    begins: "exit retu",
    needs: "xit",
    pattern:
      /(?:exit status [1-9]\d{0,2}\s*$|[^\n]{0,80}\(exit (?:code|status) [1-9]\d{0,2}\)|[^\n]{0,60}exited with (?:code|status|error code) [1-9]\d{0,4}\b|returned (?:a )?non-?zero exit (?:status|code))/imy,
    confidence: 0.82,
    category: "exit_code",
    within: 4,
  },
  {
    id: "shell-complaint",
    begins:
      "no_s perm is_a not_ oper cann can' inva unre unkn file dire coul miss synt conn fata erro unab fail temp name no_r netw",
    needs: ": ",
    pattern:
      /[\w./+-]{1,60}: (?:[^\n]{0,160}: )?(?:no such file or directory|permission denied|is a directory|not a directory|operation not permitted|cannot [^\n]{1,80}|can't open [^\n]{1,80}|invalid (?:option|argument)[^\n]{0,80}|unrecognized [^\n]{1,80}|unknown (?:option|command)[^\n]{0,80}|file exists|directory not empty|no space left on device|could not [^\n]{1,80}|missing (?:file )?operand[^\n]{0,40}|syntax error[^\n]{0,80}|connection (?:refused|timed out|reset)|name or service not known|unknown host|no route to host|network is unreachable|fatal[^\n]{0,80}|error(?::| \()[^\n]{0,120}|unable to [^\n]{1,80}|failed to [^\n]{1,80}|temporary failure[^\n]{0,60})/iy,
    confidence: 0.8,
    within: 4,
  },
  {
    id: "parse-error",
    begins: "pars synt",
    needs: "rror",
    pattern: /(?:[\w-]{1,20}: )?(?:parse|syntax) error\b[^\n]{0,160}\bline \d/iy,
    confidence: 0.78,
    within: 1,
  },
  {
    id: "exception-line",
    begins: "erro exce inte exit caus keyb",
    pattern:
      /(?:(?:\*\* \()?[A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt|Exit)\)?|Exception in thread [^\n]{0,80}|Caused by: [\w.]{1,80})(?:: [^\n]{0,300}|\s*$)/my,
    confidence: 0.8,
    within: 5,
  },
  {
    id: "error-line",
    begins: "erro fata",
    pattern:
      /[\u2502|> \t]{0,4}(?:\[?(?:error|fatal)\]?(?:\[[\w-]{1,12}\])?|\w{1,20} error):\s?(?!\s*\(?(?:none|null|0\b|false|no\s*$|no errors|empty))\S/iy,
    confidence: 0.72,
    within: 3,
  },
  {
    id: "failed-end",
    begins: "fail abor halt",
    pattern: /(?!\d+ |no |none )(?:[\w'"./-]{1,40} ){1,5}(?:failed|aborted|halted)[.!]{0,3}\s*$/imy,
    confidence: 0.74,
    within: 1,
  },
  {
    id: "plain-not-found",
    begins: "not_",
    pattern: /(?:file|directory|command|module|package|path) not found\.?\s*$/imy,
    confidence: 0.7,
    category: "not_found",
    within: 1,
  },
];
