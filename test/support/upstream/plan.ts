import { type Fault, faultOf } from "./faults.ts";
import { endOfFiller, hasFiller } from "./filler.ts";
import { type SseEvent, sseFrame } from "./sse.ts";

/** One step on the socket. A delivery is a list of them, so that faults can be tested without a socket. */
export type Step =
  | { readonly kind: "send"; readonly text: string | Uint8Array }
  /** Without `ms` until the client or the upstream disconnects. */
  | { readonly kind: "wait"; readonly ms?: number }
  /** RST. */
  | { readonly kind: "reset" }
  /** FIN without the end of the HTTP body. */
  | { readonly kind: "hang-up" };

export interface PlanOptions {
  readonly faults: readonly Fault[];
  readonly eventMs?: number;
  /** How an event is written; as a server-sent event by default. */
  readonly write?: (event: SseEvent) => string;
  /** The provider's error event, given the number of events before it. */
  readonly errorEvent: (fault: { readonly type?: string; readonly message?: string }, sequence: number) => SseEvent;
}

/** The steps of a stream. */
export function* planStream(events: Iterable<SseEvent>, options: PlanOptions): Generator<Step> {
  const { faults } = options;
  const lineEnd = faultOf(faults, "line-end")?.lineEnd;
  for (const step of cut(frames(events, options), options)) {
    if (step.kind !== "send" || typeof step.text !== "string" || lineEnd === undefined) yield step;
    // JSON has no raw line ends: all line ends in a frame belong to the protocol.
    else yield { kind: "send", text: step.text.replaceAll("\n", lineEnd === "crlf" ? "\r\n" : "\r") };
  }
}

/** The steps of a JSON body. */
export function* planBody(text: string | Uint8Array, options: PlanOptions): Generator<Step> {
  yield* cut([{ text, counts: true }], options);
}

/** Text on the wire, and whether it is an event (a comment is not). */
interface Frame {
  readonly text: string | Uint8Array;
  readonly counts: boolean;
}

function* frames(events: Iterable<SseEvent>, { faults, errorEvent, write = sseFrame }: PlanOptions): Generator<Frame> {
  const retry = faultOf(faults, "retry-line");
  const comments = faultOf(faults, "comments");
  const failure = faultOf(faults, "error-event");
  const doubled = faultOf(faults, "duplicate-start") !== undefined;
  if (retry !== undefined) yield { text: `retry: ${retry.ms}\n\n`, counts: false };
  let sent = 0;
  for (const event of events) {
    const text = write(event);
    for (const copy of sent === 0 && doubled ? [text, text] : [text]) {
      if (failure?.afterEvents === sent) {
        yield { text: write(errorEvent(failure, sent)), counts: true };
        return;
      }
      if (comments !== undefined && sent % (comments.every ?? 1) === 0) {
        yield { text: `: ${comments.text ?? "ping"}\n\n`, counts: false };
      }
      yield { text: copy, counts: true };
      sent += 1;
    }
  }
  if (failure !== undefined) yield { text: write(errorEvent(failure, sent)), counts: true };
}

/** Where frames stop, pause or break off. */
function* cut(source: Iterable<Frame>, { faults, eventMs }: PlanOptions): Generator<Step> {
  const slow = faultOf(faults, "slow-first-byte");
  const stall = faultOf(faults, "stall");
  const reset = faultOf(faults, "reset-mid-event");
  const truncate = faultOf(faults, "truncate");
  const half = faultOf(faults, "half-frame");
  if (slow !== undefined) yield { kind: "wait", ms: slow.ms };
  let events = 0;
  for (const { frame, last } of markLast(source)) {
    if (frame.counts) {
      if (truncate?.afterEvents === events) return;
      if (stall?.afterEvents === events) yield waitFor(stall.ms);
      if (reset?.afterEvents === events) {
        yield { kind: "send", text: firstHalf(frame.text) };
        yield { kind: "reset" };
        return;
      }
      if (eventMs !== undefined && events > 0) yield { kind: "wait", ms: eventMs };
      events += 1;
    }
    if (last && half !== undefined) {
      yield { kind: "send", text: firstHalf(frame.text) };
      if (half.ending === "abrupt") yield { kind: "hang-up" };
      return;
    }
    yield { kind: "send", text: frame.text };
  }
  // Beyond the last event: everything was sent, but the body does not end correctly.
  if (stall?.afterEvents !== undefined && stall.afterEvents >= events) yield waitFor(stall.ms);
  if (reset !== undefined) yield { kind: "reset" };
}

function waitFor(ms: number | undefined): Step {
  return ms === undefined ? { kind: "wait" } : { kind: "wait", ms };
}

function* markLast(source: Iterable<Frame>): Generator<{ readonly frame: Frame; readonly last: boolean }> {
  let pending: Frame | undefined;
  for (const frame of source) {
    if (pending !== undefined) yield { frame: pending, last: false };
    pending = frame;
  }
  if (pending !== undefined) yield { frame: pending, last: true };
}

function firstHalf(text: string | Uint8Array): string | Uint8Array {
  // Not through a marker: it expands to more bytes than everything else.
  const middle = typeof text === "string" && hasFiller(text) ? endOfFiller(text) : Math.ceil(text.length / 2);
  return typeof text === "string" ? text.slice(0, middle) : text.subarray(0, middle);
}

/** Whether a JSON body is sent whole, so that its length can be declared. */
export function lengthIsKnown(text: string | Uint8Array, faults: readonly Fault[]): boolean {
  if (typeof text === "string" && hasFiller(text)) return false;
  return !faults.some((fault) => ["encoded", "half-frame", "truncate"].includes(fault.kind));
}
