import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { ByteRepairer, bytesOf, type RepairOutput, type StreamRepairer } from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import { createBodyDecoder } from "../body/body-decoder.ts";
import type { ResponseProgress, Tap } from "../forward.ts";
import { abortAfterFlush } from "../http/abort-response.ts";
import { flushHead } from "../http/flush-head.ts";
import { reasonPhrase, responseHeaders } from "../http/headers.ts";

export interface RepairStreamOptions {
  readonly mender: StreamRepairer;
  /** How long a client hears nothing while something is held. */
  readonly keepAliveMs: number;
  readonly onEnd: () => void;
}

interface Mending extends RepairStreamOptions {
  readonly stream: ByteRepairer;
}

/** Passes a stream on through a mender; events that it does not change are the bytes they were. */
export function sendRepairedStream(
  answer: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
  options: RepairStreamOptions,
): void {
  // Let go of at the end: the connection holds on to these functions until its next request, and a mender to all it knows of this one.
  let mending: Mending | undefined = { ...options, stream: new ByteRepairer(options.mender) };
  const { keepAliveMs } = options;
  let silence: NodeJS.Timeout | undefined;
  let begun = false;

  tap?.responseHead({ statusCode: answer.statusCode, headers: { "content-type": answer.headers["content-type"] } });
  response.sendDate = false;
  response.writeHead(
    answer.statusCode ?? 502,
    reasonPhrase(answer.statusMessage),
    responseHeaders(answer.rawHeaders, BODY_DEPENDENT_HEADERS),
  );

  const send = (leaving: RepairOutput): void => {
    const parts = bytesOf(leaving);
    if (parts.length === 0 || response.destroyed) return;
    const joined = parts.length === 1 ? asBuffer(parts[0] as Uint8Array) : Buffer.concat(parts);
    if (!response.write(joined)) answer.pause();
    if (!begun) progress.begun();
    begun = true;
    // Read here already: whoever records need not frame and parse them again.
    if (leaving.events.length > 0) tap?.responseEvents(leaving.events);
    if (leaving.bytes.length > 0) tap?.responseChunk(asBuffer(leaving.bytes));
  };
  const watchSilence = ({ mender }: Mending): void => {
    if (!mender.isBuffering) {
      if (silence !== undefined) clearInterval(silence);
      silence = undefined;
      return;
    }
    silence ??= setInterval(
      progress.bind(() => {
        const sign = mender.keepAlive();
        if (sign !== undefined && !response.destroyed) response.write(sign);
      }),
      keepAliveMs,
    ).unref();
  };
  const take = (chunk: Buffer): void => {
    if (mending === undefined) return;
    send(mending.stream.push(chunk));
    watchSilence(mending);
  };
  const finish = (how: ExchangeEnd): void => {
    if (mending === undefined) return;
    const { stream, onEnd } = mending;
    mending = undefined;
    clearInterval(silence);
    send(stream.end());
    onEnd();
    progress.end(how);
    // Broken off above, broken off below, after what was held back: so the client notices.
    if (how === "complete") response.end();
    else abortAfterFlush(response);
  };

  const decoder = createBodyDecoder(answer.headers["content-encoding"], progress.bind(take));
  answer.on("data", (chunk: Buffer) => decoder?.write(chunk));
  const finishDecoded = progress.bind((problem?: string) => finish(problem === undefined ? "complete" : "truncated"));
  answer.on("end", () => decoder?.end(finishDecoded));
  answer.on("error", () => finish("truncated"));
  response.on("drain", () => answer.resume());
  response.on("close", () => clearInterval(silence));
  // As without mending: a provider that thinks before its first byte has said 200 already.
  setImmediate(
    progress.bind(() => {
      if (!begun && !response.destroyed && !response.writableEnded) flushHead(response);
    }),
  );
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
