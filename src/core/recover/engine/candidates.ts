import { NEED_MORE, type Text } from "../../text/cursor.ts";
import { type Candidate, decide } from "../decision/decide.ts";
import { isAnnounced } from "../decision/mention.ts";
import { leadIn } from "../decision/sentence.ts";
import type { SurroundingText } from "../decision/surroundings.ts";
import { Echoes } from "../echo/echoes.ts";
import { toolTexts } from "../echo/given-tools.ts";
import type { ReadAll } from "../echo/read-part.ts";
import type { Opening } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/table.ts";
import { type Done, type Memo, type Read, Source } from "../payload/payload.ts";
import type { RejectReason } from "../types.ts";
import { checkRepeats, lastOfRun, openNested, readEnvelope } from "./envelope.ts";
import { type AcceptedCall, gateCalls } from "./gate.ts";
import { MAX_BLANKS, type Outbox } from "./outbox.ts";
import type { Settings } from "./settings.ts";

/** Limits of unsuccessful parsing, relative to the characters scanned so far: a factor and a free allowance. */
const WASTE_FACTOR = 4;
const FREE_WASTE_CHARS = 65_536;
/** Free allowance for lookahead past parsed values, which is cheaper and rarely wasted. */
const FREE_LOOKAHEAD_CHARS = 4_194_304;
/** How many characters after a complete candidate may be needed to know that it is complete. */
const MAX_LOOKAHEAD_CHARS = 4096;

/**
 * The result for an opener. `passed`: not a call; scanning continues at `after`. `dataEnd`: the text up to here is data
 * of a call, so it is not searched for calls.
 */
export type CandidateResult =
  | { readonly kind: "taken"; readonly end: number; readonly row: FormatRow; readonly dataEnd?: number }
  /** A mention. Scanning continues after it, because calls inside a mention are part of it. */
  | { readonly kind: "left"; readonly end: number }
  | { readonly kind: "passed"; readonly after: number; readonly dataEnd?: number };

/** The position of a candidate in the message. */
export interface CandidatePosition {
  /** Why no call is accepted at this position. */
  readonly reason: RejectReason | undefined;
  /** The message has other visible text. */
  readonly isVisible: boolean;
  /** The position is inside a multi-line block: a code fence. */
  readonly isBlock: boolean;
  /** Only whitespace precedes the candidate on its line. */
  readonly isFirst: boolean;
  /** Where frame tokens begin that directly precede it. */
  readonly frameStart: number | undefined;
  /** The backticks that opened inline code on an earlier line, which may not be closed at all. */
  readonly backticks: string;
}

/** What may complete a candidate: the end of a tag, of brackets, or of a line. */
const CLOSERS = /[>})\]\n]/;
/** A shorter candidate is read again with every chunk: a few characters may show that it is none. */
const SHORT_CHARS = 256;

/**
 * An incomplete candidate. Decides whether a new chunk justifies reading it again. Each attempt starts at the opener, so
 * attempts must be rare: when something closes, within a budget, and in any case when the text has doubled. The result
 * does not depend on when reading happens, so this only affects latency.
 */
class Waiting {
  /** Where it begins in the whole message. */
  readonly at: number;
  /** The parts that were read for good. */
  readonly memo: Memo = new Map();
  private length = 0;
  /** Characters parsed for this candidate so far. */
  private spent = 0;
  /** At this length the candidate is always read again. */
  private limit = 0;

  constructor(at: number) {
    this.at = at;
  }

  /** Records an attempt that needs more text. */
  recordAttempt(length: number, cap: number): void {
    this.length = length;
    this.spent += length;
    this.limit = Math.min(cap, length * 2 + 1024);
  }

  shouldRead(chunk: string): boolean {
    this.length += chunk.length;
    if (this.length > this.limit) return true;
    if (this.spent > 3 * this.length + 8192) return false;
    return this.length < SHORT_CHARS || CLOSERS.test(chunk);
  }
}

/** Parses candidates, has them evaluated and tracks the cost. */
export class Candidates {
  /** The incomplete candidate. */
  private waiting: Waiting | undefined;
  /** It is at the scanner's position, so that the scanner waits with it. */
  private isBlocking = false;
  /** Characters parsed for rejected candidates. Bounded by the characters scanned, which keeps the total work linear. */
  private wastedChars = 0;
  /** Lookahead characters of all candidates. */
  private lookaheadChars = 0;
  /** Where the last call ended in the whole message, if only calls precede it on its line. */
  private lineEnd = -1;
  /** Where the last candidate ended that is in a quote, in the whole message. */
  private quoteEnd = -1;
  /** Created with the first candidate: most messages have none. */
  private echoes: Echoes | undefined;
  private readonly settings: Settings;
  private readonly outbox: Outbox;
  private readonly surroundings: SurroundingText;
  private readonly readAll: ReadAll;

  constructor(settings: Settings, outbox: Outbox, surroundings: SurroundingText, readAll: ReadAll) {
    this.settings = settings;
    this.outbox = outbox;
    this.surroundings = surroundings;
    this.readAll = readAll;
  }

  /** Whether the candidate at the scanner's position waits for more than this chunk. */
  shouldWait(chunk: string): boolean {
    if (this.isBlocking && this.waiting?.shouldRead(chunk) === false) return true;
    this.isBlocking = false;
    return false;
  }

  consider(source: Text, first: Opening, position: CandidatePosition): CandidateResult {
    const { outbox, settings } = this;
    const { start } = first;
    const reason = this.unread(first, position);
    if (reason !== undefined) return this.reject(source, first, reason);
    const opening = lastOfRun(source.text, first);
    const startsLine = position.isFirst || this.follows(this.lineEnd, source.text, start);
    const read = this.read(source, opening, startsLine);
    // A call directly behind one in a quote is in the quote too: Markdown allows the next lines to go without a mark.
    const continuesQuote = this.follows(this.quoteEnd, source.text, start);
    const ruledOut = this.isRuledOut(position) ? position.reason : continuesQuote ? "in-quote" : undefined;
    // The inline code was meant to go on until here.
    if (read?.kind === "done" && position.backticks !== "" && source.startsWith(position.backticks, read.end))
      return this.reject(source, opening, "in-code", read.end, read.calls[0]?.name, read.end);
    if (read === undefined || (read.kind === "no" ? read.at : read.end) - start > settings.maxCandidateChars) {
      this.wastedChars += settings.maxCandidateChars;
      return this.reject(source, opening, ruledOut ?? "too-large");
    }
    if (read.kind === "no") {
      // A brace that does not begin anything like a call was never a candidate.
      if (read.unbegun === true && isWeak(first)) return { kind: "passed", after: start + 1 };
      this.wastedChars += Math.max(0, read.at - start);
      return this.reject(source, opening, ruledOut ?? read.reason, read.at, read.name, read.dataEnd);
    }
    if (ruledOut === undefined) return this.judge(source, opening, read, position, startsLine);
    if (ruledOut === "in-quote") this.quoteEnd = outbox.offset + read.end;
    this.surroundings.append(source.text.slice(0, start), outbox.offset);
    return this.leave(start, read, read.format ?? rowOf(opening, read).format, ruledOut);
  }

  /** Judges what was read by its content, by the text before it, and by the texts that the model was given. */
  private judge(
    source: Text,
    opening: Opening,
    read: Done,
    { reason: positionReason, frameStart }: CandidatePosition,
    startsLine: boolean,
  ): CandidateResult {
    const { outbox, settings } = this;
    const { start } = opening;
    const { end, dataEnd } = read;
    const row = rowOf(opening, read);
    const found: Done = opening.stray === true ? { ...read, repairs: [...read.repairs, "dropped-stray-word"] } : read;
    const gated = gateCalls(found, row, settings);
    const format = outbox.formatOf(source.text, start, row, read.format ?? row.format);
    if (gated.kind === "refused" || !this.isAnchored(source.text, end, row)) {
      const { reason, name, isData } = gated.kind === "refused" ? gated : NOT_ANCHORED;
      this.wastedChars += end - start;
      const refusal = isData ? (positionReason ?? reason) : reason;
      return this.reject(source, opening, refusal, end, name ?? read.calls[0]?.name, isData ? end : undefined, format);
    }
    const { calls } = gated;
    const spanStart = Math.min(start, frameStart ?? start);
    const hold = (candidate: Candidate | undefined, rejectIfFollowed: RejectReason | undefined): CandidateResult => {
      outbox.hold(source.text, [spanStart, end], row, { format, calls, candidate, rejectIfFollowed, callStart: start });
      this.lineEnd = startsLine ? outbox.offset + end : -1;
      return { kind: "taken", end, row, ...(dataEnd !== undefined && !settings.ungated && { dataEnd }) };
    };
    if (settings.ungated) return hold(undefined, undefined);
    const candidate = this.candidateAt(source.text, start, spanStart, row, calls);
    const reason = decide(candidate) ?? (this.isEcho(calls, source.text.slice(start, end)) ? "echo" : undefined);
    if (reason !== undefined) return this.leave(start, read, format, reason);
    this.surroundings.skip(outbox.offset + end);
    return hold(candidate, positionReason ?? (mustBeLast(row, read) ? "not-anchored" : undefined));
  }

  /** Whether a call without an envelope ends its line. */
  private isAnchored(text: string, end: number, { strength, last }: FormatRow): boolean {
    return this.settings.ungated || strength !== "weak" || last === true || endsLine(text, end);
  }

  /** What the decision needs to know of the place. */
  private candidateAt(
    text: string,
    start: number,
    spanStart: number,
    { strength }: FormatRow,
    calls: readonly AcceptedCall[],
  ): Candidate {
    this.surroundings.append(text.slice(0, spanStart), this.outbox.offset);
    const before = this.surroundings.before();
    const lead = leadIn(before.text);
    const hasSpecialToken = SPECIAL_TOKEN.test(text.slice(start, start + 16));
    return { strength, hasSpecialToken, calls, before, lead, isAnnounced: isAnnounced(lead) };
  }

  private isEcho(calls: readonly AcceptedCall[], written: string): boolean {
    const { context, declared, strictCommands } = this.settings;
    this.echoes ??= new Echoes([...context, ...toolTexts(declared)], this.readAll, strictCommands);
    return this.echoes.find(calls, written) !== undefined;
  }

  /** Leaves a mention. Everything inside it is part of it. */
  private leave(start: number, { end, calls }: Done, format: string, reason: RejectReason): CandidateResult {
    this.outbox.reject(start, end, format, reason, calls[0]?.name);
    this.surroundings.skip(this.outbox.offset + end);
    return { kind: "left", end };
  }

  /** Whether no call is accepted at this position, even as the whole message. */
  private isRuledOut({ reason, isVisible }: CandidatePosition): boolean {
    const isWhole =
      reason === "in-code" || reason === "in-quote" || (reason === "in-think" && this.settings.think === "whole");
    return reason !== undefined && (!isWhole || isVisible);
  }

  /** Returns why the candidate is not even parsed. Others are, so that their contents are skipped too. */
  private unread(opening: Opening, position: CandidatePosition): RejectReason | undefined {
    const { reason, isBlock } = position;
    if (
      this.isRuledOut(position) &&
      (isBlock || isWeak(opening) || reason === "in-think" || reason === "after-invented-result")
    )
      return reason;
    const scanned = WASTE_FACTOR * (this.outbox.offset + opening.start);
    const isTooCostly =
      this.wastedChars > FREE_WASTE_CHARS + scanned || this.lookaheadChars > FREE_LOOKAHEAD_CHARS + scanned;
    return isTooCostly ? "too-costly" : undefined;
  }

  private reject(
    { text }: Text,
    opening: Opening,
    reason: RejectReason,
    to?: number,
    name?: string,
    dataEnd?: number,
    format = opening.rows[0]?.format ?? "",
  ): CandidateResult {
    const { start, bodyAt } = opening;
    const after = Math.max(bodyAt, start + 1);
    this.outbox.reject(start, Math.max(after, Math.min(to ?? after, text.length)), format, reason, name);
    // Without gates every call counts, including those quoted inside another call.
    if (dataEnd === undefined || this.settings.ungated) return { kind: "passed", after };
    return { kind: "passed", after, dataEnd };
  }

  /**
   * Whether only whitespace separates this position from the given one in the whole message. The limit ensures that the
   * text in between is still buffered.
   */
  private follows(place: number, text: string, start: number): boolean {
    const end = place - this.outbox.offset;
    return place !== -1 && end >= 0 && start - end <= MAX_BLANKS && text.slice(end, start).trim() === "";
  }

  /** Reads the candidate. Schedules the next attempt if it is incomplete. `undefined`: it is too large to wait for. */
  private read(text: Text, opening: Opening, startsLine: boolean): Read | undefined {
    const { outbox, settings } = this;
    const { start } = opening;
    const at = outbox.offset + start;
    const waiting = this.waiting?.at === at ? this.waiting : new Waiting(at);
    this.waiting = undefined;
    const allowed = FREE_LOOKAHEAD_CHARS + WASTE_FACTOR * at - this.lookaheadChars;
    const ahead = { left: allowed };
    const source = new Source(text.text, text.final, {
      tools: settings.tools,
      eager: settings.mode === "eager",
      formats: settings.formats,
      standsAlone: (end) => settings.ungated || (startsLine && isLineEnd(text, end)),
      open: openNested,
      origin: start,
      memo: waiting.memo,
      ahead,
    });
    try {
      checkRepeats(source, opening);
      const read = readEnvelope(source, opening, 0);
      this.lookaheadChars += allowed - ahead.left;
      return read;
    } catch (error) {
      if (error !== NEED_MORE) throw error;
      const limit = settings.maxCandidateChars + MAX_LOOKAHEAD_CHARS;
      if (text.length - start > limit) return undefined;
      waiting.recordAttempt(text.length - start, limit);
      this.waiting = waiting;
      this.isBlocking = true;
      throw error;
    }
  }
}

/** Without an envelope, a call in a fence is an example if anything follows it. */
function mustBeLast({ last, strength }: FormatRow, { fromFence }: Done): boolean {
  return last === true || (strength === "weak" && fromFence === true);
}

const NOT_ANCHORED = { reason: "not-anchored", name: undefined, isData: false } as const;
/** Spellings that people do not type. */
const SPECIAL_TOKEN = /^(?:<[|｜]|\[TOOL_|\]<\]|<\/?\u2581|✿)/;

/** Whether the line ends here or another block begins. */
function endsLine(text: string, at: number): boolean {
  let i = at;
  while (i < text.length && " \t\r;".includes(text[i] as string)) i += 1;
  return i >= text.length || "\n<{[".includes(text[i] as string);
}

function isWeak(opening: Opening): boolean {
  return opening.rows.every((row) => row.strength === "weak");
}

function rowOf(opening: Opening, read: Done): FormatRow {
  return opening.rows.find((one) => one.format === read.format) ?? (opening.rows[0] as FormatRow);
}

/** The same where the text may not have arrived. */
function isLineEnd(source: Text, at: number): boolean {
  let i = at;
  while (source.at(i) === " " || source.at(i) === "\t" || source.at(i) === "\r") i += 1;
  return source.at(i) === "" || source.at(i) === "\n" || source.at(i) === "<";
}
