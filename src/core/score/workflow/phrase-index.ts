import { WORKFLOWS, type Workflow } from "./workflow.ts";

/** One phrase of a table, and what it counts. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last word may go on. */
  readonly open: boolean;
  readonly workflow: Workflow;
  readonly weight: number;
  readonly name: string;
}

export type PhraseIndex = ReadonlyMap<string, readonly Phrase[]>;

const PREFIX = 3;

/** Reads a table of `rules.ts`. */
export function readTable(table: string): readonly Phrase[] {
  return table.trim().split("\n").flatMap(readLine);
}

function readLine(line: string): readonly Phrase[] {
  const colon = line.indexOf(": ");
  const [workflow, weight] = line.slice(0, colon).split(" ");
  if (!WORKFLOWS.includes(workflow as Workflow) || !(Number(weight) > 0)) throw new Error(`not a rule: ${line}`);
  return line
    .slice(colon + 2)
    .split(", ")
    .map((name) => {
      const open = name.endsWith("*");
      const words = (open ? name.slice(0, -1) : name).split(" ");
      return { words, open, workflow: workflow as Workflow, weight: Number(weight), name };
    });
}

/** By the first letters of the first word: a text asks a handful of phrases at each of its words. The longest come first. */
export function indexPhrases(phrases: readonly Phrase[]): PhraseIndex {
  const index = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const key = (phrase.words[0] as string).slice(0, PREFIX);
    index.set(key, [...(index.get(key) ?? []), phrase]);
  }
  for (const same of index.values()) same.sort((one, other) => other.words.length - one.words.length);
  return index;
}

/** The longest phrase that begins at this word. */
export function longestAt(index: PhraseIndex, words: readonly string[], at: number): Phrase | undefined {
  const key = words[at]?.slice(0, PREFIX);
  return key === undefined ? undefined : index.get(key)?.find((phrase) => matches(phrase, words, at));
}

function matches({ words: wanted, open }: Phrase, words: readonly string[], at: number): boolean {
  return wanted.every((word, offset) => {
    const said = words[at + offset];
    return open && offset === wanted.length - 1 ? said?.startsWith(word) === true : said === word;
  });
}
