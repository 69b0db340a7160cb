import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { createBodyDecoder } from "../body/body-decoder.ts";
import { looksLikeEventStream } from "../body/response-kind.ts";
import type { ResponseProgress, Tap } from "../forward/forwarded-exchange.ts";
import { abortAfterFlush } from "../http/end-early.ts";
import { reasonPhrase, responseHeaders } from "../http/headers.ts";
import { forwardTrailers } from "../http/trailers.ts";
import type { AskContext } from "../second-chance/exchange-second-chance.ts";

export type RepairedBody =
  /** `json` is the parsed body, so that recording need not parse it again. */
  | { readonly kind: "unchanged"; readonly json: unknown }
  | { readonly kind: "repaired"; readonly text: string; readonly calls: number; readonly isAskedAgain?: boolean };

export interface RepairBodyOptions {
  readonly repair: (text: string) => RepairedBody;
  /** Larger bodies are forwarded unchanged. */
  readonly limit: number;
  /** Asks for another body if no call of this one can work. Calls back once, with undefined to keep it. */
  readonly askAgain?:
    | ((
        text: string,
        context: Pick<AskContext, "response" | "progress">,
        done: (text: string | undefined) => void,
      ) => void)
    | undefined;
}

/** Buffers a JSON response until it is complete, then sends it repaired or unchanged. */
export function sendRepairedBody(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
  { repair: repairText, limit, askAgain }: RepairBodyOptions,
): void {
  // Released at the end, because the connection references these functions until its next request.
  let repair: RepairBodyOptions["repair"] | undefined = repairText;
  let received: Buffer[] = [];
  let plain: Buffer[] = [];
  let size = 0;
  let passing = false;
  let begun = false;

  const head = (headers: readonly string[], encoding: string | undefined): void => {
    tap?.responseHead({
      statusCode: upstreamResponse.statusCode,
      headers: { "content-type": upstreamResponse.headers["content-type"], "content-encoding": encoding },
    });
    response.sendDate = false;
    response.writeHead(upstreamResponse.statusCode ?? 502, reasonPhrase(upstreamResponse.statusMessage), [...headers]);
  };
  const send = (bytes: Buffer): void => {
    if (bytes.length === 0 || response.destroyed) return;
    if (!response.write(bytes)) upstreamResponse.pause();
    if (!begun) progress.begun();
    begun = true;
    tap?.responseChunk(bytes);
  };
  const pass = (): void => {
    passing = true;
    head(responseHeaders(upstreamResponse.rawHeaders), upstreamResponse.headers["content-encoding"]);
    for (const chunk of received) send(chunk);
    received = [];
  };
  const finish = (how: ExchangeEnd): void => {
    if (repair === undefined) return;
    const text = how === "complete" && !passing ? decodeText(plain) : undefined;
    const repaired = text === undefined ? undefined : tryRepair(text, repair);
    repair = undefined;
    plain = [];
    if (askAgain === undefined || text === undefined) {
      conclude(how, repaired);
      return;
    }
    const current = repaired?.kind === "repaired" ? repaired.text : text;
    askAgain(current, { response, progress }, (joined) => {
      const calls = repaired?.kind === "repaired" ? repaired.calls : 0;
      conclude(how, joined === undefined ? repaired : { kind: "repaired", text: joined, calls, isAskedAgain: true });
    });
  };
  const conclude = (how: ExchangeEnd, repaired: RepairedBody | undefined): void => {
    // The client left while the upstream was asked again.
    if (response.destroyed) {
      progress.end("client_gone");
      return;
    }
    if (repaired?.kind === "repaired") {
      const bytes = Buffer.from(repaired.text);
      const headers = responseHeaders(upstreamResponse.rawHeaders, BODY_DEPENDENT_HEADERS);
      headers.push("content-length", String(bytes.length));
      if (repaired.isAskedAgain !== true || repaired.calls > 0)
        headers.push("x-toolmend-mended", String(repaired.calls));
      if (repaired.isAskedAgain === true) headers.push("x-toolmend-reasked", "1");
      head(headers, undefined);
      send(bytes);
    } else if (!passing) {
      pass();
      if (repaired !== undefined && upstreamResponse.headers["content-encoding"] === undefined)
        tap?.responseJson(repaired.json);
    }
    progress.end(how);
    if (how === "complete") {
      forwardTrailers(upstreamResponse, response, repaired?.kind === "repaired" ? "changed" : "same");
      response.end();
    } else abortAfterFlush(response);
  };

  const decoder = createBodyDecoder(
    upstreamResponse.headers["content-encoding"],
    progress.bind((chunk: Buffer) => {
      // Some gateways send the header of a JSON body for streams. A stream must not be buffered.
      if (size === 0 && looksLikeEventStream(chunk) === true) pass();
      size += chunk.length;
      if (size > limit) plain = [];
      else plain.push(chunk);
    }),
  );
  upstreamResponse.on("data", (chunk: Buffer) => {
    if (passing) {
      send(chunk);
      return;
    }
    received.push(chunk);
    decoder?.write(chunk);
    if (size > limit && !passing) pass();
  });
  upstreamResponse.on("end", () => {
    if (passing) finish("complete");
    else
      decoder?.end(
        progress.bind((problem) => {
          if (problem !== undefined) plain = [];
          finish("complete");
        }),
      );
  });
  upstreamResponse.on("error", () => finish("truncated"));
  response.on("drain", () => upstreamResponse.resume());
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Strict decoding: invalid UTF-8 would not be reproduced byte for byte. */
function decodeText(chunks: readonly Buffer[]): string | undefined {
  try {
    return decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function tryRepair(text: string, repair: RepairBodyOptions["repair"]): RepairedBody | undefined {
  try {
    return repair(text);
  } catch {
    return undefined;
  }
}
