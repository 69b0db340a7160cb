import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExchangeEnd } from "../../core/model/observation.ts";
import { ByteRepairer, bytesOf, type RepairOutput, type StreamRepairer } from "../../core/repair/index.ts";
import { BODY_DEPENDENT_HEADERS } from "../../core/wire/body-headers.ts";
import type { Framing } from "../../core/wire/framing.ts";
import { createBodyDecoder } from "../body/body-decoder.ts";
import type { ResponseProgress, Tap } from "../forward/forwarded-exchange.ts";
import { abortAfterFlush } from "../http/end-early.ts";
import { flushHead, reasonPhrase, responseHeaders } from "../http/headers.ts";
import { forwardTrailers } from "../http/trailers.ts";
import type { StreamGate } from "../second-chance/exchange-second-chance.ts";
import type { ReadSecond } from "../second-chance/send-again.ts";

export interface RepairStreamOptions {
  readonly repairer: StreamRepairer;
  /** Server-sent events by default. */
  readonly framing?: Framing;
  /** Interval of keep-alive events while repair buffers output. */
  readonly keepAliveMs: number;
  readonly onEnd: () => void;
  /** Holds calls that cannot work, and asks for others. Absent without second chances. */
  readonly secondChance?: { readonly gate: StreamGate; readonly read: ReadSecond } | undefined;
}

interface ActiveRepair extends RepairStreamOptions {
  readonly stream: ByteRepairer;
}

/** Forwards a stream through a repairer. Unchanged events keep their bytes. */
export function sendRepairedStream(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  progress: ResponseProgress,
  options: RepairStreamOptions,
): void {
  // Released at the end: the connection references these functions until its next request, and a repairer references
  // the texts of this one.
  let active: ActiveRepair | undefined = { ...options, stream: new ByteRepairer(options.repairer, options.framing) };
  const { keepAliveMs } = options;
  let keepAliveTimer: NodeJS.Timeout | undefined;
  let begun = false;

  tap?.responseHead({
    statusCode: upstreamResponse.statusCode,
    headers: { "content-type": upstreamResponse.headers["content-type"] },
  });
  response.sendDate = false;
  response.writeHead(
    upstreamResponse.statusCode ?? 502,
    reasonPhrase(upstreamResponse.statusMessage),
    responseHeaders(upstreamResponse.rawHeaders, BODY_DEPENDENT_HEADERS),
  );

  const send = (output: RepairOutput): void => {
    const parts = bytesOf(output);
    const [first] = parts;
    if (first === undefined || response.destroyed) return;
    const joined = parts.length === 1 ? asBuffer(first) : Buffer.concat(parts);
    if (!response.write(joined)) upstreamResponse.pause();
    if (!begun) progress.begun();
    begun = true;
    // Already framed and parsed here, so the recorder need not do it again.
    if (output.events.length > 0) tap?.responseEvents(output.events);
    if (output.bytes.length > 0) tap?.responseChunk(asBuffer(output.bytes));
  };
  const updateKeepAlive = ({ repairer, secondChance }: ActiveRepair): void => {
    if (!repairer.isBuffering && secondChance?.gate.isHolding !== true) {
      if (keepAliveTimer !== undefined) clearInterval(keepAliveTimer);
      keepAliveTimer = undefined;
      return;
    }
    keepAliveTimer ??= setInterval(
      progress.bind(() => {
        // An event of the repairer would overtake those that the gate holds.
        const keepAlive =
          secondChance?.gate.isHolding === true || active === undefined
            ? secondChance?.gate.keepAlive()
            : repairer.keepAlive();
        if (keepAlive !== undefined && !response.destroyed) response.write(keepAlive);
      }),
      keepAliveMs,
    ).unref();
  };
  const take = (chunk: Buffer): void => {
    if (active === undefined) return;
    const output = active.stream.push(chunk);
    send(active.secondChance?.gate.push(output) ?? output);
    updateKeepAlive(active);
  };
  const conclude = (rest: RepairOutput, how: ExchangeEnd, onEnd: () => void): void => {
    clearInterval(keepAliveTimer);
    send(rest);
    onEnd();
    progress.end(how);
    // If the upstream aborted, abort here too once the buffered events are flushed, so that the client notices.
    if (how === "complete") {
      forwardTrailers(upstreamResponse, response, "changed");
      response.end();
    } else abortAfterFlush(response);
  };
  const finish = (how: ExchangeEnd): void => {
    if (active === undefined) return;
    const { stream, onEnd, secondChance } = active;
    active = undefined;
    const output = stream.end();
    if (secondChance === undefined) {
      conclude(output, how, onEnd);
      return;
    }
    const { gate, read } = secondChance;
    if (how === "complete") gate.end(output, { response, progress, read }, (rest) => conclude(rest, how, onEnd));
    else conclude(gate.release(output), how, onEnd);
  };

  const decoder = createBodyDecoder(upstreamResponse.headers["content-encoding"], progress.bind(take));
  upstreamResponse.on("data", (chunk: Buffer) => decoder?.write(chunk));
  const finishDecoded = progress.bind((problem?: string) => finish(problem === undefined ? "complete" : "truncated"));
  upstreamResponse.on("end", () => decoder?.end(finishDecoded));
  upstreamResponse.on("error", () => finish("truncated"));
  response.on("drain", () => upstreamResponse.resume());
  response.on("close", () => clearInterval(keepAliveTimer));
  // As without repair: sends the head before the first byte of the body, which may take a model a long time.
  setImmediate(
    progress.bind(() => {
      if (!begun && !response.destroyed && !response.writableEnded) flushHead(response);
    }),
  );
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
