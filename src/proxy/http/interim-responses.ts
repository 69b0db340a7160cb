import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { reasonPhrase, responseHeaders } from "./headers.ts";

/** Further ones are dropped: an upstream could send them without end, and they precede the response's backpressure. */
const MAX_INTERIM_RESPONSES = 16;

/**
 * Forwards interim responses such as 103 Early Hints. Node handles `Expect: 100-continue` itself, so 100 stays here.
 * HTTP/1.0 has no interim responses.
 */
export function forwardInterimResponses(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.httpVersion === "1.0") return;
  let forwarded = 0;
  upstream.on("information", ({ statusCode, statusMessage, rawHeaders }) => {
    // A pipelined response has no socket until its turn.
    const { socket } = response;
    if (statusCode === 100 || forwarded === MAX_INTERIM_RESPONSES || response.headersSent || socket === null) return;
    forwarded += 1;
    const lines = [`HTTP/1.1 ${statusCode} ${reasonPhrase(statusMessage)}`];
    const headers = responseHeaders(rawHeaders);
    for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  });
}
