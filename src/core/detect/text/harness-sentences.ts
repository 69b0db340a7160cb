import type { Category } from "../../model/outcome.ts";
import type { ToolKind } from "../call/tool-kind.ts";
import { clientError } from "../http-status.ts";
import { clientSentence } from "../reason/client-sentence.ts";
import { createSignal, type Signal } from "../signal.ts";
import { lineAt, type TextWindow } from "./text-window.ts";

/** Subjects of other sentences too: "Request was cancelled" may be the answer. */
const AMBIGUOUS = new Set(["task", "job", "request", "call"]);

/** Only the user of the client stops a call in person. */
function isByUser(rest: string): boolean {
  return rest.includes("interrupted by user") || rest.includes("by the user");
}

const CANCELLED = /\b(?:aborted(?! due to compil)|cancell?ed|interrupted)\b/;
const TIMED_OUT = /\btimed out\b|\bexceed(?:ed|ing)\b.{0,30}\btime/;

/** A client's own sentence about the whole call: it was stopped, whatever the program printed before. */
function stopOf(line: string): Category | undefined {
  const sentence = clientSentence(line);
  if (sentence === undefined || (AMBIGUOUS.has(sentence.subject) && !isByUser(sentence.rest))) {
    return undefined;
  }
  const timeout = sentence.rest.search(TIMED_OUT);
  const cancelled = sentence.rest.search(CANCELLED);
  if (timeout === -1) {
    return cancelled === -1 ? undefined : "cancelled";
  }
  return cancelled === -1 || timeout < cancelled ? "timeout" : "cancelled";
}

/** The same words as a whole line: `Timeout`, `Request timed out.`, `timed out after 30s`. */
const BARE =
  /^[[(<*\s]{0,4}(?:error: ?|\w{0,20}error: ?)?(?:request |operation |connection )?(?:timed out|timeout)(?: (?:after|of|exceeded|reached|waiting)[^\n]{0,60})?[.!\])>]{0,3}$/i;

/** What clients and servers put before the error of a tool. */
const WRAPPER =
  /^[[(<*\s]{0,4}(?:(?:error|exception|failure) (?:while |when )?(?:executing|calling|invoking|running)\b|(?:MCP|JSON-?RPC|RPC|gRPC) error\b|(?:unknown|unrecognized|no such) tool\b|input validation error\b|tool (?:call |execution )?(?:failed|error)\b)/i;

/** Lines at the end of a result that may be the client's. */
const LAST_LINES = 4;
const LINE_LENGTH = 240;

/** Kinds of tools that show text of others at any length. */
const SHOWS: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search", "prose"]);

/** How clients say that a call or an agent ended without an answer, in lower case: its result was lost. */
const LOST =
  "no result|without a result|without output|before it returned|before the tool returned|did not return|was lost".split(
    "|",
  );
/** The same of an agent that was stopped. */
const UNFINISHED =
  "without a final|before it produced|before it could|did not finish|number of turns|out of turns|max turns|turn limit".split(
    "|",
  );

/** Finds the notice of a client that a call has no answer: the whole text is one short line. */
function findUnfinished(text: string, start: number, end: number, kind: ToolKind): Signal | undefined {
  const line = end - start > LINE_LENGTH ? "" : text.slice(start, end);
  const lower = line.includes("\n") ? "" : line.toLowerCase();
  const isAboutCall = lower.startsWith("tool ") || lower.startsWith("[tool ");
  if (!isAboutCall && (kind !== "agent" || !lower.includes("agent"))) {
    return undefined;
  }
  const category = LOST.some((words) => lower.includes(words))
    ? "incomplete"
    : UNFINISHED.some((words) => lower.includes(words))
      ? "failed"
      : undefined;
  return category && createSignal("failure", "harness-sentence", start, line, 0.85, { category });
}

/** Finds the sentence of a client that stopped the call: on the first line, or on one of the last ones. */
export function findHarnessSentence({ text, start, end }: TextWindow, kind: ToolKind): Signal | undefined {
  if (SHOWS.has(kind) && end - start > LINE_LENGTH && !WRAPPER.test(text.slice(start, start + 60))) {
    return undefined;
  }
  if (WRAPPER.test(text.slice(start, start + 60))) {
    return createSignal("failure", "wrapper", start, lineAt(text, start, end), 0.92);
  }
  // Its lines are names of arguments, of which one may be `timeout`.
  if (isValidationReport(text, start, end)) {
    return createSignal("failure", "wrapper", start, text.slice(start, Math.min(end, start + 500)), 0.9, {
      category: "invalid_arguments",
    });
  }
  const newline = text.indexOf("\n", start);
  const found =
    sentenceAt(text, start, newline === -1 ? end : Math.min(newline, end)) ?? findUnfinished(text, start, end, kind);
  if (found !== undefined || newline === -1) {
    return found;
  }
  let stop = end;
  for (let line = 0; line < LAST_LINES && stop > start; line += 1) {
    const at = Math.max(start, text.lastIndexOf("\n", stop - 1) + 1);
    const signal = sentenceAt(text, at, stop);
    if (signal !== undefined) {
      return signal;
    }
    stop = at - 1;
  }
  return undefined;
}

/** `2 validation errors for SearchInput`: what a server says of the arguments. */
function isValidationReport(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  if (code < 48 || code > 57) {
    return false;
  }
  const [count, noun, errors = "", about] = text.slice(start, Math.min(end, start + 60)).split(" ", 4);
  return noun === "validation" && errors.startsWith("error") && about === "for" && Number(count) > 0;
}

/** Characters of a page in which its title is searched. */
const PAGE_HEAD = 600;
const PAGE_LENGTH = 3000;

/** The page with which a service asks whether a person is there, as text and as HTML. */
const CHALLENGE = [
  "Just a moment...",
  "ou are human",
  "nable JavaScript and cookies to continue",
  "you have been blocked",
  "protect itself from online attacks",
];
const CHALLENGE_PARTS = 2;

/** Finds the error page of a web server instead of the requested page, by its title, or the page of a challenge. */
export function findErrorPage({ text, start, end }: TextWindow): Signal | undefined {
  if (end - start > PAGE_LENGTH) {
    return undefined;
  }
  const whole = text.slice(start, end);
  const challenge = CHALLENGE.filter((words) => whole.includes(words));
  if (challenge.length >= CHALLENGE_PARTS) {
    return createSignal("failure", "error-page", start, challenge[0] as string, 0.85, {
      category: "permission_denied",
    });
  }
  // Below the heading of a client: `Contents of https://a.example:`.
  const page = text.indexOf("<", start);
  const heading = page === -1 ? "" : text.slice(start, page).trimEnd();
  if (page === -1 || page >= end || heading.includes("\n") || (heading !== "" && !heading.endsWith(":"))) {
    return undefined;
  }
  const head = text.slice(page, Math.min(end, page + PAGE_HEAD));
  const open = head.toLowerCase().indexOf("<title>");
  const close = open === -1 ? -1 : head.indexOf("<", open + 7);
  const title = close === -1 ? "" : head.slice(open + 7, close).trim();
  // Proxies put the name of the site first: `a.example | 522: Connection timed out`.
  const [, statement = ""] = title.split(" | ", 2);
  return ERROR_TITLE.test(title) || (Number(statement.slice(0, 3)) >= 400 && ERROR_TITLE.test(statement))
    ? createSignal("failure", "error-page", page + open + 7, title, 0.8)
    : undefined;
}

/** Characters in which the heads of responses are searched. */
const HEADS_LENGTH = 4000;
/** Options with which a client asks for the head alone, so that any status is the answer. */
const ASKS_HEAD = [" -I", " -sI", " --head"];

/** Finds the status with which a server refused, if the client prints it: `HTTP/2 429`. The last response counts. */
export function findErrorStatus({ text, start, end }: TextWindow, command: string): Signal | undefined {
  const heads = text.slice(start, Math.min(end, start + HEADS_LENGTH));
  let at = heads.lastIndexOf("HTTP/");
  while (at > 0 && !startsResponse(heads, at)) {
    at = heads.lastIndexOf("HTTP/", at - 1);
  }
  const line = at === -1 ? "" : lineAt(heads, at, heads.length);
  const [, status = ""] = line.split(" ", 2);
  const isError = status.startsWith("4") || status.startsWith("5");
  return isError && !ASKS_HEAD.some((option) => command.includes(option))
    ? createSignal("failure", "http-status", start + at, line, 0.8, {
        category: status.startsWith("5") ? "http_server_error" : clientError(status),
      })
    : undefined;
}

/** At the start of a line, or behind the mark of a verbose client: `< HTTP/2 429`. A request ends with its version. */
function startsResponse(heads: string, at: number): boolean {
  return heads.charAt(at - 1) === "\n" || heads.startsWith("\n< ", at - 3) || (at === 2 && heads.startsWith("< "));
}

const ERROR_TITLE =
  /^(?:[45]\d\d\b|error\b|access denied|forbidden|(?:page )?not found|bad gateway|service unavailable)/i;

function sentenceAt(text: string, at: number, stop: number): Signal | undefined {
  if (stop - at > LINE_LENGTH || stop - at < 6) {
    return undefined;
  }
  const line = text.slice(at, stop);
  if (!MAY_MATCH.test(line)) {
    return undefined;
  }
  const category = stopOf(line) ?? (BARE.test(line) ? "timeout" : isStoppedByUser(line) ? "cancelled" : undefined);
  return category === undefined
    ? undefined
    : createSignal("failure", "harness-sentence", at, line.trim(), 0.92, { category });
}

/** What the user of a client did to the call: "The user stopped the command before it finished." */
const STOPS = new Set("stopped interrupted cancelled canceled aborted".split(" "));

function isStoppedByUser(line: string): boolean {
  const [article, user, verb = "", the] = line.toLowerCase().split(" ", 4);
  return article === "the" && user === "user" && STOPS.has(verb) && (the === "the" || the === "this");
}

/** Cheap test before the patterns. */
const MAY_MATCH = /imed out|imeout|xceed|bort|ancel|nterrupted|user stopped/;
