import type { FacetKey } from "./aggregates.ts";
import type { SessionRecord } from "./session-record.ts";

const MAX_TASK_CHARS = 80;

/** The last part of a path of any system: the folder without its location. */
export function folderName(path: string): string | undefined {
  const parts = path.slice(-1024).split(/[\\/]/);
  return parts.findLast((part) => part !== "");
}

/** The beginning of a prompt in one line, cut at a word. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * MAX_TASK_CHARS)
    .trim()
    .replaceAll(/[\s\p{Cc}]+/gu, " ");
  if (line.length <= MAX_TASK_CHARS) return line;
  const cut = line.lastIndexOf(" ", MAX_TASK_CHARS);
  return `${line.slice(0, cut > MAX_TASK_CHARS / 2 ? cut : MAX_TASK_CHARS).toWellFormed()}…`;
}

const MAX_WORDS = 32;
const MAX_WORD_CHARS = 40;

/** The words of a text, as the search compares them. */
export function searchWords(text: string): readonly string[] {
  const words = text
    .slice(0, 1024)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const distinct = new Set(words.filter((word) => word !== "").map((word) => word.slice(0, MAX_WORD_CHARS)));
  return [...distinct].slice(0, MAX_WORDS);
}

type NamedSession = Pick<SessionRecord, "project" | "session_id" | "folder" | "branch" | "task" | "client">;

/** The differences between the words that find a session before and after a batch. */
export function wordChanges(
  before: NamedSession | undefined,
  after: NamedSession,
): readonly { readonly key: FacetKey; readonly count: number }[] {
  if (before !== undefined && NAME_FIELDS.every((name) => before[name]?.value === after[name]?.value)) return [];
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const { project, session_id } = after;
  const change = (value: string, count: number) => ({
    key: { project, session_id, kind: "word", value } as const,
    count,
  });
  return [
    ...old.filter((word) => !now.includes(word)).map((word) => change(word, -1)),
    ...now.filter((word) => !old.includes(word)).map((word) => change(word, 1)),
  ];
}

const NAME_FIELDS = ["folder", "branch", "client", "task"] as const;

function wordsOf(session: NamedSession | undefined): readonly string[] {
  return searchWords(NAME_FIELDS.map((name) => session?.[name]?.value ?? "").join(" "));
}

/** The profile of unknown clients. */
const NO_CLIENT = "plain";

/** The name of a session without its time; null if only its id is known. */
export function sessionName(parts: {
  readonly folder?: string | null | undefined;
  readonly branch?: string | null | undefined;
  readonly client?: string | null | undefined;
}): string | null {
  const client = parts.client === NO_CLIENT ? undefined : parts.client;
  const known = [parts.folder, parts.branch, client].filter((part) => (part ?? "") !== "");
  return known.length === 0 ? null : known.join(" · ");
}
