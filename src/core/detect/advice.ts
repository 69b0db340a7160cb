import type { Category, Phase } from "../model/outcome.ts";
import { type ToolKind, toolKind } from "./call/tool-kind.ts";

/** What kind of change the advice proposes. */
export const ADVICE_KINDS = [
  "instruction",
  "tool-description",
  "permission",
  "setting",
  "time-limit",
  "retry",
] as const;
export type AdviceKind = (typeof ADVICE_KINDS)[number];

/** One change that makes a class of failures rarer, in words to paste. */
export interface Advice {
  readonly kind: AdviceKind;
  readonly text: string;
}

/** What is known about a class of failures. */
export interface FailureClass {
  /** A category; a name that this version does not know gets no advice. */
  readonly category: string;
  readonly phase?: Phase | undefined;
  readonly tool?: string | undefined;
  /** The message of one failure, if its text was captured. */
  readonly message?: string | undefined;
}

interface AdviceRule extends Advice {
  readonly category: Category;
  readonly phase?: Phase;
  readonly kinds?: readonly ToolKind[];
  /** Words of which the message must contain one, in lower case. */
  readonly words?: readonly string[];
}

/**
 * The advice of each class of failures; the first row that fits decides, so specific rows come first. `{tool}` is
 * replaced by the tool's name. Classes without a row get no advice.
 */
export const ADVICE_RULES: readonly AdviceRule[] = [
  {
    category: "precondition",
    kinds: ["edit"],
    words: ["not been read", "read it first", "modified since", "changed since"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Read a file in the same session before you edit it, and read it again after a formatter, a build or a person may have changed it.",
  },
  {
    category: "precondition",
    kinds: ["edit"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Copy the text to replace exactly from the latest read, with its indentation and without line numbers, and include enough lines around it to make it unique.",
  },
  {
    category: "precondition",
    words: ["address already in use", "eaddrinuse", "port is already", "already in use"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Before you start a server, check that its port is free, and stop servers that you started.",
  },
  {
    category: "precondition",
    words: ["conflict", "would be overwritten", "local changes", "non-fast-forward", "fetch first", "unmerged"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Run git status before you pull, merge, rebase or push; commit or stash changes first, and resolve conflicts before you go on.",
  },
  {
    category: "precondition",
    words: ["already exists", "file exists", "eexist"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Check whether a file, branch or record exists before you create it, and use the command that accepts an existing one (mkdir -p).",
  },
  {
    category: "precondition",
    kind: "tool-description",
    text: "Add to the description of {tool} what must be done before it is called, and let its error name that step.",
  },
  {
    category: "not_found",
    kinds: ["shell"],
    words: ["command not found", ": not found", "is not recognized as"],
    kind: "setting",
    text: "Install the missing program in the agent's environment, or add to CLAUDE.md or AGENTS.md which programs are available instead.",
  },
  {
    category: "not_found",
    words: ["no module named", "cannot find module", "modulenotfounderror", "could not resolve", "cannot find package"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Install the project's dependencies before you run it (name the command), and run programs inside its environment.",
  },
  {
    category: "not_found",
    kinds: ["read", "edit", "search"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: List a folder or search for the file name before you read or edit a path that you have not seen, and use paths from the project's root.",
  },
  {
    category: "not_found",
    kinds: ["shell"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Commands run in the project's root; check a path with ls before you use it.",
  },
  {
    category: "not_found",
    kinds: ["api", "sql"],
    kind: "tool-description",
    text: "Say in the description of {tool} which tool lists the valid ids or names, and return the closest ones in its error.",
  },
  {
    category: "invalid_arguments",
    phase: "call",
    kind: "tool-description",
    text: "Describe every parameter of {tool} with its type, format and an example in the schema, mark the required ones, and use enum where only some values are valid.",
  },
  {
    category: "invalid_arguments",
    kinds: ["shell"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Look at a program's --help before you use an option that you have not used in this project.",
  },
  {
    category: "unknown_tool",
    kind: "tool-description",
    text: "Declare {tool} in the request, or remove its name from the system prompt, the instructions and the examples: the model calls what it reads there.",
  },
  {
    category: "permission_denied",
    phase: "gate",
    kind: "permission",
    text: "Allow {tool} for this project in the agent's permission settings if it may run without asking; otherwise add to CLAUDE.md or AGENTS.md that it is not available.",
  },
  {
    category: "permission_denied",
    words: ["robots.txt"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Do not fetch sites that forbid robots; use their API or ask the user for the text.",
  },
  {
    category: "permission_denied",
    words: ["outside", "allowed directories", "workspace", "sandbox"],
    kind: "setting",
    text: "Add the folder to the allowed folders of {tool}, or add to CLAUDE.md or AGENTS.md that all files are inside the project.",
  },
  {
    category: "permission_denied",
    kinds: ["shell"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Do not use sudo and do not write outside the project and the temporary folder.",
  },
  {
    category: "auth",
    kind: "setting",
    text: "Give {tool} a valid key or login in the environment in which the agent runs, and add to CLAUDE.md or AGENTS.md: Stop and ask the user when a login is missing.",
  },
  {
    category: "timeout",
    kinds: ["shell"],
    kind: "time-limit",
    text: "Raise the time limit of {tool} for slow commands, and add to CLAUDE.md or AGENTS.md: Run servers and watchers in the background, and run only the tests that concern the change.",
  },
  {
    category: "timeout",
    kind: "time-limit",
    text: "Raise the time limit of {tool}, or let it return a first part of the result at once; a retry with smaller arguments often succeeds.",
  },
  {
    category: "rate_limited",
    kind: "retry",
    text: "Retry {tool} after the time that the server names (Retry-After), with longer pauses each time, and make fewer calls at once.",
  },
  {
    category: "network",
    words: ["getaddrinfo", "name resolution", "could not resolve host", "enotfound", "name or service not known"],
    kind: "setting",
    text: "Check that the agent's environment may reach this host; if it has no network, add to CLAUDE.md or AGENTS.md that downloads and web requests do not work here.",
  },
  {
    category: "network",
    words: ["econnrefused", "connection refused"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Start the service and wait until its port answers before you connect to it.",
  },
  {
    category: "network",
    kind: "retry",
    text: "Retry {tool} up to three times with growing pauses; the same call may succeed.",
  },
  {
    category: "http_server_error",
    kind: "retry",
    text: "Retry {tool} with growing pauses; if the error stays, the server is at fault, not the call.",
  },
  {
    category: "oversized",
    kinds: ["read", "search"],
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Read large files in parts (offset and limit), and narrow searches to folders and file types.",
  },
  {
    category: "oversized",
    kind: "tool-description",
    text: "Give {tool} parameters to limit its result (page, limit, filter), and name the limit in its description.",
  },
  {
    category: "crash",
    words: ["out of memory", "heap", "killed", "oom", "sigkill", "cannot allocate"],
    kind: "setting",
    text: "Give the agent's environment more memory, or limit the work of the command (fewer workers, a smaller heap).",
  },
  {
    category: "test_failure",
    kind: "instruction",
    text: "Failing tests are work, not a broken tool. Add to CLAUDE.md or AGENTS.md how to run one test, so that the agent repeats only what failed.",
  },
  {
    category: "build_failure",
    kind: "instruction",
    text: "Add to CLAUDE.md or AGENTS.md: Run the type checker or the linter after each change (name the command), so that errors are found one at a time.",
  },
  {
    category: "cancelled",
    phase: "gate",
    kind: "permission",
    text: "Users reject {tool}: add to CLAUDE.md or AGENTS.md when it may be used, or allow the harmless cases in the permission settings.",
  },
];

/**
 * Returns the advice for a class of failures, or undefined if nothing is known.
 *
 * @example
 * adviceFor({ category: "rate_limited", tool: "search" })?.kind; // "retry"
 */
export function adviceFor({ category, phase, tool, message }: FailureClass): Advice | undefined {
  const kind = toolKind(tool, undefined);
  const lower = (message ?? "").slice(0, 1000).toLowerCase();
  const rule = ADVICE_RULES.find(
    (one) =>
      one.category === category &&
      (one.phase === undefined || one.phase === phase) &&
      (one.kinds === undefined || one.kinds.includes(kind)) &&
      (one.words === undefined || one.words.some((word) => lower.includes(word))),
  );
  return rule === undefined
    ? undefined
    : { kind: rule.kind, text: rule.text.replaceAll("{tool}", tool === undefined ? "the tool" : tool.slice(0, 80)) };
}
