/** Commands whose exit code 1 is a result, not a failure. */
const BENIGN_ONE = new Set(
  "grep egrep fgrep zgrep rg ag ack diff cmp colordiff which type command test [ [[ pgrep pidof expr find fd git-diff".split(
    " ",
  ),
);

/** Commands that show stored text. Their output is data, even if it contains errors. */
const SHOWS_TEXT = new Set(
  "cat head tail less more bat nl tac sed awk grep egrep fgrep zgrep rg ag ack find fd ls tree jq yq cut sort uniq wc strings hexdump xxd od diff echo printf history man stat file du df journalctl dmesg logs log describe".split(
    " ",
  ),
);

/** Git commands that show stored text. */
const SHOWS_GIT = new Set(
  "log show diff blame grep status ls-files cat-file branch tag remote reflog shortlog".split(" "),
);

/** Commands that end a pipe with exit code 0, whatever the step before returned. */
const SWALLOWS = new Set(
  "tail head cat less more tee sort uniq wc cut sed awk tr column nl fold grep egrep rg".split(" "),
);

/** Longer commands are scripts and are truncated. */
const MAX_COMMAND = 4000;

/** Programs that get a command line as their last argument. */
const SHELLS = new Set("sh bash zsh dash ksh fish pwsh powershell cmd".split(" "));

/** Returns the command line of a call from the argument that the client uses. */
export function commandOf(args: unknown): string | undefined {
  const value = typeof args === "string" ? parsed(args) : args;
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { command, cmd, script, code, args: words } = value as Record<string, unknown>;
  const found = command ?? cmd ?? script ?? code ?? words;
  if (typeof found === "string") {
    return found;
  }
  if (Array.isArray(found)) {
    // ["bash", "-lc", "…"]: the last element is the script.
    const last = found.at(-1);
    return found.length > 2 && typeof last === "string" && SHELLS.has(shellName(String(found[0])))
      ? last
      : found.join(" ");
  }
  return undefined;
}

/** `/bin/bash`, `powershell.exe` */
function shellName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

/** Latest texts whose results are remembered. */
const REMEMBERED = 8;

/**
 * Returns a function that remembers its latest results: rules ask for the same text several times, and agents repeat
 * short commands. Equal texts are found by comparing, because a new text would have to be hashed for a map.
 */
export function remember<Result>(compute: (text: string) => Result): (text: string) => Result {
  const latest: { readonly text: string; readonly result: Result }[] = [];
  let last: { readonly text: string; readonly result: Result } | undefined;
  let oldest = 0;
  return (text) => {
    if (last?.text === text) {
      return last.result;
    }
    for (const known of latest) {
      if (known.text === text) {
        last = known;
        return known.result;
      }
    }
    last = { text, result: compute(text) };
    latest[oldest] = last;
    oldest = (oldest + 1) % REMEMBERED;
    return last.result;
  };
}

/** Parses arguments sent as text by the chat and Responses APIs; undefined if they are not JSON. */
export const parseArguments: (text: string) => unknown = remember((text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
});

/** Longer arguments hold a text that is written or searched; what says which kind of call it is, is short. */
const MAX_FIELDS = 4096;

/** The fields of short arguments, which a model writes as text and other clients pass as an object. */
export function argumentFields(args: unknown): Readonly<Record<string, unknown>> | undefined {
  const value = typeof args === "string" && args.length <= MAX_FIELDS ? parseArguments(args) : args;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The same, and the command alone if the text is truncated. */
function parsed(text: string): unknown {
  return parseArguments(text) ?? truncatedCommand(text);
}

function truncatedCommand(text: string): unknown {
  const start = /"(?:command|cmd|script|code)"\s*:\s*"/.exec(text.slice(0, 400));
  return start === null ? undefined : { command: text.slice(start.index + start[0].length).replaceAll("\\n", "\n") };
}

/** Separator of steps. */
const SEPARATOR = /&&|\|\||;|\n/;

/** Splits a line at `&&`, `||`, `;` and newlines into steps, each a list of piped commands. */
function steps(command: string): readonly (readonly string[])[] {
  return command
    .slice(0, MAX_COMMAND)
    .split(SEPARATOR)
    .map(pipe)
    .filter((step) => step[0] !== "");
}

function pipe(step: string): readonly string[] {
  return step.split("|").map((part) => part.trim());
}

/** Returns the last of the {@link steps} without reading those before it. */
function lastStep(command: string): readonly string[] {
  const line = command.slice(0, MAX_COMMAND);
  let end = line.length;
  let sign = line.lastIndexOf(";");
  let newline = line.lastIndexOf("\n");
  for (;;) {
    const start = Math.max(sign, newline) + 1;
    const found = line
      .slice(start, end)
      .split(/&&|\|\|/)
      .map(pipe)
      .findLast((step) => step[0] !== "");
    if (found !== undefined || start === 0) {
      return found ?? [];
    }
    end = start - 1;
    sign = sign < end ? sign : lastBefore(line, ";", end);
    newline = newline < end ? newline : lastBefore(line, "\n", end);
  }
}

function lastBefore(line: string, sign: string, end: number): number {
  return end === 0 ? -1 : line.lastIndexOf(sign, end - 1);
}

/** Returns the program of a simple command, without assignments, `sudo`, `time` and paths. */
function program(part: string): string {
  const head = part.slice(0, 300);
  const blank = head.search(/\s/);
  const first = blank === -1 ? head : head.slice(0, blank);
  // Most commands start with their program.
  const name = precedesProgram(first) ? head.split(/\s+/, 8).find((word) => !precedesProgram(word)) : first;
  return name === undefined ? "" : name.slice(name.lastIndexOf("/") + 1);
}

const BEFORE_PROGRAM = new Set(["", "sudo", "time", "env", "!"]);

function precedesProgram(word: string): boolean {
  return BEFORE_PROGRAM.has(word) || (word.includes("=") && /^\w+=/.test(word));
}

function gitVerb(part: string): string {
  const words = part.split(/\s+/);
  let at = words.indexOf("git") + 1;
  while (words[at]?.startsWith("-") === true) {
    at += words[at] === "-C" || words[at] === "-c" ? 2 : 1;
  }
  return words[at] ?? "";
}

/** Whether the command is one program, so that the exit code is its own. */
export function runsOneProgram(command: string | undefined): boolean {
  if (command === undefined) {
    return false;
  }
  // A script has several steps among its first lines.
  const start = steps(command.slice(0, MAX_PROGRAMS_LENGTH));
  const [first, second] = start.length > 1 ? start : steps(command);
  return first?.length === 1 && second === undefined;
}

/** Whether all output goes to a file that no later step shows, so that what is printed is not the program's. */
export function redirectsOutput(command: string): boolean {
  return command.includes(">") && hidesOutput(command);
}

function hidesOutput(command: string): boolean {
  const both = command.lastIndexOf("2>&1");
  const at = both === -1 ? command.indexOf("&>") : command.lastIndexOf(">", both - 1);
  const after = both === -1 ? at + 2 : both + 4;
  const target = firstWord(both === -1 ? command.slice(after) : command.slice(at + 1, both));
  if (at === -1 || target === "" || (both !== -1 && command.slice(at + 1, both).trim() !== target)) {
    return false;
  }
  // After `&&` the program succeeded; a later step may show the file or the exit code.
  const rest = command.slice(after).replace(")", "").trimStart();
  const name = target.slice(target.lastIndexOf("/") + 1);
  const next = rest.startsWith(target) ? rest.slice(target.length).trimStart() : rest;
  const isHidden = next.startsWith(";") || next.startsWith("||") || (next.startsWith("&") && !next.startsWith("&&"));
  return isHidden && !next.includes("$?") && !(target !== "/dev/null" && showsFile(next, name));
}

function firstWord(text: string): string {
  return (text.trim().split(SEPARATOR, 1)[0] ?? "").split(" ", 1)[0] ?? "";
}

/** Whether a step shows the content of a file; `wc -l` only counts its lines. */
function showsFile(command: string, name: string): boolean {
  return (
    command.includes(name) &&
    steps(command).some((step) => SWALLOWS.has(program(step[0] ?? "")) && program(step.at(-1) ?? "") !== "wc")
  );
}

/** Whether the call starts a process and does not wait for it: the arguments in which clients ask for that. */
export function runsInBackground(args: unknown): boolean {
  const value = typeof args === "string" ? parsed(args) : args;
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { run_in_background: later, is_background: background, Blocking: waits } = value as Record<string, unknown>;
  const command = commandOf(value)?.trimEnd() ?? "";
  const starts = LAUNCHES.some((words) => command.startsWith(words)) && !command.includes(" --wait");
  return (
    later === true ||
    background === true ||
    waits === false ||
    starts ||
    (command.endsWith("&") && !command.endsWith("&&"))
  );
}

/** Commands that hand a program over to a service and return. */
const LAUNCHES = ["systemd-run ", "sbatch ", "screen -dm", "tmux new -d", "tmux new-session -d", "Start-Process "];

/** Whether the output of the last step goes to a file. */
export function redirectsLast(command: string): boolean {
  if (!command.includes(">")) {
    return false;
  }
  const last = lastStep(command).at(-1) ?? "";
  return last.includes(" >") || last.includes("&>");
}

/** Signs of a text that the shell changes, or that ends before them. */
const NOT_FIXED = [..."\"'$`;&|<>\n"];

/** Commands that print nothing and do not fail, so that an `echo` after them hides nothing. */
const QUIET = new Set(["cd", "echo", "export", "set", "source", "true", ":", ""]);

/**
 * Returns the fixed text that a line prints at its end, whatever the program before returned: `make -s; echo done`. In a
 * script of several lines it closes work whose programs would have complained.
 */
export function closingEcho(command: string): string | undefined {
  // A group may be piped: `(make; echo done) 2>&1 | tail`.
  const group = command.startsWith("(") ? command.slice(1, command.lastIndexOf(")")) : command;
  const at = group.lastIndexOf("echo ");
  const before = at === -1 ? "" : group.slice(0, at).trimEnd();
  if (!before.endsWith(";") || command.includes("\n")) {
    return undefined;
  }
  return steps(before).some((step) => !QUIET.has(program(step[0] ?? "")))
    ? fixedWords(group.slice(at + "echo ".length))
    : undefined;
}

/** Returns the fixed text that a line prints before anything else: `echo start; make > log`. */
export function openingEcho(command: string): string | undefined {
  const [first = ""] = steps(command)[0] ?? [];
  return first.startsWith("echo ") ? fixedWords(first.slice("echo ".length)) : undefined;
}

/** The words of an `echo`, if the shell prints them as they are. */
function fixedWords(text: string): string | undefined {
  const words = text.trim();
  const quote = words.charAt(0);
  const fixed = (quote === '"' || quote === "'") && words.endsWith(quote) ? words.slice(1, -1) : words;
  return fixed !== "" && !NOT_FIXED.some((sign) => fixed.includes(sign)) ? fixed : undefined;
}

/** Characters of a command in which programs are searched: what a longer script runs is rarely the reason. */
const MAX_PROGRAMS_LENGTH = 600;

/** Returns the programs of a line in order. A remote or wrapped command counts as its wrapper. */
export const programsOf: (command: string) => readonly string[] = remember((command) => {
  const programs: string[] = [];
  for (const step of command.slice(0, MAX_PROGRAMS_LENGTH).split(SEPARATOR)) {
    const parts = pipe(step);
    for (const part of parts[0] === "" ? [] : parts) {
      programs.push(program(part));
    }
  }
  return programs;
});

/** Returns the piped programs of the last step. */
export const lastProgramsOf: (command: string) => readonly string[] = remember((command) =>
  lastStep(command).map(program),
);

/** HTTP clients as the last step of a line: the server's error in their output is not theirs. */
const ASKS_SERVER = /(?:^|[;&\n]\s{0,8})(?:sudo |time )?(?:curl|wget|https?|xh|grpcurl)\s[^;&\n]{0,2000}$/;

/** Whether the last step of the line only sends a request to a server. */
export function asksServer(command: string): boolean {
  // Fast path: most commands contain none of these names.
  const named =
    command.includes("curl") || command.includes("wget") || command.includes("http") || command.includes("xh ");
  return named && command.length <= 2000 && ASKS_SERVER.test(command.trimEnd());
}

/** Whether this exit code of the command is an answer: "no match", "different", "false", "no tests". */
export function isAnswerByExit(command: string, code: number): boolean {
  const last = lastStep(command).at(-1) ?? "";
  const name = program(last);
  const words = last.split(/\s+/, 12);
  if (name === "jq" || name === "yq") {
    return (code === 1 || code === 4) && words.some((word) => word === "--exit-status" || /^-[a-z]*e/.test(word));
  }
  if (code === 5) {
    return name === "pytest" || name === "py.test" || words.includes("pytest");
  }
  return (
    code === 1 &&
    (exitOneMeansNoMatch(name, last) ||
      (name === "make" && words.some((word) => word === "-q" || word === "--question")) ||
      (name === "npm" && words.includes("outdated")))
  );
}

/** Whether exit code 1 of this command only means "no match" or "different". */
function exitOneMeansNoMatch(name: string, last: string): boolean {
  return (
    BENIGN_ONE.has(name) || (name === "git" && ["diff", "grep", "check-ignore", "merge-base"].includes(gitVerb(last)))
  );
}

/** Lines that `head` lets through, if the command ends with one: what the program printed last is not shown. */
export function headLimit(command: string): number | undefined {
  if (!command.includes("head")) {
    return undefined;
  }
  const last = lastStep(command);
  const closing = last.at(-1) ?? "";
  if (last.length < 2 || program(closing) !== "head" || last.slice(0, -1).every((part) => showsStoredText(part))) {
    return undefined;
  }
  const number = closing.split(" ").map((word) => Number(word.replace("-n", "").replace("-", "")));
  return closing.includes("-c") ? 0 : (number.find((value) => value > 0) ?? DEFAULT_HEAD);
}

const DEFAULT_HEAD = 10;

const LOOPS = ["for ", "while ", "until "];

/** Whether the command repeats a step until it succeeds: only its last try counts. */
export function retries(command: string): boolean {
  return command.includes("sleep ") && LOOPS.some((loop) => command.includes(loop)) && command.includes("do ");
}

/** Cluster, cloud and service tools, and their verbs that show logs and states of other programs. */
const MANAGERS = new Set(
  "kubectl oc docker podman docker-compose nerdctl aws gcloud az heroku fly flyctl vercel railway supabase systemctl service supervisorctl pm2 helm nomad stern gh".split(
    " ",
  ),
);
const STATE_VERBS = new Set("log logs logging describe status inspect --log --log-failed".split(" "));

/** Whether the command shows logs or states of other programs. Its own errors have a single line. */
export function showsOthers(command: string): boolean {
  const space = command.search(/\s/);
  const name = space === -1 ? command : command.slice(0, space);
  // Fast path: most commands start with another program.
  if (name !== "sudo" && !MANAGERS.has(name)) {
    return false;
  }
  const [first = "", ...rest] = command.slice(0, 120).split(/\s/);
  const words = first === "sudo" ? rest : [first, ...rest];
  const pipe = words.findIndex((word) => word.includes("|"));
  return (
    MANAGERS.has(words[0] ?? "") && words.slice(1, pipe === -1 ? undefined : pipe).some((word) => STATE_VERBS.has(word))
  );
}

/** Whether every step of the command only shows stored text. */
export const showsStoredText: (command: string) => boolean = remember((command) => {
  let rest = command.slice(0, MAX_COMMAND).trim();
  let shows = false;
  while (rest !== "") {
    const end = rest.search(SEPARATOR);
    const step = end === -1 ? rest : rest.slice(0, end);
    const name = program(step);
    if (name !== "cd" && name !== "true" && name !== "") {
      // Returns at the first other step, so that a long script costs no more than its first line.
      if (!SHOWS_TEXT.has(name) && !(name === "git" && SHOWS_GIT.has(gitVerb(step))) && !showsOthers(step)) {
        return false;
      }
      shows = true;
    }
    rest = end === -1 ? "" : rest.slice(end + 1).replace(/^[&|]/, "");
  }
  return shows;
});

/** A last step that succeeds whatever was before it. */
const HIDES_AT_END = /^(?:\|\||;)\s*(?:true|:|echo\b[^|;&\n]*)$/;

/** Whether the end of the line hides the exit code of the commands before: `| tail`, `|| true`, `; echo`. */
export const hidesExitStatus: (command: string) => boolean = remember((command) => {
  const line = command.slice(-600).trimEnd();
  if (HIDES_AT_END.test(line.slice(Math.max(line.lastIndexOf(";"), line.lastIndexOf("||"), 0)))) {
    return true;
  }
  // Without a pipe, the last step is one program.
  const last = line.includes("|") ? lastStep(line) : [];
  if (last.length < 2 || line.includes("pipefail")) {
    return false;
  }
  return SWALLOWS.has(program(last.at(-1) ?? ""));
});

/** Shorter text could occur in any program. */
const TELLING = 12;

const PRINTED_LABEL = /^[\w ]{3,30}:$/;
const CATCHES = /\bexcept\b|\bcatch\b|\brescue\b/;
const ENDS_BADLY = /\bexit\((?!0\b)|\bexit [1-9]|\braise\b|\bthrow\b/;

/** Whether the call contains this text. Then the program printed it, so it handled the error and continued. */
export function printsItself(words: string, code: string | undefined): boolean {
  if (code === undefined) {
    return false;
  }
  const start = words.trim().slice(0, 40);
  // `print("Error:", e)`: the script contains the label and never exits with an error.
  const label = start.slice(0, start.indexOf(":") + 1);
  if (label.length > 3 && PRINTED_LABEL.test(label) && !ENDS_BADLY.test(code)) {
    const quoted = [`"${label}`, `'${label}`, `\`${label}`].some((piece) => code.includes(piece));
    if (quoted && CATCHES.test(code)) {
      return true;
    }
  }
  // A value may follow a fixed prefix: `print(f"Error: no table {name}")`.
  const fixed = start.length > 24 ? start.slice(0, 24) : start.replace(/[.!]$/, "");
  return fixed.length >= TELLING && code.includes(fixed);
}
