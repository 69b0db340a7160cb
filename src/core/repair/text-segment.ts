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

/** Ids are given when a turn is mended: reading needs none. */
type ReadingContext = Omit<TurnContext, "ids">;

/** A leak that stays, and why. */
export interface UnrepairedMatch {
  readonly match: LeakMatch;
  readonly reason: UnrepairedReason;
}

/** What the scanner refused and still is worth telling; the rest is text about calls, which is no leak. */
const ALWAYS_REPORTED: ReadonlySet<string> = new Set<UnrepairedReason>([
  "echo",
  "truncated",
  "too-large",
  "too-costly",
]);
/** The same for calls of declared tools: documentation speaks of others too. */
const REPORTED_FOR_DECLARED_TOOLS: ReadonlySet<string> = new Set<UnrepairedReason>([
  ...MENTION_REASONS,
  "missing-argument",
  "empty-argument",
  "invalid-arguments",
  "ambiguous",
]);
const MAX_CANDIDATE = 1 << 20;
/** A text is kept until its turn is over, and no answer may take all memory. */
const MAX_TEXT = 16 << 20;

/** One text of an answer (a block, the content of a choice), read as it comes: what in it is a call, and how far that is certain. */
export class TextSegment {
  readonly #context: ReadingContext;
  readonly #onTooLong: () => void;
  readonly #parts: string[] = [];
  /** Made with the first text: many turns have none, and it is not for nothing. */
  #scanner: LeakScanner | undefined;
  /** Candidates are also compared with what the model was given. */
  #knowsContext = false;
  #length = 0;
  /** Where the first character stands that can be seen. */
  #visibleAt: number | undefined;
  #ended = false;
  readonly accepted: CallMatch[] = [];
  readonly unrepaired: UnrepairedMatch[] = [];

  constructor(context: ReadingContext, onTooLong: () => void) {
    this.#context = context;
    this.#onTooLong = onTooLong;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    if (text === "" || this.#ended) return;
    if (this.#length + text.length > MAX_TEXT) {
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

  /** Is everything before `end` certain to stay text? With the first text that can be seen a block begins; before that, nothing of it is certain. */
  isCertainlyText(end: number): boolean {
    const leak = this.accepted[0]?.span.start;
    if (this.#ended && leak === undefined) return true;
    const certain = Math.min(this.#length - (this.#scanner?.held ?? 0), leak ?? this.#length);
    return this.#visibleAt !== undefined && this.#visibleAt < certain && end <= certain;
  }

  /** What of a stretch remains when the calls are taken out. */
  remaining(start: number, end: number): string {
    if (this.isRemoved) return "";
    const text = this.#text();
    let out = "";
    let at = start;
    for (let i = this.#firstBehind(start); i < this.accepted.length; i += 1) {
      const { span } = this.accepted[i] as CallMatch;
      if (span.start >= end) break;
      out += text.slice(at, Math.max(at, span.start));
      at = span.end;
    }
    return at < end ? out + text.slice(at, end) : out;
  }

  /** The first accepted match that ends behind a place: there may be many, and each event asks. */
  #firstBehind(place: number): number {
    let [low, high] = [0, this.accepted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.accepted[middle] as CallMatch).span.end <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The text at a place, up to so many characters. */
  slice({ start, end }: Span, most: number): string {
    return this.#text().slice(start, Math.min(end, start + most));
  }

  /** Has it anything that can be seen? */
  get isVisible(): boolean {
    return this.#visibleAt !== undefined;
  }

  /** Does nothing that can be seen stand behind the last call? */
  get endsWithLeak(): boolean {
    const last = this.accepted.at(-1);
    return last !== undefined && firstVisible(this.#text().slice(last.span.end)) === -1;
  }

  /** Nothing that can be seen remains. */
  get isRemoved(): boolean {
    if (this.accepted.length === 0) return false;
    this.#gone ??=
      firstVisible(
        withoutSpans(
          this.#text(),
          this.accepted.map(({ span }) => span),
        ),
      ) === -1;
    return this.#gone;
  }
  #gone: boolean | undefined;

  #text(): string {
    if (this.#parts.length > 1) this.#parts.splice(0, this.#parts.length, this.#parts.join(""));
    return this.#parts[0] ?? "";
  }

  #newScanner(context: readonly (string | ContextText)[]): LeakScanner {
    const { tools, maxCandidate = MAX_CANDIDATE, structured, strictCommands = false } = this.#context.options;
    let made = 0;
    return createLeakScanner({
      tools,
      context,
      strictCommands,
      maxCandidate,
      mode: structured === true ? "strict" : "safe",
      newId: () => {
        made += 1;
        return `${NO_ID}${made}`;
      },
    });
  }

  #read(told: readonly LeakEvent[]): void {
    let events = told;
    if (!this.#knowsContext && events.some(isCall)) {
      // Most answers hold no call: the request's texts are asked for at the first, and the text is read again beside them.
      this.#knowsContext = true;
      const context = this.#context.options.context();
      if (context !== undefined && context.length > 0) {
        this.unrepaired.length = 0;
        this.#scanner = this.#newScanner(context);
        events = [...this.#scanner.push(this.#text()), ...(this.#ended ? this.#scanner.end() : [])];
      } else if (context === undefined) this.#contextTooLarge = true;
    }
    for (const event of events) if (event.kind === "match") this.#judge(event.match);
  }
  #contextTooLarge = false;

  #isTold({ reason, name = "" }: Extract<LeakMatch, { kind: "rejected" }>): boolean {
    return ALWAYS_REPORTED.has(reason) || (REPORTED_FOR_DECLARED_TOOLS.has(reason) && this.#context.tools.has(name));
  }

  #judge(match: LeakMatch): void {
    if (match.kind === "rejected") {
      // A refused envelope is read again for what is in it: that is the same leak, and so is the rest of one that was too large.
      const outer = this.unrepaired.at(-1);
      const isSame =
        outer !== undefined &&
        (outer.match.span.end > match.span.start || (outer.reason === match.reason && match.reason.startsWith("too-")));
      if (this.#isTold(match) && !isSame) this.unrepaired.push({ match, reason: match.reason as UnrepairedReason });
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
