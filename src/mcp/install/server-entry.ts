/** A string in a configuration file. */
export interface Token {
  /** Positions of the token, with its quotes. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A list of strings in a configuration file. */
export interface TokenList {
  /** The position after the opening bracket. */
  readonly start: number;
  readonly items: readonly Token[];
}

/** The command with which a client's configuration starts a server. */
export type ServerEntry =
  /** `args` is absent if the entry has none; then `addArgs` returns the text that adds a list behind the command. */
  | {
      readonly kind: "command";
      readonly name: string;
      readonly command: Token;
      readonly args?: TokenList;
      readonly addArgs: (list: string) => string;
      /** Where the added list ends, from its opening bracket; for removal. */
      readonly argsEnd?: number;
    }
  /** Program and arguments in one list, as in opencode. */
  | { readonly kind: "list"; readonly name: string; readonly command: TokenList }
  /** An entry that cannot use the wrapper. */
  | { readonly kind: "skipped"; readonly name: string; readonly reason: string };

/** A change of a text: replaces the part between two positions. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The command that starts the wrapper. */
export interface Wrapper {
  readonly node: string;
  readonly script: string;
  /** Absent for the default data folder. */
  readonly data?: string;
  readonly repairsCalls?: boolean;
}

const SCRIPT = /[\\/]toolmend\.mjs$/;

/** Whether an entry already uses the wrapper, of any installation. */
export function isWrapped(entry: ServerEntry): boolean {
  return wrapperEnd(entry) !== undefined;
}

/** Index of the `--` in the entry's list; undefined if it is not wrapped. */
function wrapperEnd(entry: ServerEntry): number | undefined {
  if (entry.kind === "skipped") return undefined;
  const values = (entry.kind === "list" ? entry.command : entry.args)?.items.map(({ value }) => value) ?? [];
  const from = entry.kind === "list" ? 1 : 0;
  const [script = "", group, action] = values.slice(from);
  if (!SCRIPT.test(script) || group !== "mcp" || action !== "wrap") return undefined;
  const end = values.indexOf("--", from);
  return end === -1 ? undefined : end;
}

/** Whether an entry starts `mcp serve`, of any installation. */
export function isOwnServer(entry: ServerEntry): boolean {
  if (entry.kind !== "command") return false;
  const [script = "", group, action] = entry.args?.items.map(({ value }) => value) ?? [];
  return SCRIPT.test(script) && group === "mcp" && action === "serve";
}

/**
 * Puts the wrapper in front of a command. Only inserts text: the tokens of the old command stay unchanged, so that
 * variables in them keep working and {@link unwrapEdits} restores every byte.
 */
export function wrapEdits(text: string, entry: ServerEntry, wrapper: Wrapper): readonly Edit[] {
  if (entry.kind === "skipped" || isWrapped(entry)) return [];
  const { node, script, data, repairsCalls } = wrapper;
  const hasArgs = entry.kind === "list" || entry.args !== undefined;
  // The form of the option records whether the list existed, for removal.
  const name = hasArgs ? ["--name", entry.name] : [`--name=${entry.name}`];
  const folder = data === undefined ? [] : ["--data", data];
  const repair = repairsCalls === true ? ["--repair-calls", "on"] : [];
  const options = ["mcp", "wrap", ...name, ...folder, ...repair, "--"];
  const quoted = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(", ");
  if (entry.kind === "list") {
    const { start } = entry.command;
    return [{ start, end: start, text: `${quoted([node, script, ...options])},` }];
  }
  const { command, args } = entry;
  const list = `${quoted([script, ...options])}, ${text.slice(command.start, command.end)}`;
  const replaced = { start: command.start, end: command.end, text: JSON.stringify(node) };
  if (args === undefined) return [{ ...replaced, text: replaced.text + entry.addArgs(`[${list}]`) }];
  const { start, items } = args;
  return [replaced, { start, end: start, text: items.length === 0 ? list : `${list},` }];
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((next, edit) => next.slice(0, edit.start) + edit.text + next.slice(edit.end), text);
}

/** Removes the wrapper. */
export function unwrapEdits(text: string, entry: ServerEntry): readonly Edit[] {
  const end = wrapperEnd(entry);
  if (end === undefined || entry.kind === "skipped") return [];
  if (entry.kind === "list") {
    const last = entry.command.items[end];
    return last === undefined ? [] : [{ start: entry.command.start, end: afterComma(text, last.end), text: "" }];
  }
  const { command, args, argsEnd } = entry;
  const old = args?.items[end + 1];
  if (args === undefined || old === undefined) return [];
  const restored = { start: command.start, end: command.end, text: text.slice(old.start, old.end) };
  const isLast = args.items.length === end + 2;
  const wasAdded = isLast && args.items.some(({ value }) => value.startsWith("--name="));
  // The added list follows the command directly.
  if (wasAdded && argsEnd !== undefined && args.start > command.end) return [{ ...restored, end: argsEnd }];
  return [restored, { start: args.start, end: isLast ? old.end : afterComma(text, old.end), text: "" }];
}

function afterComma(text: string, from: number): number {
  return text.indexOf(",", from) + 1;
}
