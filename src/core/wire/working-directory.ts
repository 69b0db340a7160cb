import { type Fields, isObject, objects, text } from "./json.ts";

/** System prompts of coding agents are shorter; later text is not searched. */
const MAX_CHARS = 128 << 10;
const MAX_PATH_CHARS = 1024;
/** Clients that describe their environment in a user message do so at its beginning. */
const MAX_MESSAGES = 3;

/**
 * The folder in which the client reports to work; undefined if it reports none. System prompts describe it in words. In
 * user messages, where people may quote such words, only forms that clients write count.
 */
export function workingDirectory(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const messages = objects(body.messages ?? body.input ?? body.contents).slice(0, MAX_MESSAGES);
  const instruction = body.systemInstruction ?? body.system_instruction;
  const system = [
    ...textsOf(body.system),
    ...textsOf(body.instructions),
    ...(isObject(instruction) ? textsOf(instruction.parts) : []),
    ...messages.filter(isSystem).flatMap(textsOfMessage),
  ];
  const users = messages.filter(({ role }) => role === "user").flatMap(textsOfMessage);
  return firstPath(users, IN_MESSAGES) ?? firstPath(system, [...IN_MESSAGES, ...IN_SYSTEM]);
}

function isSystem({ role }: Fields): boolean {
  return role === "system" || role === "developer";
}

function textsOfMessage({ content, parts }: Fields): readonly string[] {
  return textsOf(content ?? parts);
}

function textsOf(content: unknown): readonly string[] {
  return typeof content === "string" ? [content] : objects(content).flatMap((part) => text(part.text) ?? []);
}

/** Words before a path, and the text that ends it; by default the line break. */
type Form = readonly [start: string, end?: string];
const IN_MESSAGES: readonly Form[] = [
  ["<cwd>", "</cwd>"],
  ["I'm currently working in the directory: "],
  ["\n - Primary working directory: "],
  ["- **Workspace Directories:**\n  - "],
];
const IN_SYSTEM: readonly Form[] = [
  ["orking directory: "],
  ["urrent directory: "],
  ["orking Directory: "],
  ["urrent Working Directory (", ")"],
  ["urrent Workspace Directory (", ")"],
];

function firstPath(texts: readonly string[], forms: readonly Form[]): string | undefined {
  let left = MAX_CHARS;
  for (const one of texts) {
    const searched = one.slice(0, left);
    left -= searched.length;
    for (const [start, end = "\n"] of forms) {
      const path = pathAfter(searched, start, end);
      if (path !== undefined) return path;
    }
  }
  return undefined;
}

/** Absolute, so that "the working directory: see below" does not match. */
const ABSOLUTE = /^(?:~?\/|[A-Za-z]:[\\/])/;

function pathAfter(searched: string, start: string, end: string): string | undefined {
  const found = searched.indexOf(start);
  if (found === -1) return undefined;
  const from = found + start.length;
  const line = searched.slice(from, from + MAX_PATH_CHARS);
  const stop = line.indexOf(end);
  // Without its end, the path may be truncated. The end of the text counts as the end of a line.
  if (stop === -1 && (end !== "\n" || line.length === MAX_PATH_CHARS)) return undefined;
  const path = line
    .slice(0, stop === -1 ? undefined : stop)
    .split("\n", 1)[0]
    ?.trim()
    .replaceAll(/^[`"']|[`"'.]$/g, "");
  return path !== undefined && ABSOLUTE.test(path) ? path : undefined;
}
