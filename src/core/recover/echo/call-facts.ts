import { canonicalJson } from "../../json/values.ts";
import type { Json, JsonObject } from "../../model/tool-call.ts";
import { squeezeValue } from "./characters.ts";
import { decodeEscapes } from "./decode.ts";

/** The remaining work, in units of about a nanosecond. When it is used up, the remaining comparisons count as equal. */
export interface Budget {
  left: number;
}

/** `command`: run on a machine. `url`: an address. `text`: long enough that two calls do not share it by chance. */
type ValueKind = "command" | "url" | "text";

/** A value that identifies a call without its other arguments. */
export interface IdentifyingValue {
  readonly kind: ValueKind;
  readonly text: string;
}

/** The normalized form of a call, for comparison. */
export interface CallFacts {
  /** The tool's name without case, separators and namespace. */
  readonly tool: string;
  /** Squeezed arguments by folded name. */
  readonly args: ReadonlyMap<string, string>;
  readonly values: readonly IdentifyingValue[];
  /** Written as `f(…)`. Without arguments that is often the name of the tool only. */
  readonly isParenthesized?: boolean;
}

/** More arguments and list items than any real call has. */
const MAX_LEAVES = 256;
/** How much of a value is compared: two texts with such a long common beginning are the same. */
const MAX_VALUE_CHARS = 2000;
const MIN_TEXT_CHARS = 24;
const MIN_TEXT_WORDS = 3;
/** In scripts without spaces, this many letters carry as much information as a line of other scripts. */
const MIN_DENSE_LETTERS = 12;
/** A single word of this length is content, not an id. */
const MIN_WORD_CHARS = 120;

const COMMAND_KEYS =
  wordSet(`command commands cmd cmds commandline script scripts code shell bash program source sourcecode sql
  expression expr statement statements exec execute argv javascript python js powershell snippet cell shellcommand codetoexecute`);
const SHELL_TOOLS =
  wordSet(`bash shell sh zsh fish terminal console cmd command powershell pwsh exec execute exec_command execute_command
  execute_bash execute_shell execute_code run_command run_shell run_shell_command run_bash run_bash_command run_code run_script run_in_terminal
  run_terminal_cmd run_terminal_command local_shell container_exec shell_command unified_exec write_stdin python ipython jupyter code_interpreter
  repl eval system subprocess spawn ssh bash_tool developer_shell`);
/** Arguments of shell tools that are not executed. */
const REMARK_KEYS =
  wordSet(`description reason explanation thought purpose cwd workdir workingdirectory dir directory path timeout id
  session sessionid name title language lang justification`);

/** Maps `mcp__files__read-file`, `functions.Read_File` and `read_file` to the same name. */
export function foldToolName(name: string): string {
  return foldWord(ownName(name));
}

/** Returns the name without its namespace. */
export function ownName(name: string): string {
  return name.split(/__|[.:/]/).findLast((part) => /\p{L}/u.test(part)) ?? name;
}

/** Whether the tool runs its argument on a machine. */
export function isShellTool(tool: string): boolean {
  return SHELL_TOOLS.has(tool);
}

/** Normalizes a call, regardless of the format it was written in. */
export function factsOf(name: string, args: JsonObject): CallFacts {
  const tool = foldToolName(name);
  const facts = new Map<string, string>();
  const values: IdentifyingValue[] = [];
  for (const [key, value] of Object.entries(args)) {
    const whole = typeof value === "string" ? value.slice(0, MAX_VALUE_CHARS) : decodeEscapes(canonicalJson(value));
    facts.set(foldWord(key), squeezeValue(whole));
    for (const leaf of leavesOf(value, tool, key)) {
      const text = leaf.text.slice(0, MAX_VALUE_CHARS);
      const kind = leaf.kind === "other" ? undefined : leaf.isCommand ? "command" : kindOf(text);
      const squeezed = kind === undefined ? "" : squeezeValue(text);
      if (kind !== undefined && squeezed.length > 1) values.push({ kind, text: squeezed });
    }
  }
  return { tool, args: facts, values };
}

/** A value inside an argument. */
interface Leaf {
  readonly text: string;
  readonly isCommand: boolean;
  /** `words`: a command as a list of words, `["curl", "http://…"]`, whose words are leaves too. */
  readonly kind: "string" | "words" | "other";
}

/** The values in an argument. Iterative, because a model may nest them arbitrarily deep. */
export function leavesOf(root: Json, tool: string, key: string): readonly Leaf[] {
  const folded = foldWord(key);
  const isCommand = COMMAND_KEYS.has(folded) || (SHELL_TOOLS.has(tool) && !REMARK_KEYS.has(folded));
  const leaves: Leaf[] = [];
  const stack = [{ value: root, isCommand }];
  for (let next = stack.pop(); next !== undefined && leaves.length < MAX_LEAVES; next = stack.pop()) {
    const { value, isCommand } = next;
    if (typeof value === "object" && value !== null) {
      if (isCommand && Array.isArray(value) && value.every((item) => typeof item === "string"))
        leaves.push({ text: value.join(" "), isCommand, kind: "words" });
      for (const [key, item] of Object.entries(value).slice(0, MAX_LEAVES))
        stack.push({ value: item as Json, isCommand: isCommand || COMMAND_KEYS.has(foldWord(key)) });
    } else if (value !== null)
      leaves.push({ text: String(value).trim(), isCommand, kind: typeof value === "string" ? "string" : "other" });
  }
  return leaves;
}

function kindOf(value: string): ValueKind | undefined {
  if (/^[a-z][a-z\d+.-]{1,15}:\/\/\S{3}/i.test(value)) return "url";
  if (value.length >= MIN_WORD_CHARS) return "text";
  if ((value.match(/[\u2e80-\ud7ff]/g)?.length ?? 0) >= MIN_DENSE_LETTERS) return "text";
  if (value.length < MIN_TEXT_CHARS) return undefined;
  return value.split(/\s+/, MIN_TEXT_WORDS).length === MIN_TEXT_WORDS ? "text" : undefined;
}

export function foldWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(foldWord));
}
