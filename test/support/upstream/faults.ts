/**
 * What goes wrong with an answer on its way, as data.
 *
 * Counts (`afterEvents`) are of whole SSE events; a JSON answer is one event, so every fault that cuts a stream
 * cuts a JSON body too. A count beyond the last event means: after all of them.
 */
export type Fault =
  | StallFault
  | SlowFirstByteFault
  | ResetBeforeHeadersFault
  | ResetMidEventFault
  | HalfFrameFault
  | TruncateFault
  | ContentTypeFault
  | EncodedFault
  | DuplicateStartFault
  | ErrorEventFault
  | HugeBodyFault
  | ManyEventsFault
  | CommentsFault
  | RetryLineFault
  | LineEndFault;

/** Silence: before the headers, or after so many events; without `ms` until the client or the upstream hangs up. */
interface StallFault {
  readonly kind: "stall";
  readonly afterEvents?: number;
  readonly ms?: number;
}

/** The headers come at once, the first byte of the body late. */
interface SlowFirstByteFault {
  readonly kind: "slow-first-byte";
  readonly ms: number;
}

/** The request is read whole, then the connection is reset (RST) without an answer. */
interface ResetBeforeHeadersFault {
  readonly kind: "reset-before-headers";
}

/** So many whole events, half of the next, then a reset (RST). */
interface ResetMidEventFault {
  readonly kind: "reset-mid-event";
  readonly afterEvents: number;
}

/**
 * The last event is cut in half. `clean`: HTTP ends as it should, only the event is short.
 * `abrupt`: the connection closes (FIN) without the end of the HTTP body.
 */
interface HalfFrameFault {
  readonly kind: "half-frame";
  readonly ending: "clean" | "abrupt";
}

/** Only so many whole events arrive, then the HTTP body ends as it should. */
interface TruncateFault {
  readonly kind: "truncate";
  readonly afterEvents: number;
}

interface ContentTypeFault {
  readonly kind: "content-type";
  readonly contentType: string;
}

export type Encoding = "gzip" | "deflate" | "br" | "zstd";

/** The body is compressed whether the client asked for it or not; streams are flushed after every event. */
interface EncodedFault {
  readonly kind: "encoded";
  readonly encoding: Encoding;
}

/** The first event of the stream comes twice, as spliced streams of real gateways do. */
interface DuplicateStartFault {
  readonly kind: "duplicate-start";
}

/** The provider's own error event inside a 200 stream; nothing follows it. */
interface ErrorEventFault {
  readonly kind: "error-event";
  readonly afterEvents: number;
  readonly type?: string;
  readonly message?: string;
}

/** A text of so many bytes is added to the answer; it is generated while it is sent, never held. */
interface HugeBodyFault {
  readonly kind: "huge-body";
  readonly bytes: number;
}

/** A text that is streamed in so many deltas is added to the answer. */
interface ManyEventsFault {
  readonly kind: "many-events";
  readonly events: number;
}

/** A comment line before every event, or before every nth. */
interface CommentsFault {
  readonly kind: "comments";
  readonly text?: string;
  readonly every?: number;
}

/** A `retry:` line at the start of the stream. */
interface RetryLineFault {
  readonly kind: "retry-line";
  readonly ms: number;
}

interface LineEndFault {
  readonly kind: "line-end";
  readonly lineEnd: "crlf" | "cr";
}

/** The first fault of a kind, if the list has one. */
export function faultOf<K extends Fault["kind"]>(
  faults: readonly Fault[],
  kind: K,
): Extract<Fault, { readonly kind: K }> | undefined {
  return faults.find((fault): fault is Extract<Fault, { readonly kind: K }> => fault.kind === kind);
}
