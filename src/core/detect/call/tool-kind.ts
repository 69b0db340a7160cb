import { argumentFields } from "./shell-command.ts";
import { actionOf } from "./tool-action.ts";

/** What a tool does, derived from its name: the same text means different things in a shell and in a file. */
export type ToolKind = "shell" | "read" | "search" | "edit" | "http" | "sql" | "agent" | "prose" | "api";

/** The first entry that matches part of the name decides, so general entries come last. */
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

/** Verbs of tools that change something. Their results are their own text; results of other tools may quote content. */
const ACTS = new Set(
  "send post create add write update delete remove reply set save edit append insert mark move archive clear type input fill click press run execute enviar crear criar eliminar envoyer supprimer senden erstellen".split(
    " ",
  ),
);

/** Last words of tools that show content: `browser_console_messages`, `docker_logs`. */
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

/** First words of tools that check something, for which "no" is a valid result. */
const ASKS = new Set("can is has does should are check validate verify lint diagnose".split(" "));

/** Verbs that mean a shell only together with one of `CODE`. */
const EXECUTES = new Set("run exec execute start launch eval evaluate spawn".split(" "));
const CODE = new Set("code python script command commands process cell snippet program javascript js node".split(" "));
const FILE_WORDS = new Set("file files path dir directory folder document notebook".split(" "));

/** Words that are ambiguous in longer names: `list_flights` lists no files, `run_report` runs no command. */
const NEEDS_FILE = new Set("list open show head tail contents run code request view".split(" "));

/** Cache of kinds by name. Cleared when full. */
const known = new Map<string, ToolKind>();
const KNOWN_LIMIT = 1000;

/**
 * Returns the kind of a tool from its name, or else from its arguments.
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

/** Classifies by the last segment of names such as `desktop/startProcess` or `mcp__fs__read_file`. */
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
  const acts = words.some((word) => ACTS.has(word)) || actionOf(last) !== undefined;
  // Failures in the name are the subject of a tool that shows something: `list_errors`, `get_incident`.
  if (!acts && words.some((word) => FAILURES.has(word))) {
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

/** How the keys begin that tell a kind: most arguments have none of them, and need not be parsed. */
const TELLING_KEYS = ['"c', '"url"', '"sql"', '"script"'];

/** An editor tool with the command `view` reads; an unknown tool with a command argument is a shell. */
function kindOfArguments(args: unknown, fallback: ToolKind): ToolKind {
  const fields =
    typeof args === "string" && !TELLING_KEYS.some((key) => args.includes(key)) ? undefined : argumentFields(args);
  if (fields === undefined) {
    return fallback;
  }
  const { command, cmd, code, url, sql, script } = fields;
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
