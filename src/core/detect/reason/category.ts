import type { Category } from "../../model/outcome.ts";
import { clientError } from "../http-status.ts";
import { CATEGORY_PHRASES } from "./category-phrases.ts";
import { ERRNO_NAMES, ERRNO_SENTENCES } from "./errno-sentences.ts";
import { HINT, hintsIn, registerGates } from "./hints.ts";
import { eachPhrase, mayContainPhrase, phraseTable } from "./phrase-table.ts";

/** Categories in order of precedence; the index is what the phrase table stores. */
const ORDER: readonly Category[] = CATEGORY_PHRASES.map(([category]) => category);

/** Sentences of the C library and names of system errors: the backbone, because every program passes them on. */
const SYSTEM: readonly (readonly [Category, string])[] = [
  ...ERRNO_SENTENCES,
  ["rate_limited", "limitexceededexception"],
  // Sentences of common programs that are as fixed as those of the system.
  ["crash", "panic:, allowed memory size, heap out of memory"],
  ["permission_denied", "a password is required, readonly database"],
  ["precondition", "not a working copy, no repository found, no email was given, local modifications"],
  [
    "not_found",
    "fish: unknown command, valid object name, invalid reference, does not appear to be a git, bad source, unknown revision, bad revision, invalid command name, failed opening required, no rule to make target, no targets specified",
  ],
  [
    "not_found",
    "kein gültiger objektname, revisione sconosciuta, revisión desconocida, révision inconnue, revisão desconhecida, keine regel, aucune règle, pas de règle, pas de cible, ninguna regla, nessuna regola, sem regra, нет правила, ルールがありません, 没有规则",
  ],
  // Reason phrases of HTTP.
  [
    "http_client_error",
    "unprocessable entity, unprocessable content, method not allowed, not acceptable, payment required, unsupported media type, misdirected request, failed dependency",
  ],
  ...ERRNO_NAMES.map(([category, names]) => [category, names.toLowerCase().replaceAll(" ", ",")] as const),
];

/** Words of a server's own failure. */
const SERVER_PHRASES =
  "internal server error, bad gateway, service unavailable, gateway timeout, temporarily unavailable, server error, vorübergehend nicht verfügbar, temporairement indisponible, temporalmente no disponible, temporaneamente non disponibile, temporariamente indisponível, временно недоступ*, 暂时不可用, 一時的に利用できません";

/** Lines that close a failed run without naming its reason: counts, pointers to logs, "make: *** [all] Error 1". */
const TRAILER_PHRASES = `could not compile, aborting due to, process completed with exit code, command failed with, ] error, ] fehler, ] erreur, ] errore, ] erro, ld returned, linker command failed
collect2:, build failed, build failure, failed to execute goal, lifecycle script, a complete log, complete log of this run, elifecycle, exited with, exit status, exit code, returned non-zero, execution halted, compilation terminated
build stopped, error generated, errors generated, --stacktrace, stack trace, see above, debug.log, to rerun pass, tests failed, test files, failures:*, failed (failures*, failed (errors*, test result: failed, test suites:, snapshots:, ran all test*
short test summary, problems (*, problem (*, errors found, found 1 error*, failures=*, build finished, npm error code, npm err! code, npm error errno, npm error syscall, npm error path, npm err! errno, npm err! syscall, npm err! path, npm error command, npm error workspace, npm error location, npm error gyp, npm error a complete, npm error this is, npm error for
leaving directory, entering directory, recipe for target, compilation aborted, some tests failed, test suite failed to run, subtest failed, subtests failed, failed to push some refs, the command returned, compilation failed, previous errors, is not recoverable, child returned status, could not read from remote, make sure you have the correct access, aborted due to compilation, could not create the java, a fatal exception has occurred, would be reformatted, would be formatted, could not be completed because of
terminated because of errors, because of errors, errors have been logged, aufgrund vorheriger fehler, wegen vorheriger fehler, des erreurs précédentes, errores anteriores, errori precedenti, erros anteriores, предыдущих ошибок, 前のエラーにより, error exitcode, compilation errors, errors compiling, conversion failed, subprocess-exited-with-error, 1 fatal error*, 1 fataler fehler, 1 erreur fatale, 1 error fatal, 1 errore fatale, 1 erro fatal, 1 критическая ошибка`;

/** In the table, values below {@link TRAILER} are indexes of `ORDER`, those above {@link SERVER} indexes of `SYSTEM`. */
const TRAILER = 30;
const SERVER = 31;
const PHRASES = phraseTable([
  ...CATEGORY_PHRASES.map(([, list], index) => [index, list] as const),
  [TRAILER, TRAILER_PHRASES],
  [SERVER, SERVER_PHRASES],
  ...SYSTEM.map(([, list], index) => [SERVER + 1 + index, list] as const),
]);

registerGates([TRAILER_PHRASES], HINT.trailer);
registerGates(
  SYSTEM.map(([, list]) => list),
  HINT.system,
);

/** What a text contains: bits of `ORDER`, the last system error, a server's failure. */
interface Phrases {
  /** The whole text in lower case. */
  readonly lower: string;
  readonly order: number;
  readonly system: Category | undefined;
  readonly isServer: boolean;
  readonly isTrailer: boolean;
}

/** A text in lower case, with the values and starts of its phrases. */
interface Searched {
  readonly text: string;
  readonly lower: string;
  readonly values: readonly number[];
  readonly starts: readonly number[];
}

/** Latest texts that were searched: a line is ranked, compared with its neighbors and categorized. */
const LATEST = 4;
const latest: Searched[] = [];
let oldest = 0;

function search(text: string): Searched {
  for (const known of latest) {
    if (known.text === text) {
      return known;
    }
  }
  const values: number[] = [];
  const starts: number[] = [];
  const lower = text.toLowerCase();
  eachPhrase(PHRASES, lower, (value, start) => {
    values.push(value);
    starts.push(start);
  });
  const searched = { text, lower, values, starts };
  latest[oldest] = searched;
  oldest = (oldest + 1) % LATEST;
  return searched;
}

/** The phrases of a text, or of its part behind a label. */
function phrasesIn(text: string, from = 0): Phrases {
  const { lower, values, starts } = search(text);
  let order = 0;
  let system = -1;
  let isServer = false;
  let isTrailer = false;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if ((starts[index] as number) < from) {
      continue;
    }
    if (value < TRAILER) {
      order |= 1 << value;
    } else if (value === TRAILER) {
      isTrailer = true;
    } else if (value === SERVER) {
      isServer = true;
    } else {
      // Of several system errors the last one is the reason; the first ones are context.
      system = value - SERVER - 1;
    }
  }
  return { lower, order, system: SYSTEM[system]?.[0], isServer, isTrailer };
}

const AUTH = ORDER.indexOf("auth");
const RATE = ORDER.indexOf("rate_limited");
const SERVER_PRECEDENCE = ORDER.indexOf("network");

/** Words before and after a number that make it an HTTP status. */
const BEFORE_STATUS = new Set(
  "status code http error errore erreur erro fehler response upstream server gateway proxy backend returned responded with".split(
    " ",
  ),
);
const AFTER_STATUS =
  "client error|server error|error|bad|unauthori|forbidden|not found|method|conflict|gone|too many|internal|service|gateway|unprocessable|payment|resource".split(
    "|",
  );

/** A number that may be an HTTP status, with what stands before it. */
const NUMBER = /(?:^|[^\d.])([45]\d\d)\b(?!\.?\d)/g;

/** Only this much of a message is read. */
const MESSAGE_LENGTH = 400;

/** Quotations are names and values: `cannot stat 'timeout.txt'`. */
const QUOTED =
  /"[^"\n]{1,200}"|`[^`\n]{1,200}[`']|(?<![\p{L}\d])'[^'\n]{1,200}'(?![\p{L}\d])|\u00ab[^\u00bb\n]{1,200}\u00bb|\u201e[^\u201c\n]{1,200}\u201c|\u201c[^\u201d\n]{1,200}\u201d|\u2018[^\u2019\n]{1,200}\u2019|\u300c[^\u300d\n]{1,200}\u300d/gu;

/** Who wrote a message: a program writes about its own work, a tool answers a call. */
export type Writer = "program" | "tool";

const HAS_QUOTE = /["'`\u2018-\u201e\u00ab\u300c]/;

/** Returns the category of a message, or undefined if nothing in it is known. */
export function categoryOfMessage(message: string, writer: Writer = "tool"): Category | undefined {
  const text = message.slice(0, MESSAGE_LENGTH);
  // Fast path for lines of ordinary texts.
  if (isEmpty(phrasesIn(text)) && !MAY_BE_NAME.test(text) && !text.includes(": -")) {
    return undefined;
  }
  // "psql: error: connection … failed: FATAL: role … does not exist": the last one is the reason.
  const last = Math.max(text.lastIndexOf("FATAL: "), text.lastIndexOf("ERROR: "));
  if (last > 0) {
    const reason = categoryOfMessage(text.slice(last + 7), writer);
    if (reason !== undefined) {
      return reason;
    }
  }
  // The words of a path name a file, not a reason: `src/net/dns.c`.
  const plain = withoutPaths(text);
  const bare = HAS_QUOTE.test(plain) ? plain.replace(QUOTED, "''") : plain;
  return categoryOfText(bare, writer) ?? (bare === plain ? undefined : categoryOfText(plain, writer));
}

/** A name with a dot behind the last slash of a word. */
const FILE_NAME = /\/[^ /.]+\.[^ /]*(?: |$)/;

/** Replaces the names of files with a folder; what an address points to may be the reason. */
function withoutPaths(text: string): string {
  if (!FILE_NAME.test(text)) {
    return text;
  }
  return text
    .split(" ")
    .map((word) => {
      const slash = word.lastIndexOf("/");
      const isPath = slash !== -1 && word.indexOf(".", slash) > slash + 1 && !word.includes("://");
      // `refused:../crypto/sock.c:117`
      return isPath ? `${word.slice(0, word.lastIndexOf(":", slash) + 1)}/` : word;
    })
    .join(" ");
}

/** Whether a line may have a category: a cheap test before {@link categoryOfMessage}, which copies the line. */
export function mayHaveCategory(text: string, from: number, to: number): boolean {
  return mayContainPhrase(PHRASES, text, from, to);
}

function isEmpty({ order: found, system: error, isServer: server }: Phrases): boolean {
  return found === 0 && error === undefined && !server;
}

/** A name that consists of several words, or a number that may be an HTTP status. */
const MAY_BE_NAME = /_|[a-z][A-Z]|[45]\d\d/;

/** `program: message`: the program's name is no part of the message. */
const PROGRAM = /^[\w.+/-]{1,40}: /;
const NO_PROGRAM = /error|exception|panic|fatal|abort/i;

/** What was wrong with a call of a program; other invalid values are its own affair. */
const USAGE_WORDS =
  "option|argument|operand|usage|required field|flag|switch|command|param|choice|predicate|specify|url|opción|opcion|opzione|opção|ключ|параметр|opérande|операнд|аргумент|команд|parámetr|parâmetr|argoment|comando|befehl|schalter|オプション|引数|被演算子|パラメータ".split(
    "|",
  );

/** One pattern is faster than a search for each word. */
const USAGE_WORD = new RegExp(USAGE_WORDS.join("|"));

function categoryOfText(line: string, writer: Writer): Category | undefined {
  const label = PROGRAM.exec(line);
  const named = label !== null && !NO_PROGRAM.test(label[0]);
  const text = named ? line.slice(label[0].length) : line;
  const phrases = phrasesIn(line, line.length - text.length);
  // Error names such as `channel_not_found` or `AccessDenied` are split into words.
  const split = HAS_NAME.test(text) ? phrasesIn(spelledOut(text)).order : 0;
  const all = phrases.order | split;
  const isOwnAffair = (all & INVALID) !== 0 && writer === "program" && !named && !USAGE_WORD.test(phrases.lower);
  // "expected 14, got 12" in the answer of a tool is no assertion of a test.
  const isNoTest =
    (all & TEST) !== 0 && writer === "tool" && !phrases.lower.includes("test", line.length - text.length);
  const found = all & (isOwnAffair ? ~INVALID : -1) & (isNoTest ? ~TEST : -1);
  const best = found === 0 ? ORDER.length : 31 - Math.clz32(found & -found);
  // An HTTP status decides, unless the words are about the account or its limits.
  const byStatus = best === AUTH || best === RATE ? undefined : httpCategory(text);
  if (byStatus !== undefined) {
    return byStatus;
  }
  const byName = categoryOfName(text);
  if (byName !== undefined) {
    return byName;
  }
  if (phrases.system !== undefined && best !== AUTH) {
    return phrases.system;
  }
  if (best >= SERVER_PRECEDENCE && phrases.isServer) {
    return "http_server_error";
  }
  // `sed: -e expression #1, char 5: …`: the complaint is about the value of an option, in any language.
  return ORDER[best] ?? (named && text.startsWith("-") ? "invalid_arguments" : undefined);
}

const HAS_NAME = /_|[a-z][A-Z]/;

/** The name of an exception in front of its message, or in brackets: `(AccessDeniedException)`. */
const EXCEPTION_NAME = /\b([A-Z]\w{3,60})(?:Error|Exception|Fault)[:)]/;

/** The category that an exception's name states: `PackagesNotFoundError`. Its message may be about anything. */
function categoryOfName(text: string): Category | undefined {
  if (!text.includes("Error") && !text.includes("Exception") && !text.includes("Fault")) {
    return undefined;
  }
  const match = EXCEPTION_NAME.exec(text);
  const order = match === null ? 0 : phrasesIn(spelledOut(match[1] ?? "")).order & ~INVALID;
  return order === 0 ? undefined : ORDER[31 - Math.clz32(order & -order)];
}

/** Bits of the phrases of a category. */
function bitsOf(wanted: Category): number {
  return ORDER.reduce((bits, category, index) => (category === wanted ? bits | (1 << index) : bits), 0);
}
const INVALID = bitsOf("invalid_arguments");
const TEST = bitsOf("test_failure");

/** Whether a line only closes the output of a failed run. */
export function closesOutput(line: string, hints: number): boolean {
  return (hints & HINT.trailer) !== 0 && phrasesIn(line).isTrailer;
}

/** Whether the message contains a system error, in any language. */
export function namesSystemError(message: string, hints = hintsIn(message, 0, message.length)): boolean {
  return (hints & HINT.system) !== 0 && phrasesIn(message.slice(0, MESSAGE_LENGTH)).system !== undefined;
}

function spelledOut(text: string): string {
  return text.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
}

function httpCategory(text: string): Category | undefined {
  const number = httpStatus(text);
  return number === undefined ? undefined : number.startsWith("5") ? "http_server_error" : clientError(number);
}

function httpStatus(text: string): string | undefined {
  NUMBER.lastIndex = 0;
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const number = match[1] ?? "";
    const at = match.index + match[0].length - number.length;
    const after = text.slice(at + 3, at + 30);
    const isTitled = /^: [A-Z]/.test(after) && /\s/.test(text.charAt(at - 1));
    if (
      isTitled ||
      isAfterAddress(text, at) ||
      (isAfterStatusWord(text.slice(Math.max(0, at - 40), at)) && !isAmount(after)) ||
      isStatusPhrase(after)
    ) {
      return number;
    }
  }
  return undefined;
}

/** `closed with 500 bytes remaining`: a number of things. */
function isAmount(after: string): boolean {
  return after.startsWith(" ") && UNITS.some((unit) => after.startsWith(unit, 1));
}
const UNITS = "byte row record item file line ms second result char token page entr".split(" ");

/** `GET https://a.example/x: 404 …`: what a server answered to a request. */
function isAfterAddress(text: string, at: number): boolean {
  const address = text.slice(Math.max(0, at - 2), at) === ": " ? text.lastIndexOf("://", at) : -1;
  return address !== -1 && !text.slice(address, at - 2).includes(" ");
}

/** `status code: 404`, `HTTP/1.1 404`, `returned 502`: a word, then a few signs. */
function isAfterStatusWord(before: string): boolean {
  const match = /([a-z]+)(?:\/[\d.]+)?(?:[ _]code)?["']?[ :=(#!-]{1,4}(?:code |status |is |error )?["']?$/i.exec(
    before,
  );
  return match !== null && BEFORE_STATUS.has((match[1] ?? "").toLowerCase());
}

function isStatusPhrase(after: string): boolean {
  const lower = after.startsWith(" ") ? after.slice(1).toLowerCase() : "";
  return lower !== "" && AFTER_STATUS.some((phrase) => lower.startsWith(phrase));
}

/** Categories of exit codes that no signal explains. */
const EXIT_CATEGORIES = new Map<number, Category>([
  [124, "timeout"],
  [126, "permission_denied"],
  [127, "not_found"],
  ...[130, -2].map((code) => [code, "cancelled"] as const),
]);
/** Exit codes of programs that a signal ended: a crash, or a request to end. */
const CRASHED = new Set([132, 134, 135, 136, 137, 139, -6, -9, -11]);
const TERMINATED = new Set([143, -15]);

/** The category of an exit code with a fixed meaning. */
export function categoryOfExit(code: number, message: string): Category | undefined {
  const signaled = CRASHED.has(code) ? "crash" : TERMINATED.has(code) ? "cancelled" : undefined;
  return signaled !== undefined && categoryOfMessage(message) === "timeout"
    ? "timeout"
    : (signaled ?? EXIT_CATEGORIES.get(code));
}
