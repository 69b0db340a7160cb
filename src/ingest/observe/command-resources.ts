/** What a command line is about. */
export interface CommandResources {
  /** The command without what only shapes its output or leads to its folder: two tries of one command have the same. */
  readonly core: string;
  /** The folder that a leading `cd` goes to. */
  readonly base: string;
  readonly targets: readonly string[];
  readonly makes: readonly string[];
  readonly urls: readonly string[];
  /** Whose packages it installs. */
  readonly provides: readonly string[];
  /** Whose packages it needs. */
  readonly needs: readonly string[];
}

/** Longer commands are scripts; what they are about stands at their beginning. */
const MAX_COMMAND_CHARS = 4096;
const MAX_PATHS = 8;

/** Commands whose path arguments come into being. */
const CREATING_COMMANDS = new Set(["mkdir", "touch", "tee"]);
/** Commands whose last path argument comes into being. */
const DESTINATION_COMMANDS = new Set(["cp", "mv", "ln", "rsync", "install"]);
/** Flags that are followed by what comes into being. */
const OUTPUT_FLAGS = new Set(["-o", "-O", "--output", "--out", "--outfile", "--outdir", "--out-dir", "-d"]);
/** Commands that only show or cut what another one said. */
const FILTERS = new Set(
  "tail head cat less more sort uniq wc cut column grep egrep rg sed awk tee tr nl fold".split(" "),
);

/** Package managers, and the programs that cannot do without what they install. */
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

/** Reads a command line once, from front to back. */
export function readCommand(command: string): CommandResources {
  const steps = splitSteps(command.slice(0, MAX_COMMAND_CHARS));
  const [first] = steps;
  const led = steps.length > 1 && first?.words[0] === "cd" && first.words.length === 2;
  const base = led ? (first?.words[1] ?? "") : "";
  const rest = led ? steps.slice(1) : steps;
  const found = { targets: new Set<string>(), makes: new Set<string>(), urls: new Set<string>() };
  const [provides, needs] = [new Set<string>(), new Set<string>()];
  for (const { words, redirected } of rest) {
    for (const path of redirected) addBounded(found.makes, path);
    readStep(words, found);
    const program = nameOf(words[0] ?? "");
    for (const [name, managers, programs] of ECOSYSTEMS) {
      const manages = managers.includes(program);
      if (manages && INSTALLS.has(words[1] === "pip" ? (words[2] ?? "") : (words[1] ?? ""))) provides.add(name);
      else if (manages || programs.includes(program)) needs.add(name);
    }
  }
  const shaping = rest.findLastIndex(({ words, piped }) => !(piped && FILTERS.has(nameOf(words[0] ?? ""))));
  const core = rest
    .slice(0, shaping + 1)
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
  else if (CREATING_COMMANDS.has(program)) for (const path of paths) addBounded(makes, path);
  else if (DESTINATION_COMMANDS.has(program)) {
    for (const path of paths.slice(0, -1)) addBounded(targets, path);
    for (const path of paths.slice(-1)) addBounded(makes, path);
  } else for (const path of paths) addBounded(targets, path);
}

/** `git clone URL [folder]`: the folder, else the name of the repository. */
function cloneTarget(words: readonly string[]): string | undefined {
  const given = words.slice(2).filter((word) => !word.startsWith("-"));
  if (given.length === 0) return undefined;
  const name = given[1] ?? given[0] ?? "";
  return given.length > 1 ? name : name.slice(name.lastIndexOf("/") + 1).replace(/\.git$/, "");
}

function addBounded(to: Set<string>, word: string): void {
  if (to.size < MAX_PATHS) to.add(word);
}

/** Has a slash or an ending, and nothing that stands in patterns and expressions only. */
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
  /** Reads what the step before it says. */
  readonly piped: boolean;
  /** Files its output goes to. */
  readonly redirected: readonly string[];
}

/** The simple commands of a line with their words, quotes taken off. Stops where a text follows (`<<`). */
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
    // `2>&1` is no word before a redirection.
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
      // To another stream, not to a file.
      const to = /^>{1,2}\s?&\d?/.exec(line.slice(at, at + 6));
      if (to !== null) return ["space", to[0].length];
      return [">", line.startsWith(">>", at) ? 2 : 1];
    }
    default:
      return undefined;
  }
}
