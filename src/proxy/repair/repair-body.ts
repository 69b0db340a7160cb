import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { createBodyDecoder } from "../body/body-decoder.ts";
import { looksLikeEventStream } from "../body/response-kind.ts";
import type { ResponseProgress, Tap } from "../forward.ts";
import { abortAfterFlush } from "../http/abort-response.ts";
import { reasonPhrase, responseHeaders } from "../http/headers.ts";

/** What became of a body. */
export type RepairedBody =
  /** It stays as it is; what it says need not be read again. */
  | { readonly kind: "unchanged"; readonly json: unknown }
  | { readonly kind: "repaired"; readonly text: string; readonly calls: number };

export interface RepairBodyOptions {
  readonly mend: (text: string) => RepairedBody;
  /** Larger bodies are passed. */
  readonly limit: number;
}

/** Holds a JSON answer until it is whole, and sends it changed, or as it came. */
export function sendRepairedBody(
  answer: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
  { mend: mendText, limit }: RepairBodyOptions,
): void {
  // Let go of at the end: the connection holds on to these functions until its next request.
  let mend: RepairBodyOptions["mend"] | undefined = mendText;
  let came: Buffer[] = [];
  let plain: Buffer[] = [];
  let size = 0;
  let passing = false;
  let begun = false;

  const head = (headers: readonly string[], encoding: string | undefined): void => {
    tap?.responseHead({
      statusCode: answer.statusCode,
      headers: { "content-type": answer.headers["content-type"], "content-encoding": encoding },
    });
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 502, reasonPhrase(answer.statusMessage), [...headers]);
  };
  const send = (bytes: Buffer): void => {
    if (bytes.length === 0 || response.destroyed) return;
    if (!response.write(bytes)) answer.pause();
    if (!begun) progress.begun();
    begun = true;
    tap?.responseChunk(bytes);
  };
  const pass = (): void => {
    passing = true;
    head(responseHeaders(answer.rawHeaders), answer.headers["content-encoding"]);
    for (const chunk of came) send(chunk);
    came = [];
  };
  const finish = (how: ExchangeEnd): void => {
    if (mend === undefined) return;
    const mended = how === "complete" && !passing ? attempt(plain, mend) : undefined;
    mend = undefined;
    plain = [];
    if (mended?.kind === "repaired") {
      const bytes = Buffer.from(mended.text);
      const headers = responseHeaders(answer.rawHeaders, BODY_DEPENDENT_HEADERS);
      headers.push("content-length", String(bytes.length), "x-toolmend-mended", String(mended.calls));
      head(headers, undefined);
      send(bytes);
    } else if (!passing) {
      pass();
      if (mended !== undefined && answer.headers["content-encoding"] === undefined) tap?.responseJson(mended.json);
    }
    progress.end(how);
    if (how === "complete") response.end();
    else abortAfterFlush(response);
  };

  const decoder = createBodyDecoder(
    answer.headers["content-encoding"],
    progress.bind((chunk: Buffer) => {
      // Gateways put the header of a body on streams, too, and those do not wait for their end.
      if (size === 0 && looksLikeEventStream(chunk) === true) pass();
      size += chunk.length;
      if (size > limit) plain = [];
      else plain.push(chunk);
    }),
  );
  answer.on("data", (chunk: Buffer) => {
    if (passing) {
      send(chunk);
      return;
    }
    came.push(chunk);
    decoder?.write(chunk);
    if (size > limit && !passing) pass();
  });
  answer.on("end", () => {
    if (passing) finish("complete");
    else
      decoder?.end(
        progress.bind((problem) => {
          if (problem !== undefined) plain = [];
          finish("complete");
        }),
      );
  });
  answer.on("error", () => finish("truncated"));
  response.on("drain", () => answer.resume());
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function attempt(chunks: readonly Buffer[], mend: RepairBodyOptions["mend"]): RepairedBody | undefined {
  try {
    // Bytes that are no text would not come out as they went in.
    return mend(decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}
