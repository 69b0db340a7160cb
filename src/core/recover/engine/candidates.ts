import type { Opening } from "../formats/index-formats.ts";
import type { FormatRow } from "../formats/row.ts";
import { skipWhitespace } from "../json/read-string.ts";
import type { Memo, Read, Source } from "../payload/payload.ts";
import type { RejectReason } from "../types.ts";
import type { EmitBuffer } from "./emit-buffer.ts";
import { findUnfitCall } from "./gate.ts";
import { openNested, readEnvelope } from "./read-envelope.ts";
import { ReparseGate } from "./reparse-gate.ts";
import type { Settings } from "./settings.ts";
import { MAX_BLANKS } from "./text-emitter.ts";

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
  | { readonly kind: "wait"; readonly reparseGate: ReparseGate }
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
}

/** Parses candidates, has them evaluated and tracks the cost. */
export class Candidates {
  /** The incomplete candidate: its start, the gate that schedules the next attempt, and the parts parsed for good. */
  private waiting: { readonly at: number; readonly reparseGate: ReparseGate; readonly memo: Memo } | undefined;
  /**
   * Characters parsed for rejected candidates. Bounded by the characters scanned, which keeps the total work linear.
   */
  private wastedChars = 0;
  /** Lookahead characters of all candidates. */
  private lookaheadChars = 0;
  /** Where the last call ended in the whole message, if only calls precede it on its line. */
  private lineEnd = -1;
  private readonly settings: Settings;
  private readonly outbox: EmitBuffer;

  constructor(settings: Settings, outbox: EmitBuffer) {
    this.settings = settings;
    this.outbox = outbox;
  }

  consider(
    text: string,
    first: Opening,
    final: boolean,
    { reason: positionReason, isVisible: visible, isBlock, isFirst }: CandidatePosition,
  ): CandidateResult {
    const { outbox, settings } = this;
    const { start } = first;
    const format = first.rows[0]?.format ?? "";
    const reject = (
      opening: Opening,
      reason: RejectReason,
      to?: number,
      name?: string,
      dataEnd?: number,
    ): CandidateResult => {
      const after = Math.max(opening.bodyAt, start + 1);
      outbox.reject(start, Math.max(after, Math.min(to ?? after, text.length)), format, reason, name);
      // Without gates every call counts, including those quoted inside another call.
      if (dataEnd === undefined || settings.ungated) return { kind: "passed", after };
      return { kind: "passed", after, dataEnd };
    };
    const whole =
      positionReason === "in-code" ||
      positionReason === "in-quote" ||
      (positionReason === "in-think" && settings.think === "whole");
    const isRejected = positionReason !== undefined && (!whole || visible);
    // In fences and thinking every candidate is rejected unparsed. Elsewhere it is parsed, so that its contents are
    // skipped too.
    const isWeak = first.rows.every((row) => row.strength === "weak");
    if (
      isRejected &&
      (isBlock || isWeak || positionReason === "in-think" || positionReason === "after-invented-result")
    )
      return reject(first, positionReason);
    if (this.wastedChars > FREE_WASTE_CHARS + WASTE_FACTOR * (outbox.offset + start))
      return reject(first, "too-costly");

    const ahead = { left: FREE_LOOKAHEAD_CHARS + WASTE_FACTOR * (outbox.offset + start) - this.lookaheadChars };
    if (ahead.left < 0) return reject(first, "too-costly");
    const allowed = ahead.left;

    const opening = lastOfRun(text, first);
    const at = outbox.offset + start;
    const startsLine = isFirst || this.followsCall(text, start);
    if (this.waiting?.at !== at) this.waiting = undefined;
    const memo = this.waiting?.memo ?? new Map();
    const read: Read =
      !final && mayRepeat(text, opening)
        ? { kind: "more", soon: true }
        : this.read(text, opening, final, memo, ahead, startsLine);
    if (read.kind !== "more") this.lookaheadChars += allowed - ahead.left;
    if (read.kind === "more" && text.length - start <= settings.maxCandidateChars + MAX_LOOKAHEAD_CHARS) {
      this.waiting ??= { at, reparseGate: new ReparseGate(settings.maxCandidateChars + MAX_LOOKAHEAD_CHARS), memo };
      this.waiting.reparseGate.recordAttempt(text, start, opening.bodyAt, read.soon === true);
      return { kind: "wait", reparseGate: this.waiting.reparseGate };
    }
    if (read.kind === "more" || (read.kind === "no" ? read.at : read.end) - start > settings.maxCandidateChars) {
      this.wastedChars += settings.maxCandidateChars;
      return reject(opening, isRejected ? positionReason : "too-large");
    }
    if (read.kind === "no") {
      // A brace that does not begin anything like a call was never a candidate.
      if (read.unbegun === true && first.rows.every((row) => row.strength === "weak"))
        return { kind: "passed", after: start + 1 };
      this.wastedChars += Math.max(0, read.at - start);
      return reject(opening, isRejected ? positionReason : read.reason, read.at, read.name, read.dataEnd);
    }
    const row = opening.rows.find((one) => one.format === read.format) ?? (opening.rows[0] as FormatRow);
    if (isRejected) {
      outbox.leave(text, [start, read.end], read.format ?? row.format, positionReason, read.calls[0]?.name);
      return { kind: "left", end: read.end };
    }
    const unfit = settings.ungated ? undefined : findUnfitCall(read.calls, row, settings.tools);
    if (unfit !== undefined) {
      this.wastedChars += read.end - start;
      return reject(opening, positionReason ?? unfit.reason, read.end, unfit.name, read.end);
    }
    const found =
      opening.stray === true ? { ...read, repairs: [...read.repairs, "dropped-stray-word" as const] } : read;
    const offered = outbox.offer(text, { start, end: read.end, row, read: found, positionReason });
    if (offered === "left") return { kind: "left", end: read.end };
    if (offered === "taken") {
      this.lineEnd = startsLine ? outbox.offset + read.end : -1;
      const { end, dataEnd } = read;
      return dataEnd === undefined || settings.ungated
        ? { kind: "taken", end, row }
        : { kind: "taken", end, row, dataEnd };
    }
    this.wastedChars += read.end - start;
    return { kind: "passed", after: Math.max(opening.bodyAt, start + 1) };
  }

  /**
   * Whether only whitespace separates this position from a call on the same line. The limit ensures that the text in
   * between is still buffered.
   */
  private followsCall(text: string, start: number): boolean {
    const end = this.lineEnd - this.outbox.offset;
    return this.lineEnd !== -1 && end >= 0 && start - end <= MAX_BLANKS && text.slice(end, start).trim() === "";
  }

  private read(
    text: string,
    opening: Opening,
    final: boolean,
    memo: Memo,
    ahead: Source["ahead"],
    startsLine: boolean,
  ): Read {
    const { tools, mode, formats, ungated } = this.settings;
    const source: Source = {
      text,
      final,
      tools,
      eager: mode === "eager",
      formats,
      standsAlone: (end) => ungated || (startsLine && endsLine(text, end, final)),
      open: openNested,
      origin: opening.start,
      memo,
      ahead,
    };
    return readEnvelope(source, opening, 0);
  }
}

/** Whether the line ends here or another block begins. `undefined`: more text is needed. */
function endsLine(text: string, at: number, final: boolean): boolean | undefined {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === "\r") i += 1;
  if (i >= text.length) return final ? true : undefined;
  return text[i] === "\n" || text[i] === "<";
}

/** Skips to the last opener of a run. A model in a loop repeats the opener, and only the last one can have a body. */
function lastOfRun(text: string, opening: Opening): Opening {
  const { token } = opening;
  if (token === undefined || token.self) return opening;
  const written = text.slice(token.start, token.end);
  let last = token.start;
  for (;;) {
    const next = skipWhitespace(text, last + written.length, text.length);
    if (!text.startsWith(written, next)) break;
    last = next;
  }
  if (last === token.start) return opening;
  const end = last + written.length;
  return { ...opening, token: { ...token, start: last, end }, bodyAt: end };
}

/** Whether the text ends inside what may be a repetition of the same opener. */
function mayRepeat(text: string, opening: Opening): boolean {
  const { token } = opening;
  if (token === undefined || token.self) return false;
  const next = skipWhitespace(text, token.end, text.length);
  const rest = text.length - next;
  return rest < token.end - token.start && text.startsWith(text.slice(next), token.start);
}
