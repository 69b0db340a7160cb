/** What a tool does, as far as its name tells: the same words mean different things in a shell and in a file. */
export type ToolKind = "shell" | "read" | "search" | "edit" | "http" | "sql" | "agent" | "prose" | "api";

/** Later entries are more general; the first that matches a word of the name decides. */
const WORDS: readonly (readonly [ToolKind, ReadonlySet<string>])[] = [
  [
    "shell",
    new Set(
      "bash sh zsh shell terminal exec execute_bash cmd powershell pwsh command process repl python ipython jupyter notebook code interpreter script stdin console ssh subprocess run kubectl docker".split(
        " ",
      ),
    ),
  ],
  ["edit", new Set("edit editor write patch replace multiedit insert rename append overwrite modify".split(" "))],
  ["sql", new Set("sql sqlite postgres postgresql mysql bigquery duckdb psql".split(" "))],
  ["search", new Set("grep search find glob rg ripgrep".split(" "))],
  [
    "http",
    new Set("fetch http https browse browser url curl navigate goto webfetch crawl scrape request download".split(" ")),
  ],
  ["read", new Set("read view cat open ls list tree readfile dir directory show head tail contents".split(" "))],
  ["agent", new Set("task agent subagent delegate".split(" "))],
  [
    "prose",
    new Set(
      "translate traduire traducir traduzir uebersetzen translation transcript transcribe ocr caption captioning speech describe summarize summary human ask user_input retriever retrieve retrieval memory memories recall logs log messages message console diagnostics lints linter text extract comments comment history conversation email emails inbox think thought note notes news explain explanation article articles kb knowledge faq policy policies rules terms llm gpt definition dictionary story lyrics poem reviews diff blame".split(
        " ",
      ),
    ),
  ],
];

/** A tool that does something with a text answers in its own words; one that shows it, in somebody else's. */
const ACTS = new Set(
  "send post create add write update delete remove reply set save edit append insert mark move archive clear type input fill click press run execute enviar crear criar eliminar envoyer supprimer senden erstellen".split(
    " ",
  ),
);

/** Shown things that are named last: `browser_console_messages`, `docker_logs`. */
const SHOWN = new Set(
  "messages logs log transcript comments history requests diagnostics lints memories docs documentation wiki".split(
    " ",
  ),
);

const FAILURES = new Set(
  "error errors failure failures exception exceptions crash crashes incident incidents alert alerts fault faults bug bugs".split(
    " ",
  ),
);

/** Tools that answer a question: "no" is an answer. */
const ASKS = new Set("can is has does should are check validate verify lint diagnose".split(" "));

/** Words that only mean a shell next to one of these. */
const EXECUTES = new Set("run exec execute start launch eval evaluate spawn".split(" "));
const CODE = new Set("code python script command commands process cell snippet program javascript js node".split(" "));
const FILE_WORDS = new Set("file files path dir directory folder document notebook".split(" "));

/** Words that say little about the kind in a longer name: `list_flights` lists no files, `run_report` runs no command. */
const NEEDS_FILE = new Set("list open show head tail contents run code request view".split(" "));

/** Names repeat all day; the answer for one never changes. Emptied when full, so it stays small. */
const known = new Map<string, ToolKind>();
const KNOWN_LIMIT = 1000;

/**
 * The kind of a tool from its name, then from the names of its arguments.
 *
 * @example
 * toolKind("mcp__fs__read_file", {}); // "read"
 */
export function toolKind(name: string | undefined, args: unknown): ToolKind {
  const fromName = name === undefined ? "api" : kindOfName(name);
  if (fromName === "api" || fromName === "edit") {
    return kindOfArguments(args, fromName);
  }
  return fromName;
}

function kindOfName(name: string): ToolKind {
  const before = known.get(name);
  if (before !== undefined) {
    return before;
  }
  const kind = readName(name.slice(0, 200));
  if (known.size >= KNOWN_LIMIT) {
    known.clear();
  }
  known.set(name, kind);
  return kind;
}

/** `desktop/startProcess`, `mcp__fs__read_file`, `functions.exec_command` → the words of the last segment. */
function readName(name: string): ToolKind {
  const segments = name.split(/__|[./:]/).filter((part) => part !== "");
  const last = segments.at(-1) ?? name;
  const words = last
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  if (words.length === 1) {
    return kindOfWord(words[0] ?? "") ?? "api";
  }
  if (words.some((word) => EXECUTES.has(word)) && words.some((word) => CODE.has(word))) {
    return "shell";
  }
  // What a tool is named after is its subject: `list_errors` shows errors, `simulate_failure` makes one.
  if (words.some((word) => FAILURES.has(word))) {
    return "prose";
  }
  const onFile = words.some((word) => FILE_WORDS.has(word));
  if (onFile && words.includes("get")) {
    return "read";
  }
  if (onFile && (words.includes("create") || words.includes("update"))) {
    return "edit";
  }
  const first = words[0] ?? "";
  if ((ASKS.has(first) || words.at(-1) === "check") && !onFile) {
    return "prose";
  }
  const acts = words.some((word) => ACTS.has(word));
  if (!acts && SHOWN.has(words.at(-1) ?? "")) {
    return "prose";
  }
  for (const [kind, set] of WORDS) {
    if (kind === "prose" && acts) {
      continue;
    }
    if (words.some((word) => set.has(word) && (onFile || !NEEDS_FILE.has(word)))) {
      return kind === "prose" && onFile ? "read" : kind;
    }
  }
  return "api";
}

function kindOfWord(word: string): ToolKind | undefined {
  return WORDS.find(([, set]) => set.has(word))?.[0];
}

/** A text editor tool that was asked to view reads; a tool nobody knows that takes a command is a shell. */
function kindOfArguments(args: unknown, fallback: ToolKind): ToolKind {
  if (typeof args !== "object" || args === null) {
    return fallback;
  }
  const { command, cmd, code, url, sql, script } = args as Record<string, unknown>;
  if (command === "view") {
    return "read";
  }
  if (fallback === "edit" || command === "create" || command === "str_replace" || command === "insert") {
    return "edit";
  }
  if (isCommand(command) || isCommand(cmd) || (isCommand(code) && code.length > 12) || isCommand(script)) {
    return "shell";
  }
  if (typeof sql === "string") {
    return "sql";
  }
  return typeof url === "string" ? "http" : fallback;
}

function isCommand(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
