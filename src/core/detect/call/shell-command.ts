/** Commands whose exit status 1 is an answer, not a failure. */
const BENIGN_ONE = new Set(
  "grep egrep fgrep zgrep rg ag ack diff cmp colordiff which type command test [ [[ pgrep pidof expr find fd git-diff".split(
    " ",
  ),
);

/** Commands that show stored text: what they print is data, errors in it included. */
const SHOWS_TEXT = new Set(
  "cat head tail less more bat nl tac sed awk grep egrep fgrep zgrep rg ag ack find fd ls tree jq yq cut sort uniq wc strings hexdump xxd od diff echo printf history man stat file du df journalctl dmesg logs log describe".split(
    " ",
  ),
);

/** Git's showing commands. */
const SHOWS_GIT = new Set(
  "log show diff blame grep status ls-files cat-file branch tag remote reflog shortlog".split(" "),
);

/** Commands that end a pipe with status 0 whatever came before. */
const SWALLOWS = new Set(
  "tail head cat less more tee sort uniq wc cut sed awk tr column nl fold grep egrep rg".split(" "),
);

/** Longer commands are scripts; only their ends are worth reading. */
const MAX_COMMAND = 4000;

/** The command line of a call, wherever the client puts it. */
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
    // ["bash", "-lc", "…"]: the last word is the script.
    const last = found.at(-1);
    return found.length > 2 && typeof last === "string" ? last : found.join(" ");
  }
  return undefined;
}

/** Arguments arrive as text from the chat and Responses APIs; a cut one still shows its command. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const start = /"(?:command|cmd|script|code)"\s*:\s*"/.exec(text.slice(0, 400));
    return start === null ? undefined : { command: text.slice(start.index + start[0].length).replaceAll("\\n", "\n") };
  }
}

/** The simple commands of a line: the parts between `&&`, `||`, `;` and newlines, each a list of piped words. */
function steps(command: string): readonly (readonly string[])[] {
  return command
    .slice(0, MAX_COMMAND)
    .split(/&&|\|\||;|\n/)
    .map((step) => step.split("|").map((part) => part.trim()))
    .filter((step) => step[0] !== undefined && step[0] !== "");
}

/** The program a simple command runs: assignments, `sudo`, `time` and paths taken off. */
function program(part: string): string {
  for (const word of part.slice(0, 300).split(/\s+/, 8)) {
    if (word === "" || word === "sudo" || word === "time" || word === "env" || word === "!" || /^\w+=/.test(word)) {
      continue;
    }
    return word.slice(word.lastIndexOf("/") + 1);
  }
  return "";
}

function gitVerb(part: string): string {
  const words = part.split(/\s+/);
  let at = words.indexOf("git") + 1;
  while (words[at]?.startsWith("-") === true) {
    at += words[at] === "-C" || words[at] === "-c" ? 2 : 1;
  }
  return words[at] ?? "";
}

/** The programs a line runs, in its order; a remote or wrapped command counts with its wrapper. */
export function programsOf(command: string): readonly string[] {
  return steps(command.slice(0, 600)).flatMap((step) => step.map(program));
}

/** Programs that print what a server answered, as the last step of a line: its error is not theirs. */
const ASKS_SERVER = /(?:^|[;&\n]\s{0,8})(?:sudo |time )?(?:curl|wget|https?|xh|grpcurl)\s[^;&\n]{0,2000}$/;

/** Does the last step of this line only ask a server? */
export function asksServer(command: string): boolean {
  // Most commands are done after a look for the names.
  const named =
    command.includes("curl") || command.includes("wget") || command.includes("http") || command.includes("xh ");
  return named && command.length <= 2000 && ASKS_SERVER.test(command.trimEnd());
}

/** Does status 1 of this command only mean "no match", "different", "no such thing"? */
export function exitOneMeansNoMatch(command: string): boolean {
  const last = steps(command).at(-1)?.at(-1);
  if (last === undefined) {
    return false;
  }
  const name = program(last);
  return (
    BENIGN_ONE.has(name) || (name === "git" && ["diff", "grep", "check-ignore", "merge-base"].includes(gitVerb(last)))
  );
}

/** Where one simple command ends and the next begins. */
const SEPARATOR = /&&|\|\||;|\n/;

/** Consoles of clusters, clouds and services show other programs' logs and states under these words. */
const SHOWS_STATE =
  /^(?:sudo )?(?:kubectl|oc|docker|podman|docker-compose|nerdctl|aws|gcloud|az|heroku|fly|flyctl|vercel|railway|supabase|systemctl|service|supervisorctl|pm2|helm|nomad|stern|gh)\s(?:[^|\n]{0,80}?\s)?(?:logs?|logging|describe|status|inspect)(?:\s|$)/;

/** Does this command show what other programs logged, or how they are? Its own complaint is one line. */
export function showsOthers(command: string): boolean {
  return SHOWS_STATE.test(command);
}

/** Does every step of this command only show stored text? */
export function showsStoredText(command: string): boolean {
  let rest = command.slice(0, MAX_COMMAND).trim();
  let shows = false;
  while (rest !== "") {
    const end = rest.search(SEPARATOR);
    const step = end === -1 ? rest : rest.slice(0, end);
    const name = program(step);
    if (name !== "cd" && name !== "true" && name !== "") {
      // The first step that does something else settles it, so a long script costs no more than its first line.
      if (!SHOWS_TEXT.has(name) && !(name === "git" && SHOWS_GIT.has(gitVerb(step))) && !SHOWS_STATE.test(step)) {
        return false;
      }
      shows = true;
    }
    rest = end === -1 ? "" : rest.slice(end + 1).replace(/^[&|]/, "");
  }
  return shows;
}

/** Does the line end in a way that hides the exit status of what came before: `| tail`, `|| true`, `; echo`? */
export function hidesExitStatus(command: string): boolean {
  const line = command.slice(-600).trimEnd();
  if (/\|\|\s*(?:true|:|echo\b[^|;&\n]*)$/.test(line) || /;\s*(?:true|:|echo\b[^|;&\n]*)$/.test(line)) {
    return true;
  }
  const last = steps(line).at(-1);
  if (last === undefined || last.length < 2 || line.includes("pipefail")) {
    return false;
  }
  return SWALLOWS.has(program(last.at(-1) ?? ""));
}

/** Shorter words could stand in any program. */
const TELLING = 12;

const PRINTED_LABEL = /^[\w ]{3,30}:$/;
const CATCHES = /\bexcept\b|\bcatch\b|\brescue\b/;
const ENDS_BADLY = /\bexit\((?!0\b)|\bexit [1-9]|\braise\b|\bthrow\b/;

/** Does the call itself hold these words? Then the program printed them: it noticed, and went on to its end. */
export function printsItself(words: string, args: unknown): boolean {
  const code = commandOf(args);
  if (code === undefined) {
    return false;
  }
  const start = words.trim().slice(0, 40);
  // `print("Error:", e)`: the label stands in the script, and nothing there ends it badly.
  const label = start.slice(0, start.indexOf(":") + 1);
  if (label.length > 3 && PRINTED_LABEL.test(label) && !ENDS_BADLY.test(code)) {
    const quoted = [`"${label}`, `'${label}`, `\`${label}`].some((piece) => code.includes(piece));
    if (quoted && CATCHES.test(code)) {
      return true;
    }
  }
  // A value may follow a fixed beginning: `print(f"Error: no table {name}")`.
  const fixed = start.length > 24 ? start.slice(0, 24) : start.replace(/[.!]$/, "");
  return fixed.length >= TELLING && code.includes(fixed);
}
