const LONGEST = 64;

/** A name that every model API takes, and that nobody has yet. MCP allows more than they do: dots, slashes, any length. */
export function uniqueName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, LONGEST) || "tool";
  let unique = plain;
  for (let n = 2; taken.has(unique); n += 1) unique = `${plain.slice(0, LONGEST - `_${n}`.length)}_${n}`;
  taken.add(unique);
  return unique;
}
