import type { IncomingMessage, ServerResponse } from "node:http";
import { abortNow } from "../http/end-early.ts";
import { flushHead, reasonPhrase, responseHeaders } from "../http/headers.ts";
import { forwardTrailers } from "../http/trailers.ts";
import type { ResponseProgress, Tap } from "./forwarded-exchange.ts";

/** Forwards a response byte for byte as it arrives. */
export function passResponse(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
): void {
  tap?.responseHead(upstreamResponse);
  response.sendDate = false;
  response.writeHead(
    upstreamResponse.statusCode ?? 502,
    reasonPhrase(upstreamResponse.statusMessage),
    responseHeaders(upstreamResponse.rawHeaders),
  );
  let begun = false;
  upstreamResponse.on("data", (chunk: Buffer) => {
    if (!response.destroyed && !response.write(chunk)) upstreamResponse.pause();
    if (!begun) progress.begun();
    begun = true;
    tap?.responseChunk(chunk);
  });
  response.on("drain", () => upstreamResponse.resume());
  upstreamResponse.on("end", () => {
    begun = true;
    forwardTrailers(upstreamResponse, response);
    if (!response.destroyed) response.end();
    progress.end("complete");
  });
  upstreamResponse.on("error", () => {
    // The upstream aborted the response. Abort it here too, so that the client notices.
    progress.end("truncated");
    abortNow(response);
  });
  // Sends the head before the first byte of the body, which may take a model a long time. If the first bytes arrived
  // with the head, they are sent together.
  setImmediate(
    progress.bind(() => {
      if (!begun && !response.destroyed) flushHead(response);
    }),
  );
}
