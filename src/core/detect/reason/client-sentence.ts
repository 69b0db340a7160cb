/** What a client's own sentence about a call is about. */
const SUBJECTS = new Set(
  "command process tool script execution operation shell task job request call bash program code agent subagent".split(
    " ",
  ),
);

/** Marks before the sentence. */
const DECORATION = "[(<* \t";
const MAX_DECORATION = 4;

/** Longest distance between the subject and what happened to it. */
const MAX_DISTANCE = 90;

/** A sentence such as "The command timed out": its subject, and the words after it. */
export interface ClientSentence {
  readonly subject: string;
  /** Lower case. */
  readonly rest: string;
}

/** Such a subject at the start of a line: most lines have none, and need no copy. */
const STARTS_WITH_SUBJECT = new RegExp(
  `^[[(<* \\t]{0,${MAX_DECORATION}}(?:[^ ]{0,20}error:\\s*)?(?:(?:the|your|this) )?(?:${[...SUBJECTS].join("|")})\\b`,
  "i",
);

/** Reads a sentence whose subject is the call as a whole; undefined for every other line. */
export function clientSentence(line: string): ClientSentence | undefined {
  if (!STARTS_WITH_SUBJECT.test(line)) {
    return undefined;
  }
  let at = 0;
  while (at < MAX_DECORATION && DECORATION.includes(line.charAt(at)) && at < line.length) {
    at += 1;
  }
  let lower = line.slice(at, at + MAX_DISTANCE + 60).toLowerCase();
  const colon = lower.indexOf("error:");
  if (colon !== -1 && colon <= 20 && !lower.slice(0, colon).includes(" ")) {
    lower = lower.slice(colon + 6).trimStart();
  }
  const words = /^(?:(?:the|your|this) )?(\w+)\b/.exec(lower);
  const subject = words?.[1] ?? "";
  // `bash: 1234 Aborted` is the line of a program.
  return words === null || !SUBJECTS.has(subject) || lower.charAt(words[0].length) === ":"
    ? undefined
    : { subject, rest: lower.slice(words[0].length, words[0].length + MAX_DISTANCE) };
}
