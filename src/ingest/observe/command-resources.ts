/** Resources named in a command line. */
export interface CommandResources {
  /** The command without output filters and a leading `cd`; equal for two attempts at the same command. */
  readonly core: string;
  /** Folder of a leading `cd`. */
  readonly base: string;
  readonly targets: readonly string[];
  readonly makes: readonly string[];
  readonly urls: readonly string[];
  /** Ecosystems whose packages it installs. */
  readonly provides: readonly string[];
  /** Ecosystems whose packages it needs. */
  readonly needs: readonly string[];
}

/** Longer commands are scripts; their start is enough to identify the resources. */
const MAX_COMMAND_CHARS = 4096;
const MAX_PATHS = 8;

/** Commands that create all their path arguments. */
const CREATING_COMMANDS = new Set(["mkdir", "touch", "tee"]);
/** Commands that create their last path argument. */
const DESTINATION_COMMANDS = new Set(["cp", "mv", "ln", "rsync", "install"]);
/** Flags followed by a path that the command creates. */
const OUTPUT_FLAGS = new Set(["-o", "-O", "--output", "--out", "--outfile", "--outdir", "--out-dir", "-d"]);
/** Commands that only filter the output of another command. */
const FILTERS = new Set(
  "tail head cat less more sort uniq wc cut column grep egrep rg sed awk tee tr nl fold".split(" "),
);

/** Package managers, and the programs that need their packages. */
const ECOSYSTEMS: readonly (readonly [name: string, managers: readonly string[], programs: readonly string[]])[] = [
  [
    "node",
    ["npm", "pnpm", "yarn", "bun"],
    ["npx", "node", "tsc", "vite", "vitest", "jest", "eslint", "tsx", "ts-node"],
  ],
  [
    "python",
    ["pip", "pip3", "uv", "poetry", "pipenv", "conda"],
    ["python", "python3", "pytest", "mypy", "ruff", "tox"],
  ],
  ["ruby", ["bundle", "gem"], ["ruby", "rake", "rspec", "rails"]],
  ["php", ["composer"], ["php", "phpunit"]],
];
const INSTALLS = new Set(["install", "i", "ci", "add", "sync", "update", "upgrade"]);

/** Extracts the resources of a command line in one pass. */
export function readCommand(command: string): CommandResources {
  const steps = splitSteps(command.slice(0, MAX_COMMAND_CHARS));
  const [first] = steps;
  const hasLeadingCd = steps.length > 1 && first?.words[0] === "cd" && first.words.length === 2;
  const base = hasLeadingCd ? (first?.words[1] ?? "") : "";
  const rest = hasLeadingCd ? steps.slice(1) : steps;
  const found = { targets: new Set<string>(), makes: new Set<string>(), urls: new Set<string>() };
  const [provides, needs] = [new Set<string>(), new Set<string>()];
  for (const { words, redirected } of rest) {
    for (const path of redirected) addBounded(found.makes, path);
    readStep(words, found);
    readEcosystems(words, provides, needs);
  }
  const core = withoutFilters(rest)
    .map(({ words }) => words.join(" "))
    .join(" ; ");
  return {
    core: core === "" ? command.slice(0, MAX_COMMAND_CHARS) : core,
    base,
    targets: [...found.targets],
    makes: [...found.makes],
    urls: [...found.urls],
    provides: [...provides],
    needs: [...needs],
  };
}

function readEcosystems(words: readonly string[], provides: Set<string>, needs: Set<string>): void {
  const program = nameOf(words[0] ?? "");
  for (const [name, managers, programs] of ECOSYSTEMS) {
    const isManager = managers.includes(program);
    if (isManager && INSTALLS.has(words[1] === "pip" ? (words[2] ?? "") : (words[1] ?? ""))) provides.add(name);
    else if (isManager || programs.includes(program)) needs.add(name);
  }
}

/** Removes the filters at the end of a pipeline. */
function withoutFilters(steps: readonly CommandStep[]): readonly CommandStep[] {
  const last = steps.findLastIndex(({ words, piped }) => !(piped && FILTERS.has(nameOf(words[0] ?? ""))));
  return steps.slice(0, last + 1);
}

interface CommandPaths {
  readonly targets: Set<string>;
  readonly makes: Set<string>;
  readonly urls: Set<string>;
}

function readStep(words: readonly string[], { targets, makes, urls }: CommandPaths): void {
  const program = nameOf(words[0] ?? "");
  const paths: string[] = [];
  for (const [at, word] of words.entries()) {
    if (/^https?:\/\//.test(word)) addBounded(urls, word);
    else if (OUTPUT_FLAGS.has(words[at - 1] ?? "")) addBounded(makes, word);
    else if (
      (at > 0 || word.startsWith("./")) &&
      (looksLikePath(word) || (CREATING_COMMANDS.has(program) && isPlain(word)))
    )
      paths.push(word);
  }
  const cloned = program === "git" && words[1] === "clone" ? cloneTarget(words) : undefined;
  if (cloned !== undefined) addBounded(makes, cloned);
  else addPaths(program, paths, { targets, makes });
}

function addPaths(
  program: string,
  paths: readonly string[],
  { targets, makes }: Pick<CommandPaths, "targets" | "makes">,
): void {
  if (CREATING_COMMANDS.has(program)) for (const path of paths) addBounded(makes, path);
  else if (DESTINATION_COMMANDS.has(program)) {
    for (const path of paths.slice(0, -1)) addBounded(targets, path);
    for (const path of paths.slice(-1)) addBounded(makes, path);
  } else for (const path of paths) addBounded(targets, path);
}

/** Returns the folder of `git clone URL [folder]`, or else the name of the repository. */
function cloneTarget(words: readonly string[]): string | undefined {
  const given = words.slice(2).filter((word) => !word.startsWith("-"));
  if (given.length === 0) return undefined;
  const name = given[1] ?? given[0] ?? "";
  return given.length > 1 ? name : name.slice(name.lastIndexOf("/") + 1).replace(/\.git$/, "");
}

function addBounded(to: Set<string>, word: string): void {
  if (to.size < MAX_PATHS) to.add(word);
}

/** Whether a word has a slash or an extension, and no characters of patterns and expressions. */
function looksLikePath(word: string): boolean {
  return (
    isPlain(word) && (word.includes("/") || /\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(word)) && !/^[sy]\/|\/\//.test(word)
  );
}

function isPlain(word: string): boolean {
  return word.length <= 256 && /^[\w.@~+][\w.@~+\-/]*$|^\/[\w.@~+\-/]+$/.test(word);
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

interface CommandStep {
  readonly words: readonly string[];
  /** Reads the output of the step before. */
  readonly piped: boolean;
  /** Files its output goes to. */
  readonly redirected: readonly string[];
}

/** Splits a line into simple commands with unquoted words. Stops at a here-document (`<<`). */
function splitSteps(line: string): readonly CommandStep[] {
  const steps: { words: string[]; piped: boolean; redirected: string[] }[] = [];
  let step: { words: string[]; piped: boolean; redirected: string[] } = { words: [], piped: false, redirected: [] };
  let redirects = false;
  const end = (piped: boolean): void => {
    if (step.words.length > 0) steps.push(step);
    step = { words: [], piped, redirected: [] };
    redirects = false;
  };
  for (const [token, word] of tokens(line)) {
    if (token === "<<") break;
    if (token === "word") {
      if (redirects) step.redirected.push(word);
      else if (step.words.length > 0 || !/^(?:sudo|time|env|exec|nohup|\w+=.*)$/.test(word)) step.words.push(word);
      redirects = false;
    } else if (token === ">") redirects = true;
    else end(token === "|");
  }
  end(false);
  return steps;
}

type Token = "word" | ">" | "<<" | "|" | "end";

function* tokens(line: string): Generator<readonly [token: Token, word: string]> {
  let word = "";
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
      continue;
    }
    if (char === "'" || char === '"') {
      quote = char;
      continue;
    }
    if (char === "\\" && at + 1 < line.length) {
      at += 1;
      word += line.charAt(at);
      continue;
    }
    const operator = operatorAt(line, at);
    if (operator === undefined) {
      word += char;
      continue;
    }
    // In `2>&1` the 2 is a file descriptor, not a word.
    if (word !== "" && !(char === ">" && /^[12&]$/.test(word))) yield ["word", word];
    word = "";
    at += operator[1] - 1;
    if (operator[0] !== "space") yield [operator[0], ""];
  }
  if (word !== "") yield ["word", word];
}

function operatorAt(line: string, at: number): readonly [token: Token | "space", length: number] | undefined {
  const char = line.charAt(at);
  switch (char) {
    case " ":
    case "\t":
    case "(":
    case ")":
      return ["space", 1];
    case "\n":
    case ";":
      return ["end", 1];
    case "&":
      if (line.startsWith("&>", at)) return [">", 2];
      return ["end", line.startsWith("&&", at) ? 2 : 1];
    case "|":
      return line.startsWith("||", at) ? ["end", 2] : ["|", 1];
    case "<":
      return line.startsWith("<<", at) ? ["<<", 2] : ["space", 1];
    case ">": {
      // Redirection to another stream, not to a file.
      const to = /^>{1,2}\s?&\d?/.exec(line.slice(at, at + 6));
      if (to !== null) return ["space", to[0].length];
      return [">", line.startsWith(">>", at) ? 2 : 1];
    }
    default:
      return undefined;
  }
}
