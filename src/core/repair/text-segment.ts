import { isOneOf, present } from "../model/narrow.ts";
import {
  type ContextText,
  createLeakScanner,
  type LeakEvent,
  type LeakMatch,
  type LeakScanner,
  type Span,
} from "../recover/index.ts";
import { NO_ID } from "./call-ids.ts";
import { ineligibleReason } from "./eligibility.ts";
import type { TurnContext } from "./repair-turn.ts";
import { MENTION_REASONS, type UnrepairedReason } from "./types.ts";

type CallMatch = Extract<LeakMatch, { kind: "call" }>;

/** Ids are assigned when a turn is repaired; parsing needs none. */
type SegmentContext = Omit<TurnContext, "ids">;

/** A leak that is not repaired, and why. */
export interface UnrepairedMatch {
  readonly match: LeakMatch;
  readonly reason: UnrepairedReason;
}

/** Rejections by the scanner that are reported. The others are text about calls, not leaks. */
const ALWAYS_REPORTED: readonly UnrepairedReason[] = ["echo", "truncated", "too-large", "too-costly"];
/** Rejections reported only for declared tools: documentation mentions calls of other tools, too. */
const REPORTED_FOR_DECLARED_TOOLS: readonly UnrepairedReason[] = [
  ...MENTION_REASONS,
  "missing-argument",
  "empty-argument",
  "invalid-arguments",
  "ambiguous",
];
const MAX_CANDIDATE_CHARS = 1 << 20;
/**
 * Maximum length of a segment. Its text is buffered until the turn ends, and one response must not exhaust the memory.
 */
const MAX_SEGMENT_CHARS = 16 << 20;

/**
 * One text of a response (a block, the content of a choice), scanned incrementally: which parts are calls, and up to
 * which offset that is certain.
 */
export class TextSegment {
  readonly #context: SegmentContext;
  readonly #onTooLong: () => void;
  readonly #parts: string[] = [];
  /** Created with the first text: it is not free, and many turns have no text. */
  #scanner: LeakScanner | undefined;
  /** Whether candidates are compared with the request's texts. */
  #hasContext = false;
  #length = 0;
  /** Offset of the first visible character. */
  #visibleAt: number | undefined;
  #ended = false;
  readonly accepted: CallMatch[] = [];
  readonly unrepaired: UnrepairedMatch[] = [];

  constructor(context: SegmentContext, onTooLong: () => void) {
    this.#context = context;
    this.#onTooLong = onTooLong;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    if (text === "" || this.#ended) return;
    if (this.#length + text.length > MAX_SEGMENT_CHARS) {
      this.end();
      this.#parts.length = 0;
      this.#onTooLong();
      return;
    }
    this.#parts.push(text);
    if (this.#visibleAt === undefined) {
      const at = firstVisible(text);
      if (at !== -1) this.#visibleAt = this.#length + at;
    }
    this.#length += text.length;
    this.#scanner ??= this.#newScanner([]);
    this.#read(this.#scanner.push(text));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#read(this.#scanner?.end() ?? []);
  }

  /**
   * True if everything before `end` is certain to stay text. A block starts with its first visible character; before
   * that, nothing is certain.
   */
  isCertainlyText(end: number): boolean {
    const leak = this.accepted[0]?.span.start;
    if (this.#ended && leak === undefined) return true;
    const certainEnd = Math.min(this.#length - (this.#scanner?.held ?? 0), leak ?? this.#length);
    return this.#visibleAt !== undefined && this.#visibleAt < certainEnd && end <= certainEnd;
  }

  /** The text between two offsets without the calls. */
  remaining(start: number, end: number): string {
    if (this.isRemoved) return "";
    const text = this.#text();
    let out = "";
    let at = start;
    for (let i = this.#firstMatchAfter(start); i < this.accepted.length; i += 1) {
      const { span } = present(this.accepted[i]);
      if (span.start >= end) break;
      out += text.slice(at, Math.max(at, span.start));
      at = span.end;
    }
    return at < end ? out + text.slice(at, end) : out;
  }

  /**
   * Index of the first accepted match that ends after `offset`. Binary search, because every event needs it and there
   * may be many matches.
   */
  #firstMatchAfter(offset: number): number {
    let [low, high] = [0, this.accepted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (present(this.accepted[middle]).span.end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The text of a span, truncated to `maxChars`. */
  slice({ start, end }: Span, maxChars: number): string {
    return this.#text().slice(start, Math.min(end, start + maxChars));
  }

  /** True if the segment has any visible text. */
  get isVisible(): boolean {
    return this.#visibleAt !== undefined;
  }

  /** True if only whitespace follows the last call. */
  get endsWithLeak(): boolean {
    const last = this.accepted.at(-1);
    return last !== undefined && firstVisible(this.#text().slice(last.span.end)) === -1;
  }

  /** True if no visible text remains without the calls. */
  get isRemoved(): boolean {
    if (this.accepted.length === 0) return false;
    this.#isRemoved ??=
      firstVisible(
        withoutSpans(
          this.#text(),
          this.accepted.map(({ span }) => span),
        ),
      ) === -1;
    return this.#isRemoved;
  }
  #isRemoved: boolean | undefined;

  #text(): string {
    if (this.#parts.length > 1) this.#parts.splice(0, this.#parts.length, this.#parts.join(""));
    return this.#parts[0] ?? "";
  }

  #newScanner(context: readonly (string | ContextText)[]): LeakScanner {
    const {
      tools,
      maxCandidateChars = MAX_CANDIDATE_CHARS,
      structured,
      strictCommands = false,
    } = this.#context.options;
    let ids = 0;
    return createLeakScanner({
      tools,
      context,
      strictCommands,
      maxCandidateChars,
      mode: structured === true ? "strict" : "safe",
      newId: () => {
        ids += 1;
        return `${NO_ID}${ids}`;
      },
    });
  }

  #read(scanned: readonly LeakEvent[]): void {
    let events = scanned;
    if (!this.#hasContext && events.some(isCall)) {
      // Most responses contain no call, so the context is loaded at the first one, and the text is scanned again with
      // it.
      this.#hasContext = true;
      const context = this.#context.options.context();
      if (context !== undefined && context.length > 0) {
        this.unrepaired.length = 0;
        this.#scanner = this.#newScanner(context);
        events = [...this.#scanner.push(this.#text()), ...(this.#ended ? this.#scanner.end() : [])];
      } else if (context === undefined) this.#contextTooLarge = true;
    }
    for (const event of events) if (event.kind === "match") this.#classify(event.match);
  }
  #contextTooLarge = false;

  /** The reason to report for a rejected match; undefined if it is not reported. */
  #reportedReason({ reason, name = "" }: Extract<LeakMatch, { kind: "rejected" }>): UnrepairedReason | undefined {
    if (isOneOf(ALWAYS_REPORTED, reason)) return reason;
    return isOneOf(REPORTED_FOR_DECLARED_TOOLS, reason) && this.#context.tools.has(name) ? reason : undefined;
  }

  #classify(match: LeakMatch): void {
    if (match.kind === "rejected") {
      // The scanner also scans the content of a rejected envelope, and the remainder of one that was too large: both
      // are the same leak.
      const outer = this.unrepaired.at(-1);
      const isSame =
        outer !== undefined &&
        (outer.match.span.end > match.span.start || (outer.reason === match.reason && match.reason.startsWith("too-")));
      const reason = this.#reportedReason(match);
      if (reason !== undefined && !isSame) this.unrepaired.push({ match, reason });
      return;
    }
    const { api, tools, options } = this.#context;
    const reason = this.#contextTooLarge
      ? "context-too-large"
      : match.calls
          .map((call) => ineligibleReason(api, call, tools.get(call.name), options))
          .find((one) => one !== undefined);
    if (reason === undefined) this.accepted.push(match);
    else this.unrepaired.push({ match, reason });
  }
}

function isCall(event: LeakEvent): boolean {
  return event.kind === "match" && event.match.kind === "call";
}

function firstVisible(text: string): number {
  return text.search(/\S/);
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let out = "";
  let at = 0;
  for (const { start, end } of spans) {
    out += text.slice(at, start);
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}
