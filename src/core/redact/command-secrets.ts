import { present } from "../model/narrow.ts";
import {
  AMPERSAND,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isQuote,
  LF,
  PIPE,
  SEMICOLON,
} from "../text/char-codes.ts";
import { COMMON_WORDS, PROGRAMS, type ProgramRule, WRAPPERS } from "./programs.ts";
import { isSpace, readPlain, readQuoted } from "./read-value.ts";
import { isPlaceholder } from "./secret-values.ts";
import { isMark, type Report, type Source } from "./span.ts";

/** Matches a program of the table, with or without its path. */
const PROGRAM = new RegExp(
  `(?<![\\w.@-])(?:${[...PROGRAMS.keys()].sort((a, b) => b.length - a.length).join("|")})(?:\\.exe)?(?=[ \\t])`,
  "g",
);
const MAX_WORDS = 200;

interface Command {
  readonly name: string;
  readonly rule: ProgramRule;
  readonly words: ShellWord[];
  readonly startsWith: number;
  isPiped: boolean;
}

/** Finds secrets among the arguments of commands, by program: `mysql -pSECRET`, `echo SECRET | sudo -S …`. */
export function findCommandSecrets({ text, view }: Source, report: Report): void {
  const reportUnlessMark: Report = (start, end) => {
    if (end > start && !isMark(text, start)) report(start, end);
  };
  PROGRAM.lastIndex = 0;
  for (let match = PROGRAM.exec(view); match !== null; match = PROGRAM.exec(view)) {
    const { commands, end } = readCommands(text, view, match.index, match[0]);
    for (const command of commands) readArguments(view, command, reportUnlessMark);
    readPipes(view, commands, reportUnlessMark);
    PROGRAM.lastIndex = Math.max(end, PROGRAM.lastIndex);
  }
}

/** Parses a command line from a program on. Every further program of the table starts a separate command. */
function readCommands(
  text: string,
  view: string,
  start: number,
  first: string,
): { readonly commands: readonly Command[]; readonly end: number } {
  const commands: Command[] = [openCommand(first, start)];
  let at = start + first.length;
  let isFirst = false;
  for (let count = 0; count < MAX_WORDS; count += 1) {
    const word = readShellWord(text, view, at);
    if (word.kind === "end") return { commands, end: word.next };
    at = word.next;
    const current = present(commands.at(-1));
    if (word.kind === "pipe") {
      current.isPiped = true;
      isFirst = true;
      continue;
    }
    const program = word.kind === "word" ? baseName(view, word) : "";
    if (isFirst || startsCommand(view, program, current)) commands.push(openCommand(program, word.start));
    else current.words.push(word);
    isFirst = false;
    if (word.isLast) break;
  }
  return { commands, end: at };
}

function startsCommand(view: string, program: string, current: Command): boolean {
  if (!PROGRAMS.has(program) || expectsSecret(view, current)) return false;
  return WRAPPERS.has(current.name) || !COMMON_WORDS.has(program);
}

function openCommand(name: string, startsWith: number): Command {
  return { name, rule: PROGRAMS.get(name.replace(/\.exe$/, "")) ?? {}, words: [], startsWith, isPiped: false };
}

function baseName(view: string, { start, end }: ShellWord): string {
  const word = view.slice(start, Math.min(end, start + 200));
  return word.slice(word.lastIndexOf("/") + 1);
}

/** True if the next word is the value of an option, even if a program has the same name. */
function expectsSecret(view: string, { rule, words }: Command): boolean {
  const last = words[words.length - 1];
  if (last === undefined) return false;
  const written = view.slice(last.start, last.end);
  return [...(rule.either ?? []), ...(rule.next ?? []), ...Object.keys(rule.pair ?? {})].includes(written);
}

function readArguments(view: string, { rule, words }: Command, report: Report): void {
  const written = words.map(({ start, end }) => view.slice(start, Math.min(end, start + 300)));
  const isActive = rule.onlyAfter === undefined || rule.onlyAfter.some((word) => written.includes(word));
  words.forEach((word, index) => {
    const option = written[index] ?? "";
    const next = words[index + 1];
    if (option.startsWith("pass:")) reportWord(view, word, 5, report);
    if (!isActive) return;
    if (next?.kind === "word" && (rule.either?.includes(option) || rule.next?.includes(option)))
      reportWord(view, next, 0, report);
    const joined = [...(rule.either ?? []), ...(rule.joined ?? [])].find(
      (start) => option.startsWith(start) && option.length > start.length,
    );
    if (joined !== undefined && !option.startsWith("--")) reportWord(view, word, joined.length, report);
    readPair(view, rule, word, option, next, report);
  });
  readPositions(view, rule, words, written, report);
}

/** `-u user:SECRET`, `-uuser:SECRET`, `--user=user:SECRET`. */
function readPair(
  view: string,
  { pair }: ProgramRule,
  word: ShellWord,
  option: string,
  next: ShellWord | undefined,
  report: Report,
): void {
  if (pair === undefined) return;
  const separator = pair[option];
  if (separator !== undefined) {
    if (next?.kind === "word") reportAfter(view, next, separator, 0, report);
    return;
  }
  const name = Object.keys(pair).find(
    (one) => option.startsWith(`${one}=`) || (one.length === 2 && option.startsWith(one)),
  );
  if (name !== undefined)
    reportAfter(view, word, pair[name] ?? ":", name.length + (option.charAt(name.length) === "=" ? 1 : 0), report);
}

function readPositions(
  view: string,
  rule: ProgramRule,
  words: readonly ShellWord[],
  written: readonly string[],
  report: Report,
): void {
  const isPlain = (index: number): boolean => words[index]?.kind === "word" && !/^[-/]\w*$/.test(written[index] ?? "-");
  const plain = words.map((_, index) => index).filter(isPlain);
  readAfterWord(view, rule, words, written, plain, report);
  const { positional } = rule;
  if (positional === undefined) return;
  const { ifOption } = positional;
  if (ifOption !== undefined && !written.some((word) => ifOption.test(word))) return;
  const index = positional.nth < 0 ? plain[plain.length + positional.nth] : plain[positional.nth - 1];
  const word = index === undefined ? undefined : words[index];
  if (word === undefined) return;
  if (positional.separator === undefined) reportWord(view, word, 0, report);
  else reportAfter(view, word, positional.separator, 0, report);
}
function readAfterWord(
  view: string,
  { after }: ProgramRule,
  words: readonly ShellWord[],
  written: readonly string[],
  plain: readonly number[],
  report: Report,
): void {
  if (after === undefined) return;
  const found = plain.findIndex((index) => after.words.includes(written[index] ?? ""));
  if (found === -1) return;
  const following = plain
    .slice(found)
    .filter((index, place) => place === 0 || after.skip?.test(written[index] ?? "") !== true);
  const isNetUse = after.skip !== undefined && written[plain[found] ?? -1]?.toLowerCase() === "use";
  const index = following[isNetUse ? 1 : after.nth];
  if (index !== undefined && words[index] !== undefined) reportWord(view, words[index], 0, report);
}

/** Secrets that `echo` and `printf` pipe into a program that reads a password, or that a here-string passes to it. */
function readPipes(view: string, commands: readonly Command[], report: Report): void {
  commands.forEach((command, index) => {
    if (readsStdin(view, command)) {
      const here = command.words.findIndex(({ kind }) => kind === "here");
      const hereString = here === -1 ? undefined : command.words[here + 1];
      if (hereString !== undefined) reportWord(view, hereString, 0, report);
    }
    if (!command.isPiped || !/^(?:echo|printf)$/.test(command.name)) return;
    if (!commands.slice(index + 1).some((later) => readsStdin(view, later))) return;
    for (const word of command.words)
      if (!/^-[neE]{1,3}$|^%/.test(view.slice(word.start, word.end))) reportWord(view, word, 0, report);
  });
}

const READS_STDIN =
  /^(?:--?[\w-]*(?:stdin|passphrase-fd|password-fd|with-token)(?:=.*)?|login|auth|authenticate|unlock|signin)$/;

function readsStdin(view: string, { rule, words }: Command): boolean {
  const written = words.map(({ start, end }) => view.slice(start, Math.min(end, start + 100)));
  if (written.some((word) => READS_STDIN.test(word))) return true;
  const { stdin } = rule;
  return stdin === true || (stdin !== undefined && written.some((word) => stdin.ifWord.test(word)));
}

/** Reports a word from `skip` on, without its opening quotes. */
function reportWord(view: string, word: ShellWord, skip: number, report: Report): void {
  let start = word.start + skip;
  while (isQuote(view.charCodeAt(start)) && start < word.end) start += 1;
  const written = view.slice(start, word.end);
  const isDigits = /^\d{4,}$/.test(written);
  if (written.startsWith("-") || (!isDigits && isReference(written))) return;
  report(start, word.end);
}

function reportAfter(view: string, word: ShellWord, separator: string, skip: number, report: Report): void {
  const at = view.slice(word.start + skip, word.end).indexOf(separator);
  if (at === -1) return;
  const start = word.start + skip + at + 1;
  const atSign = separator === "/" ? view.slice(start, word.end).lastIndexOf("@") : -1;
  const end = atSign > 0 ? start + atSign : word.end;
  if (end > start && !isReference(view.slice(start, end))) report(start, end);
}

/** True for variables and the like, but not for words: in a command even `password` may be the password. */
function isReference(written: string): boolean {
  return (
    written.length < 2 ||
    /^[$<%{`]/.test(written) ||
    (isPlaceholder(written) && /^(?:https?:|\*{3}|x{3})/i.test(written)) ||
    readPlain(written, 0) === undefined
  );
}

/** One shell word without its quotes, or an operator. */
export interface ShellWord {
  readonly kind: "word" | "pipe" | "here" | "end";
  readonly start: number;
  readonly end: number;
  /** Position from which the next word is read. */
  readonly next: number;
  /** A quote follows that the command did not open, so the surrounding text ends the command here. */
  readonly isLast?: true;
}

const MAX_WORD_CHARS = 4096;
/** After these, a quote inside a word opens a value: `--user="…"`, `-p'…'`, `NAME="…"`. */
const OPENS_VALUE = /(?:[=:,]|^-{1,2}[A-Za-z]{1,3})$/;

/** Reads the next word at or after `from`. */
export function readShellWord(text: string, view: string, from: number): ShellWord {
  let at = from;
  while (at < view.length) {
    if (isSpace(view.charCodeAt(at))) at += 1;
    else if (view.charCodeAt(at) === BACKSLASH && view.charCodeAt(at + 1) === LF) at += 2;
    else break;
  }
  const code = view.charCodeAt(at);
  if (at >= view.length || code === LF || code === SEMICOLON || code === AMPERSAND) return operator("end", at, 1);
  if (code === PIPE) return view.charCodeAt(at + 1) === PIPE ? operator("end", at, 2) : operator("pipe", at, 1);
  if (view.startsWith("<<<", at)) return operator("here", at, 3);
  return isQuote(code) ? readQuotedWord(text, view, at, at) : readPlainWord(text, view, at);
}

function operator(kind: "pipe" | "here" | "end", start: number, length: number): ShellWord {
  return { kind, start, end: start + length, next: start + length };
}

/** Reads up to the closing quote; the word may start before the opening one. */
function readQuotedWord(text: string, view: string, start: number, quote: number): ShellWord {
  const { start: inner, end, after } = readQuoted(text, quote);
  const word = { kind: "word", start: start === quote ? inner : start, end, next: after ?? end } as const;
  return after === undefined || !isOutside(view.charCodeAt(after)) ? word : { ...word, isLast: true };
}

/** True for characters that follow a closing quote in JSON or code around the command. */
function isOutside(code: number): boolean {
  return isQuote(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE || code === COLON;
}

function readPlainWord(text: string, view: string, start: number): ShellWord {
  let end = start;
  while (end < view.length && end - start < MAX_WORD_CHARS) {
    const code = view.charCodeAt(end);
    if (isSpace(code) || code === LF || code === SEMICOLON || code === PIPE) break;
    if (isQuote(code)) {
      if (OPENS_VALUE.test(view.slice(Math.max(start, end - 12), end))) return readQuotedWord(text, view, start, end);
      return { kind: "word", start, end, next: end + 1, isLast: true };
    }
    end += 1;
  }
  return end > start ? { kind: "word", start, end, next: end } : operator("end", start, 1);
}
