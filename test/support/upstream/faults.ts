/**
 * Faults of a response, as data. Counts (`afterEvents`) are of whole SSE events; a JSON body is one event, so every
 * fault that cuts a stream cuts a JSON body too. A count beyond the last event means: after all of them.
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

/**
 * Stalls before the headers or after `afterEvents` events; without `ms` until the client or the upstream disconnects.
 */
interface StallFault {
  readonly kind: "stall";
  readonly afterEvents?: number;
  readonly ms?: number;
}

/** Sends the headers immediately and the first byte of the body late. */
interface SlowFirstByteFault {
  readonly kind: "slow-first-byte";
  readonly ms: number;
}

/** Reads the whole request, then resets the connection (RST) without a response. */
interface ResetBeforeHeadersFault {
  readonly kind: "reset-before-headers";
}

/** Sends whole events, half of the next, then a reset (RST). */
interface ResetMidEventFault {
  readonly kind: "reset-mid-event";
  readonly afterEvents: number;
}

/**
 * Cuts the last event in half. `clean`: HTTP ends correctly, only the event is short. `abrupt`: the connection closes
 * (FIN) without the end of the HTTP body.
 */
interface HalfFrameFault {
  readonly kind: "half-frame";
  readonly ending: "clean" | "abrupt";
}

/** Sends only this many whole events, then ends the HTTP body correctly. */
interface TruncateFault {
  readonly kind: "truncate";
  readonly afterEvents: number;
}

interface ContentTypeFault {
  readonly kind: "content-type";
  readonly contentType: string;
}

export type Encoding = "gzip" | "deflate" | "br" | "zstd";

/** Compresses the body whether the client asked for it or not; streams are flushed after every event. */
interface EncodedFault {
  readonly kind: "encoded";
  readonly encoding: Encoding;
}

/** Sends the first event of the stream twice, as spliced streams of real gateways do. */
interface DuplicateStartFault {
  readonly kind: "duplicate-start";
}

/** Sends the provider's own error event inside a 200 stream, and nothing after it. */
interface ErrorEventFault {
  readonly kind: "error-event";
  readonly afterEvents: number;
  readonly type?: string;
  readonly message?: string;
}

/** Adds a text of this many bytes to the response; it is generated while it is sent, never buffered. */
interface HugeBodyFault {
  readonly kind: "huge-body";
  readonly bytes: number;
}

/** Adds a text to the response that is streamed in this many deltas. */
interface ManyEventsFault {
  readonly kind: "many-events";
  readonly events: number;
}

/** Adds a comment line before every event, or before every nth. */
interface CommentsFault {
  readonly kind: "comments";
  readonly text?: string;
  readonly every?: number;
}

/** Adds a `retry:` line at the start of the stream. */
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
