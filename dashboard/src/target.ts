/** `[NOT_FOUND] Read - File does not exist.` without the parts that adjacent columns show. */
export function briefMessage(message: string, tool: string): string {
  const start = /^\[[A-Z_]+\] /.exec(message)?.[0] ?? "";
  if (start === "" || !message.startsWith(tool, start.length)) return message;
  const rest = message.slice(start.length + tool.length);
  return /^(?: exit=\S+)? - (?=\S)/.test(rest) ? rest.slice(rest.indexOf(" - ") + 3) : message;
}

/** Arguments that name the target of a call, the most specific first. */
const TARGETS = [
  ...["file_path", "filePath", "notebook_path", "path", "file", "filename", "command", "cmd", "url", "pattern"],
  ...["query", "skill", "subagent_type", "description", "prompt"],
];
const MAX_CHARS = 120;

/** The target of a call: its file, command or address. From the stored arguments, which may be truncated. */
export function targetOf(preview: string | null): string | undefined {
  if (preview === null) return undefined;
  const given = parsed(preview);
  for (const name of TARGETS) {
    const value = given === undefined ? cutText(preview, name) : textOf(given[name]);
    if (value !== undefined && value !== "") return value.slice(0, MAX_CHARS);
  }
  return undefined;
}

function parsed(preview: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(preview);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return undefined;
  }
}

/** A command may be a list of words. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.filter((word) => typeof word === "string").join(" ");
  return typeof value === "string" ? value : undefined;
}

/** The text of an argument in JSON that is truncated. */
function cutText(json: string, name: string): string | undefined {
  const start = json.indexOf(`"${name}":"`);
  if (start === -1) return undefined;
  const from = start + name.length + 4;
  const end = json.slice(from, from + MAX_CHARS).search(/(?<!\\)"/);
  return json
    .slice(from, end === -1 ? from + MAX_CHARS : from + end)
    .replaceAll('\\"', '"')
    .replaceAll("\\n", "\n");
}
