/** One simple command of a shell line: its words, without assignments in front. */
export type ShellCommand = readonly string[];

/**
 * Splits a shell line as it appears in documentation: quotes, backslashes, comments, pipes and lists, nothing else. A
 * `$NAME` stays as it is.
 */
export function shellCommands(line: string): readonly ShellCommand[] {
  const commands: string[][] = [[]];
  const part = /\s*(?:(#.*$)|(\|\||&&|[|;&])|((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|\$\([^)]*\)|[^\s'"\\|;&])+))/gy;
  for (const [, comment, operator, word] of line.matchAll(part)) {
    if (comment !== undefined) break;
    if (operator !== undefined) commands.push([]);
    else if (word !== undefined) commands.at(-1)?.push(unquote(word));
  }
  return commands.map(withoutAssignments).filter((words) => words.length > 0);
}

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_all, single, double, escaped) =>
    String(single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped),
  );
}

function withoutAssignments(words: ShellCommand): ShellCommand {
  const first = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/i.test(word));
  return first < 0 ? [] : words.slice(first);
}
