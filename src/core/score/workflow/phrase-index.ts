import { WORKFLOWS, type Workflow } from "./workflow.ts";

/** One phrase of a table, with its workflow and weight. */
export interface Phrase {
  readonly words: readonly string[];
  /** Whether the phrase ends with a prefix instead of a word. */
  readonly open: boolean;
  readonly workflow: Workflow;
  readonly weight: number;
  readonly name: string;
}

export type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>;

const PREFIX = 3;

/** Parses a table of `rules.ts`. */
export function parseTable(table: string): readonly Phrase[] {
  return table.trim().split("\n").flatMap(parseLine);
}

function parseLine(line: string): readonly Phrase[] {
  const colon = line.indexOf(": ");
  const [workflow, weight] = line.slice(0, colon).split(" ");
  if (!WORKFLOWS.includes(workflow as Workflow) || !(Number(weight) > 0)) throw new Error(`Invalid rule: ${line}`);
  return line
    .slice(colon + 2)
    .split(", ")
    .map((name) => {
      const open = name.endsWith("*");
      const words = (open ? name.slice(0, -1) : name).split(" ");
      return { words, open, workflow: workflow as Workflow, weight: Number(weight), name };
    });
}

/**
 * Indexes phrases by the first letters of their first word, so that few are compared at each word of a text. Longest
 * first.
 */
export function indexPhrases(phrases: readonly Phrase[]): PhraseIndex {
  const index = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const key = (phrase.words[0] as string).slice(0, PREFIX);
    index.set(key, [...(index.get(key) ?? []), phrase]);
  }
  for (const same of index.values()) same.sort((one, other) => other.words.length - one.words.length);
  return index;
}

/** The longest phrase that starts at this word. */
export function longestAt(index: PhraseIndex, words: readonly string[], at: number): Phrase | undefined {
  const key = words[at]?.slice(0, PREFIX);
  return key === undefined ? undefined : index.get(key)?.find((phrase) => matches(phrase, words, at));
}

function matches({ words: wanted, open }: Phrase, words: readonly string[], at: number): boolean {
  return wanted.every((word, offset) => {
    const actual = words[at + offset];
    return open && offset === wanted.length - 1 ? actual?.startsWith(word) === true : actual === word;
  });
}
