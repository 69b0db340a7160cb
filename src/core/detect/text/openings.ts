import { deniesDoing } from "../call/tool-action.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import { EXCEPTION, labelAt } from "../reason/severity-words.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Longest result that may be one error message, by kind of tool. Programs print: their results are not here. */
const MESSAGE_LENGTH: Readonly<Partial<Record<ToolKind, number>>> = {
  api: 3000,
  edit: 6000,
  sql: 3000,
  agent: 1500,
  http: 1500,
  read: 600,
  search: 600,
  prose: 200,
};

/** Marks before the first word: Markdown, brackets, crosses. */
const DECORATION = /^[\s*_#>[(!\u274c\u2717\u2718\u00d7\u26d4\u26a0]{1,8}\ufe0f?\s{0,2}/;

/** What a tool that speaks of itself says first, in this order. */
const SPEAKER = [
  "I'm ",
  "Sorry, ",
  "Sorry, but ",
  "Sorry ",
  "sorry, ",
  "sorry, but ",
  "but ",
  "I ",
  "We ",
  "was ",
  "am ",
];

/** The sentence without the one who speaks: `Sorry, I could not find …`. */
function withoutSpeaker(line: string): string {
  return SPEAKER.reduce((rest, words) => (rest.startsWith(words) ? rest.slice(words.length) : rest), line);
}

/** Sentences that start with the failure itself. */
const OPENING =
  /^(?:failed to \w|unable to \w|could not \w|couldn't \w|cannot \w|can't \w|error (?!handling)\w{3,20}ing\b|[\w-]{1,30} (?:execution|verification) failed\b|.{0,60}(?:\b(?:status|code):?|HTTP\/[\d.]+) [45]\d\d\b)/i;

/** `Error: (none)`, `Error code: 200`. */
const NO_ERROR = /^\W{0,3}(?:none|null|nil|no|false|ok|success\w*|0|2\d\d)?\W{0,3}$/i;

/** A heading above the message, as some servers write it: `### Error`. */
const ERROR_HEADING = /^#{1,6} \W{0,3}(?:\w+ )?(?:error|failure|exception)s?\W{0,3}$/i;
const HEADED_LENGTH = 6000;

/** Finds a heading that calls the whole answer an error. */
export function findErrorHeading({ text, start, end }: TextWindow): Signal | undefined {
  if (text.charCodeAt(start) !== 35 || end - start > HEADED_LENGTH || !ERROR_HEADING.test(lineAt(text, start, end))) {
    return undefined;
  }
  const message = Math.min(end, text.indexOf("\n", start) + 1);
  return createSignal("failure", "error-heading", message, text.slice(start, Math.min(end, start + 500)), 0.88);
}

/** Finds an object or list of problems that is labeled as an error: `Error: [ { "code": "invalid_type" …`. */
export function findLabeledObject({ text, start, end }: TextWindow): Signal | undefined {
  const line = lineAt(text, start, end);
  const label = labelAt(line, 0);
  const value = label?.sense === "error" ? line.slice(label.end).trim() : "";
  const last = text.charAt(end - 1);
  const isObject = (value.startsWith("[") && last === "]") || (value.startsWith("{") && last === "}");
  return isObject && value.length < end - start - 12
    ? createSignal("failure", "opening", start, text.slice(start, Math.min(end, start + 500)), 0.87)
    : undefined;
}

/** Finds a label or sentence of failure at the very start of an answer that is short enough to be one message. */
export function findOpening({ text, start, end }: TextWindow, kind: ToolKind, acts = false): Signal | undefined {
  const limit = MESSAGE_LENGTH[kind];
  if (limit === undefined || end - start > limit) {
    return undefined;
  }
  const top = belowHeading(text, start, end);
  // What is told at length, or translated, may start with any label.
  if (kind === "prose" && text.slice(top, end).includes("\n")) {
    return undefined;
  }
  const raw = lineAt(text, top, end);
  const line = raw.replace(DECORATION, "");
  const label = labelAt(line, 0);
  const isLabel =
    label?.sense === "error" &&
    !NO_ERROR.test(line.slice(label.end)) &&
    (kind !== "read" || !text.startsWith("# ", start));
  const isOpening =
    kind !== "search" && kind !== "read" && kind !== "prose"
      ? OPENING.test(withoutSpeaker(line))
      : /execution failed\b/.test(line.slice(0, 40)) || namesErrno(text.slice(start, end));
  if (acts && deniesAction(text, start, end)) {
    return createSignal("failure", "opening", top, raw, 0.85);
  }
  if (acts && saysFailed(raw, end - start)) {
    const category = raw.toLowerCase().includes("wrong") ? "error" : "failed";
    return createSignal("failure", "opening", top, raw, 0.87, { category });
  }
  return isLabel || EXCEPTION.test(line) || isOpening || (kind === "sql" && isDatabaseReply(line))
    ? createSignal("failure", "opening", top + raw.length - line.length, line, 0.87)
    : undefined;
}

/** `Catalog Error: …`, and a status with a sentence: `400 Unrecognized name: …`. */
function isDatabaseReply(line: string): boolean {
  const colon = line.indexOf(" Error: ");
  const second = line.charAt(4);
  return (
    (colon > 0 && colon < MAX_ERROR_NAME && line.slice(0, colon).split(" ").every(isCapitalized)) ||
    ((line.startsWith("4") || line.startsWith("5")) &&
      Number.isInteger(Number(line.slice(0, 4).trimEnd())) &&
      isCapitalized(second))
  );
}
const MAX_ERROR_NAME = 40;

function isCapitalized(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 65 && code <= 90;
}

/** Longest result that names only what is out of order, and its words. */
const OUTAGE_LENGTH = 60;
const OUTAGE_WORDS = 5;
const OUT_OF_ORDER = new Set("down offline outage unavailable unreachable overloaded unresponsive".split(" "));
const SYSTEMS = new Set(
  "service server backend database db api gateway upstream system network host site cluster queue broker provider proxy registry endpoint".split(
    " ",
  ),
);
/** Words in the names of tools that were asked for the state of something. */
const ASKS_STATE = "status state health check monitor ping probe uptime alive reachable".split(" ");

/** `payment gateway offline`: a result of a few words that names what is out of order. */
export function namesOutage({ text, start, end }: TextWindow): boolean {
  const line = end - start > OUTAGE_LENGTH ? "" : text.slice(start, end).toLowerCase();
  const words = line.split(/\W+/).filter((word) => word !== "");
  return words.length <= OUTAGE_WORDS && OUT_OF_ORDER.has(words.at(-1) ?? "") && words.some(isSystem);
}

/** Whether a tool was asked for the state of something, so that "offline" is its result. */
export function asksState(toolName = ""): boolean {
  const lower = toolName.toLowerCase();
  return ASKS_STATE.some((word) => lower.includes(word));
}

function isSystem(word: string): boolean {
  return SYSTEMS.has(word.endsWith("s") ? word.slice(0, -1) : word);
}

/** Errors of files, as a reading tool names them in any language: `(ENOENT)`. */
const ERRNOS = ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR"];
const ERRNO_LENGTH = 300;

function namesErrno(answer: string): boolean {
  return answer.length <= ERRNO_LENGTH && ERRNOS.some((name) => answer.includes(`(${name})`));
}

/** Longest answer that is only a failure without a reason. */
const BARE_LENGTH = 60;
const BARE_WORDS = 4;

/** `Operation failed.`: the whole answer of a tool that was asked to act. */
function saysFailed(line: string, length: number): boolean {
  const words = length > BARE_LENGTH || line.length < length ? [] : line.toLowerCase().split(" ");
  return words.length > 1 && words.length <= BARE_WORDS && BARE_FAILED.has(words.at(-1) ?? "");
}
/** Longer answers explain something else too. */
const REFUSAL_LENGTH = 200;
const NOTHING_DONE = ["nothing was ", "nothing has been ", "success=false"];

/** `No contact matches. Nothing was updated.`, `Not created: …`: the answer of a tool that was asked to act. */
function deniesAction(text: string, start: number, end: number): boolean {
  if (end - start > REFUSAL_LENGTH) {
    return false;
  }
  const lower = text.slice(start, end).toLowerCase();
  const [first, verb = ""] = lower.split(" ", 2);
  return (
    (first === "not" && verb.endsWith("ed:")) ||
    NOTHING_DONE.some((words) => lower.includes(words)) ||
    deniesDoing(lower)
  );
}

const FRAME = "\u2577\n\u2502 ";

const BARE_FAILED = new Set(["failed", "failed.", "failed!", "wrong", "wrong.", "unsuccessful", "unsuccessful."]);

/** Some servers put a heading above every result, `### Result`, and Terraform draws a frame around its errors. */
function belowHeading(text: string, start: number, end: number): number {
  if (text.startsWith(FRAME, start)) {
    return start + FRAME.length;
  }
  const newline = text.startsWith("##", start) ? text.indexOf("\n", start) : -1;
  return newline === -1 || newline >= end || newline - start > 40 ? start : newline + 1;
}
