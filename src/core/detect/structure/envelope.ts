import { createSignal, type Signal } from "../signal.ts";
import { resultText } from "../text/result-text.ts";
import { type TextWindow, textWindow, WHOLE_LIMIT } from "../text/text-window.ts";

/** The text inside an envelope, and the signal of the envelope itself. */
export interface Opened {
  readonly window: TextWindow;
  readonly says?: Signal;
}

/** Nested envelopes occur in practice, but not deeper than this. */
const MAX_DEPTH = 4;

/** A tag at the start. Its name determines whether it wraps a failure or a result. */
const TAG = /<([A-Za-z_][\w:-]{0,40})>\s*/y;
const FAILURE_TAG = /(?:^|[_:-])(?:error|exception|failure|fault)s?(?:[_-](?:details?|message|info|text))?$/i;

/** The same tag inside another element, before any content: `<file><path>x</path><error>…`, a SOAP fault. */
const INNER_FAILURE =
  /<(?:[\w-]{1,20}:)?(?:[\w-]{1,20}[_-])?(?:error|exception|fault)(?:[_-](?:details?|message))?(?:\s[^<>]{0,80})?>\s*(?=[^\s<]|<[\w:])/i;
const CONTENT_TAG = /<(?:content|!\[CDATA|html|body|output|stdout|lines?|code|pre)\b/i;
const ANSWER_TAG =
  /^(?:tool|function|command|shell|bash|code)?[_:-]?(?:results?|outputs?|responses?|observation|stdout|answer|execution)$/i;
const OTHER_ANSWER_TAGS = new Set(["system", "content", "text"]);

/** Parts as text: `[{"type":"text",…}]` or `{"content":[{…`. */
const PARTS =
  /(?:\[\s*\{\s*"type"\s*:|\{\s*"(?:content|result)"\s*:\s*(?:\{\s*"content"\s*:\s*)?\[\s*\{\s*"|\{\s*"(?:isError|_meta|meta)"\s*:)/y;

/** The same, printed by a Python client. */
const PYTHON_PARTS =
  /(?:\[|(?:CallToolResult\()?(?:meta=\w{1,10}[ ,]{1,2})?content=\[)(?:Text|Image|Embedded)\w{0,20}\(/y;

/** Unwraps the envelopes that clients put around a text, outermost first. */
export function openEnvelopes(whole: string): Opened {
  let opened: Opened = { window: textWindow(whole) };
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const next = openOnce(opened.window);
    if (next === undefined) {
      return opened;
    }
    opened = next.says === undefined && opened.says !== undefined ? { ...next, says: opened.says } : next;
  }
  return opened;
}

function openOnce(window: TextWindow): Opened | undefined {
  switch (window.text.charCodeAt(window.start)) {
    case 60: // <
      return openTag(window);
    case 91: // [
    case 123: // {
      return openParts(window) ?? openPythonParts(window);
    case 34: // "
      return openQuoted(window);
    case 67: // C
    case 99: // c
    case 109: // m
      return openPythonParts(window);
    default:
      return undefined;
  }
}

function openTag({ text, start, end }: TextWindow): Opened | undefined {
  TAG.lastIndex = start;
  const match = TAG.exec(text);
  const name = match?.[1];
  if (match === null || name === undefined) {
    return openInnerFailure(text, start, end);
  }
  const failure = FAILURE_TAG.test(name);
  if (!failure && !ANSWER_TAG.test(name) && !OTHER_ANSWER_TAGS.has(name.toLowerCase())) {
    return openInnerFailure(text, start, end);
  }
  const inside = start + match[0].length;
  const close = text.indexOf(`</${name}>`, inside);
  const stop = close === -1 ? end : close;
  // `<error></error><output>…`: an empty wrapper is ignored.
  if (text.slice(inside, stop).trim() === "") {
    return close === -1
      ? undefined
      : { window: { kind: "text-window", text, start: skipBlank(text, close + name.length + 3, end), end } };
  }
  const window: TextWindow = { kind: "text-window", text, start: inside, end: failure ? stop : end };
  return failure
    ? {
        window,
        says: createSignal(
          "failure",
          "error-tag",
          start,
          text.slice(inside, Math.min(stop, inside + 500)).trim(),
          0.95,
        ),
      }
    : { window };
}

/** Enough characters for elements that name the subject of the failure. */
const INNER_HEAD = 400;

function openInnerFailure(text: string, start: number, end: number): Opened | undefined {
  const head = text.slice(start, Math.min(end, start + INNER_HEAD));
  const match = INNER_FAILURE.exec(head);
  if (match === null || CONTENT_TAG.test(head.slice(0, match.index))) {
    return undefined;
  }
  const inside = start + match.index + match[0].length;
  const words = text
    .slice(inside, Math.min(end, inside + 500))
    .replace(/<[^<>]{0,80}>/g, " ")
    .trim();
  return {
    window: { kind: "text-window", text, start: inside, end },
    says: createSignal("failure", "error-tag", inside, words, 0.9),
  };
}

function skipBlank(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) <= 32) {
    at += 1;
  }
  return at;
}

function openParts({ text, start, end }: TextWindow): Opened | undefined {
  PARTS.lastIndex = start;
  if (end - start > WHOLE_LIMIT || !PARTS.test(text)) {
    return undefined;
  }
  const value = parse(text.slice(start, end));
  const parts = Array.isArray(value) ? value : partsOf(value);
  if (parts === undefined || !parts.every(isPart)) {
    return undefined;
  }
  const flag = Array.isArray(value) ? undefined : flagOf(value);
  const window = textWindow(resultText(parts));
  return flag === undefined ? { window } : { window, says: flagFinding(flag, start, window.text) };
}

function isPart(part: unknown): boolean {
  return typeof part === "object" && part !== null && PART_TYPES.has((part as { type?: unknown }).type);
}

/** Part types of the protocols. `[{"type":"Error",…}]` is a list of other events. */
const PART_TYPES: ReadonlySet<unknown> = new Set(
  "text image audio file json input_text input_image input_audio input_file input_json output_text output_image output_audio output_file output_json image_url resource resource_link document tool_result refusal search_result content media".split(
    " ",
  ),
);

function partsOf(value: unknown): readonly unknown[] | undefined {
  for (const { content } of results(value)) {
    if (Array.isArray(content)) {
      return content;
    }
  }
  return undefined;
}

function flagOf(value: unknown): boolean | undefined {
  for (const { isError, is_error } of results(value)) {
    const flag = isError ?? is_error;
    if (typeof flag === "boolean") {
      return flag;
    }
  }
  return undefined;
}

/** Iterates over an object and its nested `result`s. Not recursive, because a tool controls the depth. */
function* results(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  for (let at = value; typeof at === "object" && at !== null; at = (at as { result?: unknown }).result) {
    yield at as Readonly<Record<string, unknown>>;
  }
}

function flagFinding(failed: boolean, at: number, inner: string): Signal {
  return createSignal(failed ? "failure" : "success", "envelope-flag", at, inner.slice(0, 500).trim(), 0.98, {
    stated: true,
  });
}

/** Reads flag and text of `content=[TextContent(type='text', text='…')] isError=True`. */
function openPythonParts({ text, start, end }: TextWindow): Opened | undefined {
  PYTHON_PARTS.lastIndex = start;
  if (!PYTHON_PARTS.test(text)) {
    return undefined;
  }
  const open = /\btext=(["'])/.exec(text.slice(start, start + 300));
  if (open === null) {
    return undefined;
  }
  const inside = start + open.index + open[0].length;
  const close = text.lastIndexOf(open[1] ?? "'", end);
  const flag = /\bisError=(True|False)\b/.exec(text.slice(Math.max(start, end - 80), end))?.[1];
  const inner = text.slice(inside, close > inside ? close : end).replaceAll("\\n", "\n");
  const window = textWindow(inner);
  return flag === undefined ? { window } : { window, says: flagFinding(flag === "True", start, inner) };
}

/** A text that is one JSON string. */
function openQuoted({ text, start, end }: TextWindow): Opened | undefined {
  if (text.charCodeAt(end - 1) !== 34 || end - start < 3 || end - start > WHOLE_LIMIT) {
    return undefined;
  }
  const value = parse(text.slice(start, end));
  return typeof value === "string" ? { window: textWindow(value) } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
