/** The kind of a sentence, derived from its first words. */
export type Mood = "order" | "question" | "wish" | "statement";

/** A prompt, prepared for the rules. */
export interface ParsedPrompt {
  /** Its sentences in lower case, without pasted code and stack traces. */
  readonly sentences: readonly Sentence[];
  /** The kinds of pasted text. */
  readonly pasted: ReadonlySet<Pasted>;
  /** The sentences as one text, for languages without spaces between words. */
  readonly prose: string;
}

export interface Sentence {
  readonly words: readonly string[];
  /** Index of the main verb, after fillers such as "can you please". */
  readonly lead: number;
  readonly mood: Mood;
  /** Whether it follows a comma: "they are all alike, unify them". */
  readonly clause: boolean;
  /** Whether it is a list item, which only details the request above it. */
  readonly item: boolean;
}

export type Pasted = "trace" | "diff" | "code";

/** People write their request at the start, or after a long paste. */
const MAX_HEAD_CHARS = 2000;
const MAX_TAIL_CHARS = 500;
const MAX_LINE_CHARS = 400;
const MAX_WORDS = 400;

/** Words before the main verb. */
const FILLERS = new Set(
  (
    "please pls plz can could would will you u i we i'd i'm want wanna need to like let's lets hey hi hello so ok okay now also then and " +
    "just help me us go ahead try kindly maybe next first finally bitte kannst du mal mir uns por favor puedes s'il te plait peux tu " +
    "going gonna should must have it'd be great if right well alright currently again"
  ).split(" "),
);
const MAX_FILLERS = 8;

/** Paths are removed: their words do not describe the request. */
const PATH = /(?<![^\s(`"'])[^\s/]{0,80}\/[^\s/]{0,80}(?:\/\S{0,300}|\.\w{1,8}\b)/gu;
const ITEM = /^\s{0,8}(?:[-*•]|\d{1,2}[.)])\s/;

/** Parses the start and the end of a prompt, in linear time. */
export function parsePrompt(prompt: string): ParsedPrompt {
  const text =
    prompt.length > MAX_HEAD_CHARS + MAX_TAIL_CHARS
      ? `${prompt.slice(0, MAX_HEAD_CHARS)}\n${prompt.slice(-MAX_TAIL_CHARS)}`
      : prompt;
  const pasted = new Set<Pasted>();
  const prose: string[] = [];
  let fenced = false;
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, MAX_LINE_CHARS);
    const fence = line.trimStart().startsWith("```");
    if (fence) fenced = !fenced;
    const kind = pastedLine(line);
    if (kind !== undefined) pasted.add(kind);
    if (fence || fenced) pasted.add("code");
    else if (kind === undefined) prose.push(line);
  }
  const written = prose.join("\n").toLowerCase().replaceAll("’", "'").replace(PATH, " ");
  return { sentences: sentencesOf(written), pasted, prose: written };
}

const TRACE_STARTS = [
  "traceback (most recent",
  "at ",
  "caused by:",
  "panic:",
  "thread '",
  "#0 ",
  "#1 ",
  'file "',
  "--> ",
];
const ERROR_NAME = /^(?:uncaught )?[\w.$]{0,80}(?:error|exception)(?:\[\w{1,12}\])?: /i;
const CODE_STARTS = [
  "create table ",
  "select * ",
  "insert into ",
  "alter table ",
  "import {",
  "#include ",
  "$ ",
  ">>> ",
];
/** Three words without any symbols are prose. */
const PLAIN_START = /^[\p{L}']{1,30} [\p{L}']{1,30} [\p{L}']{1,30}[ ,.:?!]/u;
const CODE_MARKS = /[{}();=<>[\]|\\]/g;

function pastedLine(line: string): Pasted | undefined {
  const start = line.trimStart().toLowerCase();
  if (ERROR_NAME.test(start)) return "trace";
  if (start !== line.toLowerCase() || start.startsWith("#")) {
    if (TRACE_STARTS.some((mark) => start.startsWith(mark))) return "trace";
  }
  if (start.startsWith("traceback (most recent")) return "trace";
  if (start.startsWith("@@ ") || start.startsWith("--- a/") || start.startsWith("+++ b/")) return "diff";
  if (CODE_STARTS.some((mark) => start.startsWith(mark))) return "code";
  if (PLAIN_START.test(start)) return undefined;
  const marks = line.match(CODE_MARKS)?.length ?? 0;
  if (marks >= 3 && marks * 8 >= line.length) return "code";
  if (marks >= 2 && (line.endsWith(";") || line.endsWith("{"))) return "code";
  return line.length > 4 && (line.startsWith("\t") || line.startsWith("    ")) ? "code" : undefined;
}

function sentencesOf(prose: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let left = MAX_WORDS;
  // A period within a file name or a version does not end a sentence.
  for (const line of prose.split("\n")) {
    const item = ITEM.test(line);
    for (const part of line.split(/[.!:;](?=\s|$)|(?<=[?？¿。！])/)) {
      const isQuestion = part.includes("?") || part.includes("？") || part.includes("¿");
      part.split(/,(?=\s)| - | -- /).forEach((clause, at) => {
        const words = (clause.match(/[\p{L}\p{N}_']+/gu) ?? [])
          .slice(0, left)
          .map((word) => CONTRACTIONS.get(word) ?? word);
        if (words.length === 0) return;
        left -= words.length;
        const lead = leadOf(words);
        sentences.push({ words, lead, mood: moodOf(words, lead, isQuestion), clause: at > 0, item });
      });
    }
  }
  return sentences;
}

/** Contractions typed without their apostrophe. */
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  "doesn't don't didn't isn't aren't wasn't won't can't shouldn't what's i'm i've"
    .split(" ")
    .map((word) => [word.replace("'", ""), word]),
);

function leadOf(words: readonly string[]): number {
  let at = 0;
  while (at < MAX_FILLERS && at < words.length - 1 && (FILLERS.has(words[at] ?? "") || isBeginning(words, at))) at += 1;
  return at;
}

/** "start implementing", "continue debugging". */
function isBeginning(words: readonly string[], at: number): boolean {
  return BEGINNINGS.has(words[at] ?? "") && words[at + 1]?.endsWith("ing") === true;
}

const BEGINNINGS = new Set(["start", "begin", "continue", "keep", "resume"]);

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const QUESTION_WORDS = setOf(
  "how what what's whats where which who whose why is are does do did was were has would should am",
);
const REQUESTS = setOf("can could would will please pls let's lets");
/** Words that start a statement. */
const SUBJECTS = setOf(
  "the our my this that these those it its it's there there's i i'm i've we we're they users user customers someone nothing everything " +
    "some all most each every a an when whenever if after since still sometimes der die das el la le les",
);
const WISHES = setOf("should could want wants need needs must can may would like love able wish ought");

function moodOf(words: readonly string[], lead: number, asks: boolean): Mood {
  const [first = ""] = words;
  const verb = words[lead] ?? "";
  const polite =
    REQUESTS.has(first) && (words[1] === "you" || words[1] === "u" || first.startsWith("p") || first.startsWith("l"));
  if (!polite && (asks || QUESTION_WORDS.has(first)) && !WISHES.has(first)) return "question";
  if (words.slice(0, 12).some((word) => WISHES.has(word)) && !polite) return "wish";
  return polite || !SUBJECTS.has(verb) ? "order" : "statement";
}
