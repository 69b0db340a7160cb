import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { setImmediate as nextLoop, setTimeout as sleep } from "node:timers/promises";
import zlib from "node:zlib";
import type { Encoding } from "./faults.ts";
import { frameBytes } from "./filler.ts";
import type { Step } from "./plan.ts";

/** How an exchange ended, seen from the upstream. */
export type Ending = "answered" | "aborted" | "client-gone";

export interface DeliverOptions {
  readonly encoding?: Encoding;
  readonly writeBytes?: number;
  /** Aborts every wait: the client has disconnected, or the upstream closes. */
  readonly signal: AbortSignal;
  /** Called for every write, with the number of bytes before compression. */
  readonly onSent: (bytes: number) => void;
}

/** Delay before a reset, so that the client reads what was written before it. */
const RESET_GRACE_MS = 10;

/** Executes the steps on a response whose head is written. Never buffers more than one frame. */
export async function deliver(
  response: ServerResponse,
  steps: Iterable<Step>,
  options: DeliverOptions,
): Promise<Ending> {
  const { signal } = options;
  const sink = options.encoding === undefined ? response : encoderInto(response, options.encoding);
  response.flushHeaders();
  for (const step of steps) {
    if (signal.aborted) return "client-gone";
    switch (step.kind) {
      case "send":
        for (const chunk of writes(step.text, options.writeBytes)) {
          await write(sink, chunk, signal);
          options.onSent(chunk.length);
          if (signal.aborted) return "client-gone";
          // One write per event-loop turn: otherwise the kernel gets all of them together.
          if (options.writeBytes !== undefined) await nextLoop();
        }
        break;
      case "wait":
        await wait(step.ms, signal);
        break;
      case "reset":
        await wait(RESET_GRACE_MS, signal);
        response.socket?.resetAndDestroy();
        return "aborted";
      case "hang-up":
        await wait(RESET_GRACE_MS, signal);
        response.socket?.end();
        response.socket?.destroySoon();
        return "aborted";
    }
  }
  if (signal.aborted) return "client-gone";
  sink.end();
  if (!response.writableFinished) await once(response, "finish", { signal }).catch(() => undefined);
  return response.writableFinished ? "answered" : "client-gone";
}

/** Sleeps; without a time until the exchange is aborted. An abort resolves it without an error. */
export async function wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const pause = ms === undefined ? once(signal, "abort") : sleep(ms, undefined, { signal });
  await pause.catch(() => undefined);
}

/** Respects backpressure: returns once the sink accepts more. */
async function write(sink: Writable, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  if (sink.write(chunk)) return;
  await once(sink, "drain", { signal }).catch(() => undefined);
}

function* writes(text: string | Uint8Array, size: number | undefined): Generator<Uint8Array> {
  for (const bytes of typeof text === "string" ? frameBytes(text) : [Buffer.from(text)]) {
    if (size === undefined) yield bytes;
    else for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
}

function encoderInto(response: ServerResponse, encoding: Encoding): Writable {
  const encoder = createEncoder(encoding);
  encoder.pipe(response);
  // pipe() does not propagate the close of its target; the encoder would wait for a drain indefinitely.
  response.once("close", () => encoder.destroy());
  return encoder;
}

/** Flushed after each write, as providers do: otherwise a compressed stream would arrive in one piece at its end. */
function createEncoder(encoding: Encoding): zlib.Gzip | zlib.Deflate | zlib.BrotliCompress | zlib.ZstdCompress {
  switch (encoding) {
    case "gzip":
      return zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    case "deflate":
      return zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH });
    case "br":
      return zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    case "zstd":
      return zlib.createZstdCompress({ flush: zlib.constants.ZSTD_e_flush });
  }
}
