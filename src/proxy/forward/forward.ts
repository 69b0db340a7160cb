import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { joinChunks } from "../body/body-copy.ts";
import { decodeBody } from "../body/body-decoder.ts";
import { bufferRequest, type Refusal, type RewriteBody } from "../body/buffer-request.ts";
import { isProtocolError, sendBadGateway, UpstreamProtocolError } from "../http/bad-gateway.ts";
import { RequestTimeoutError } from "../http/body-timeout.ts";
import { abortNow } from "../http/end-early.ts";
import type { ErrorBoundary, OnFailure } from "../http/error-boundary.ts";
import type { ForwardHeaders } from "../http/headers.ts";
import { forwardInterimResponses } from "../http/interim-responses.ts";
import { forwardTrailers } from "../http/trailers.ts";
import type { ForwardedExchange } from "./forwarded-exchange.ts";
import { passResponse } from "./pass-response.ts";
import { SentBody } from "./sent-body.ts";
import { openUpstream, type RequestHead, type UpstreamOptions } from "./upstream-request.ts";

export interface ForwardOptions extends UpstreamOptions {
  /** Absent if the exchange is forwarded without being read. */
  readonly exchange?: ForwardedExchange | undefined;
  /** Called for every request to the upstream. */
  readonly onUpstream?: (upstream: ClientRequest) => void;
  /** Arrival of the request, by `performance.now()`. */
  readonly arrivedAt: number;
  /** Called with the first byte of the response and the latency the proxy added to the request and the response. */
  readonly onFirstByte: (addedMs: number) => void;
  /** Already owns the request and the response. */
  readonly boundary: ErrorBoundary;
  /** Reports failures of this exchange. */
  readonly onFailure: OnFailure;
}

/** A request and its response while they are forwarded. */
interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ForwardOptions;
  /** Only the first call has an effect. */
  readonly end: (how: ExchangeEnd) => void;
}

/**
 * Forwards a request and its response as they arrive, byte for byte unless the exchange changes them. Never throws: a
 * failure of the client, the upstream or Toolmend ends only this exchange.
 */
export function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void {
  const { exchange, boundary, onFailure } = options;
  const rewrite = exchange?.rewrite;
  let ended = false;
  const end = (how: ExchangeEnd): void => {
    if (ended) return;
    ended = true;
    exchange?.end(how);
  };
  const forwarding: Forwarding = { request, response, options, end };
  boundary.handleWith((error) => abort(forwarding, error, "upstream_error"));
  boundary.run(() => {
    if (rewrite === undefined) {
      if (narrowsEncoding(forwarding)) passWhenRead(forwarding);
      else pass(forwarding, request);
      return;
    }
    const onDisconnect = (): void => end("client_gone");
    let plain = options.headers.plain === true;
    const send = (body: Readable, changed: { readonly length?: number }): void => {
      boundary.own(body);
      if (response.destroyed) onDisconnect();
      else pass(withHeaders(forwarding, { plain, ...changed }), body);
    };
    const rewriteKnown: RewriteBody = (body) => {
      plain &&= exchange?.mayChangeResponse?.(body) !== false;
      return rewrite(body);
    };
    bufferRequest(request, rewriteKnown, {
      send: boundary.bind(send),
      // The exchange must have read the request first.
      refuse: (refusal) => setImmediate(boundary.bind(() => sendRefusal(forwarding, refusal))),
      onGone: onDisconnect,
      onFailure: (error) => onFailure("rewrite", error),
    });
    // It reads the original body, not the rewritten one.
    if (exchange === undefined) return;
    request.on("data", (chunk: Buffer) => exchange.requestChunk(chunk));
    request.on("end", () => exchange.requestEnd());
  });
}

function withHeaders(forwarding: Forwarding, headers: Partial<ForwardHeaders>): Forwarding {
  const { options } = forwarding;
  return { ...forwarding, options: { ...options, headers: { ...options.headers, ...headers } } };
}

/** A longer body is not complete when its first bytes arrive. */
const MAX_FIRST_CHUNK_BYTES = 64 << 10;

/** Whether the head to send depends on the body, and the body may arrive with the head. */
function narrowsEncoding({ request, options }: Forwarding): boolean {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  return (
    options.headers.plain === true &&
    options.exchange?.mayChangeResponse !== undefined &&
    headers["accept-encoding"] !== undefined &&
    headers.expect === undefined &&
    length > 0 &&
    length <= MAX_FIRST_CHUNK_BYTES
  );
}

/**
 * Opens the request to the upstream with the first bytes of the body. If they are all of it, a response that cannot be
 * changed may be compressed.
 */
function passWhenRead(forwarding: Forwarding): void {
  const { request, response, options, end } = forwarding;
  const onDisconnect = (): void => end("client_gone");
  const askedAt = performance.now();
  response.once("close", onDisconnect);
  request.once("data", (first: Buffer) => {
    response.off("close", onDisconnect);
    if (response.destroyed) {
      onDisconnect();
      return;
    }
    // The client's time, not the proxy's.
    const arrivedAt = options.arrivedAt + performance.now() - askedAt;
    const headers = { ...options.headers, plain: mayChange(request, options.exchange, first) };
    pass({ ...forwarding, options: { ...options, headers, arrivedAt } }, request, first);
  });
}

function mayChange({ headers }: IncomingMessage, exchange: ForwardedExchange | undefined, first: Buffer): boolean {
  return first.length < Number(headers["content-length"]) || exchange?.mayChangeResponse?.(first) !== false;
}

function sendRefusal({ response, options: { exchange }, end }: Forwarding, { status, headers, body }: Refusal): void {
  if (response.destroyed) {
    end("client_gone");
    return;
  }
  const bytes = Buffer.from(body);
  const type = { "content-type": "application/json" };
  response.writeHead(status, { ...type, "content-length": bytes.length, ...headers });
  response.end(bytes);
  exchange?.responseHead({ statusCode: status, headers: type });
  exchange?.responseChunk(bytes);
  end("complete");
}

/** Ends an exchange after an exception or a request timeout. */
function abort(forwarding: Forwarding, error: unknown, ended: ExchangeEnd): void {
  const isTimeout = error instanceof RequestTimeoutError;
  forwarding.options.onFailure(isTimeout ? "request-timeout" : "forward", error);
  forwarding.end(isTimeout || forwarding.response.destroyed ? "client_gone" : ended);
  sendErrorOrAbort(forwarding, error);
}

/** Sends the client an error response, or closes its connection if the response has begun. */
function sendErrorOrAbort({ request, response, options }: Forwarding, error: unknown): void {
  if (!response.headersSent && !response.destroyed) sendBadGateway(request, response, options.target, error);
  else abortNow(response);
}

/**
 * Sends `body`, which is the request itself or its replacement, and forwards the response.
 *
 * @param first what was already read of the body
 */
function pass(forwarding: Forwarding, body: Readable, first?: Buffer): void {
  const { request, response, options, end } = forwarding;
  const { exchange, boundary } = options;
  const bodyTap = body === request ? exchange : undefined;
  const sent = new SentBody();
  let upstream = openUpstream(request, options);
  const sendingMs = performance.now() - options.arrivedAt;
  let upstreamResponse: IncomingMessage | undefined;
  let hasHandler = false;
  let failed = false;
  boundary.handleWith((error) => {
    failed = true;
    // The connection may hold half a response, so it must not be reused.
    upstream.destroy();
    abort(forwarding, error, upstreamResponse === undefined ? "upstream_error" : "truncated");
  });

  const listen = (): void => {
    boundary.own(upstream);
    options.onUpstream?.(upstream);
    forwardInterimResponses(upstream, request, response);
    upstream.on("drain", () => body.resume());
    // The upstream no longer reads the body. Drain it: some clients read the response only after sending everything.
    upstream.on("close", () => body.resume());
    const fail = (error: unknown): void => {
      // The response emits its own error next; its handler then sends what it has buffered before it aborts.
      if (failed || hasHandler) return;
      // The response is complete; the invalid bytes follow it.
      if (upstreamResponse?.complete === true) return;
      if (
        upstreamResponse === undefined &&
        upstream.reusedSocket &&
        !response.destroyed &&
        sent.canReplay &&
        !isProtocolError(error)
      ) {
        // A keep-alive connection was closed while idle. The upstream has not responded, so retry on a new connection.
        upstream = openUpstream(request, options, "fresh");
        listen();
        sent.replay(upstream);
        return;
      }
      failed = true;
      if (isProtocolError(error)) options.onFailure("upstream-protocol", error);
      end(response.destroyed ? "client_gone" : upstreamResponse === undefined ? "upstream_error" : "truncated");
      sendErrorOrAbort(forwarding, error);
    };
    const refuse = (error: UpstreamProtocolError): void => {
      upstream.destroy();
      fail(error);
    };
    upstream.on("response", (received) => {
      boundary.own(received);
      // Not a final status. Node handles 100, 102 and 103 itself.
      const { statusCode = 0 } = received;
      if (statusCode < 200) {
        refuse(
          new UpstreamProtocolError(
            "ERR_INVALID_STATUS",
            `status ${statusCode} is not the status of a final response.`,
          ),
        );
        return;
      }
      upstreamResponse = received;
      let kept = exchange?.mayResend === true ? sent.whole : undefined;
      sent.drop();
      const respondedAt = performance.now();
      const begun = (): void => options.onFirstByte(sendingMs + performance.now() - respondedAt);
      const handler = exchange?.chooseHandler?.(received);
      hasHandler = handler !== undefined;
      (handler ?? passResponse)(received, response, exchange, {
        begun,
        end(how) {
          // The connection references this function until its next request.
          kept = undefined;
          end(how);
        },
        bind: (callback) => boundary.bind(callback),
        ...(kept !== undefined && {
          resend: (edit) => (kept === undefined ? undefined : resend(forwarding, kept, edit)),
        }),
      });
    });
    upstream.on("error", fail);
    upstream.on("upgrade", (_response, socket) => {
      socket.destroy();
      refuse(new UpstreamProtocolError("ERR_UPGRADED", "it switched to another protocol without being asked to."));
    });
  };

  listen();
  // Not `pipe`: it supports several destinations, and costs more than the rest of this function.
  const send = (chunk: Buffer): void => {
    sent.add(chunk);
    if (!upstream.destroyed && !upstream.write(chunk)) body.pause();
    bodyTap?.requestChunk(chunk);
  };
  if (first !== undefined) send(first);
  body.on("data", send);
  body.on("end", () => {
    sent.end();
    if (body === request) forwardTrailers(request, upstream);
    if (!upstream.destroyed) upstream.end();
    bodyTap?.requestEnd();
  });
  response.on("close", () => {
    if (response.writableFinished) return;
    end("client_gone");
    upstream.destroy();
  });
}

/** Sends the request again, changed by `edit`. Returns undefined if `edit` does. */
function resend(
  { request, options }: Forwarding,
  chunks: readonly Buffer[],
  edit: (plain: Buffer) => Buffer | undefined,
): ClientRequest | undefined {
  const sent = joinChunks(chunks);
  // A rewritten body is never compressed.
  const encoding = options.headers.length === undefined ? request.headers["content-encoding"] : undefined;
  const plain = encoding === undefined ? sent : decodeBody(encoding, sent);
  const body = plain && edit(plain);
  if (body === undefined) return undefined;
  const headers = { ...options.headers, length: body.length };
  const upstream = openUpstream(withoutIdempotencyKey(request), { ...options, headers });
  options.onUpstream?.(upstream);
  upstream.end(body);
  return upstream;
}

/** A key that identifies one request makes a server return its first response again. */
function withoutIdempotencyKey({ method, headers, rawHeaders }: IncomingMessage): RequestHead {
  const kept = rawHeaders.filter((_, at) => !/^(?:x-)?idempotency-key$/i.test(rawHeaders[at - (at % 2)] ?? ""));
  return { method, headers, rawHeaders: kept };
}
