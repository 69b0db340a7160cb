import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import type { Frame } from "../../core/wire/event-framer.ts";
import type { RewriteBody } from "../body/buffer-request.ts";
import type { ErrorBoundary } from "../http/error-boundary.ts";

/** Reads an exchange. Called after the bytes of a body are forwarded, so it can neither delay nor alter them. */
export interface Tap {
  requestChunk(chunk: Buffer): void;
  requestEnd(): void;
  responseHead(head: ResponseHead): void;
  responseChunk(chunk: Buffer): void;
  /** Called instead of `responseChunk` with events that repair has already framed and possibly parsed. */
  responseEvents(events: readonly Frame[]): void;
  /** Called after the chunks of a JSON body that repair has already parsed. */
  responseJson(json: unknown): void;
  end(ended: ExchangeEnd): void;
}

export interface ResponseHead {
  readonly statusCode?: number | undefined;
  readonly headers: { readonly "content-type"?: string | undefined; readonly "content-encoding"?: string | undefined };
}

/** The owner of an exchange: reads it, and may change the request and the response. */
export interface ForwardedExchange extends Tap {
  /**
   * Returns a new request body, or undefined to keep the original. If set, the request is buffered until it is
   * complete.
   */
  readonly rewrite?: RewriteBody | undefined;
  /** Whether the response to a request with this body may be changed. Asked only if `headers.plain` is set. */
  mayChangeResponse?(body: Buffer): boolean;
  /** Whether the request may be sent again. If true, its body is kept until the response ends. */
  readonly mayResend?: boolean | undefined;
  /** Called with the head of the response. Returns undefined to forward it byte for byte. */
  chooseHandler?(upstreamResponse: IncomingMessage): ResponseHandler | undefined;
}

/** Callbacks through which a response handler reports progress. */
export interface ResponseProgress {
  /** Called once, with the first forwarded byte of the body. */
  readonly begun: () => void;
  /** Called once. */
  readonly end: (how: ExchangeEnd) => void;
  /** Contains callbacks of timers and decoders. Listeners of the two responses are contained already. */
  readonly bind: ErrorBoundary["bind"];
  /**
   * Sends the request again, with the body that `edit` makes of the one that was sent. Returns undefined if `edit`
   * does. Absent if the body was not kept. The caller handles all events of the new request.
   */
  readonly resend?: (edit: (plain: Buffer) => Buffer | undefined) => ClientRequest | undefined;
}

/** Forwards the response body in another way than byte for byte. Writes the response and passes it to the tap. */
export type ResponseHandler = (
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
) => void;
