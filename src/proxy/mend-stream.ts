import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamMender } from "../core/mend/index.ts";
import type { ExchangeEnd } from "../core/model/observation.ts";
import { createBodyDecoder } from "./body-decoder.ts";
import { breakOff } from "./break-off.ts";
import { EventFramer, type Frame, parseFrame } from "./event-framer.ts";
import type { Tap } from "./forward.ts";
import { ABOUT_BYTES, responseHeaders } from "./headers.ts";

export interface MendStreamOptions {
  readonly mender: StreamMender;
  /** How long a client hears nothing while something is held. */
  readonly keepAliveMs: number;
  readonly onEnd: () => void;
}

/** One event of more than this is passed as it comes. */
const EVENT_LIMIT = 4 << 20;

/** Passes a stream on through a mender; events that it does not change are the bytes they were. */
export function mendStream(
  answer: IncomingMessage,
  response: ServerResponse,
  tap: Tap | undefined,
  end: (how: ExchangeEnd) => void,
  { mender, keepAliveMs, onEnd }: MendStreamOptions,
): void {
  const framer = new EventFramer(Number.POSITIVE_INFINITY);
  /** Events that did not leave at once: the mender gives them back as the bytes they were. */
  const held = new Map<Uint8Array, Frame>();
  let silence: NodeJS.Timeout | undefined;
  let passing = false;
  let over = false;

  tap?.responseHead({ statusCode: answer.statusCode, headers: { "content-type": answer.headers["content-type"] } });
  response.sendDate = false;
  response.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage ?? "",
    responseHeaders(answer.rawHeaders, ABOUT_BYTES),
  );

  const write = (parts: readonly Uint8Array[]): Buffer => {
    const bytes = parts.length === 1 ? asBuffer(parts[0] as Uint8Array) : Buffer.concat(parts);
    if (!response.write(bytes)) answer.pause();
    return bytes;
  };
  const sendBytes = (bytes: Uint8Array): void => {
    if (bytes.length > 0 && !response.destroyed) tap?.responseChunk(write([bytes]));
  };
  const sendEvents = (events: readonly Frame[]): void => {
    if (events.length === 0 || response.destroyed) return;
    write(events.map(({ raw }) => raw));
    tap?.responseEvents(events);
  };
  /** The events whose bytes the mender gave out: those that came, and its own. */
  const eventsOf = (parts: readonly Uint8Array[]): Frame[] => {
    const events = parts.map((part) => held.get(part) ?? parseFrame(part));
    if (!mender.holds) held.clear();
    return events;
  };
  const mended = (frame: Frame): readonly Frame[] => {
    const parts = mender.push(frame);
    if (parts.length === 1 && parts[0] === frame.raw) return [frame];
    held.set(frame.raw, frame);
    return eventsOf(parts);
  };
  const watchSilence = (): void => {
    if (!mender.holds) {
      clearInterval(silence);
      silence = undefined;
      return;
    }
    silence ??= setInterval(() => {
      const sign = mender.keepAlive();
      if (sign !== undefined && !response.destroyed) response.write(sign);
    }, keepAliveMs).unref();
  };
  const sendRest = (): void => {
    sendEvents(eventsOf(mender.end()));
    sendBytes(framer.end());
  };
  const take = (chunk: Buffer): void => {
    if (passing) {
      sendBytes(chunk);
      return;
    }
    sendEvents(framer.push(chunk).flatMap(mended));
    if (framer.held > EVENT_LIMIT) {
      passing = true;
      sendRest();
    }
    watchSilence();
  };
  const finish = (how: ExchangeEnd): void => {
    if (over) return;
    over = true;
    clearInterval(silence);
    sendRest();
    onEnd();
    end(how);
    // Broken off above, broken off below, after what was held back: so the client notices.
    if (how === "complete") response.end();
    else breakOff(response);
  };

  const decoder = createBodyDecoder(answer.headers["content-encoding"], take);
  answer.on("data", (chunk: Buffer) => decoder?.write(chunk));
  answer.on("end", () => decoder?.end((problem) => finish(problem === undefined ? "complete" : "truncated")));
  answer.on("error", () => finish("truncated"));
  response.on("drain", () => answer.resume());
  response.on("close", () => clearInterval(silence));
  // As without mending: a provider that thinks before its first byte has said 200 already.
  setImmediate(() => {
    if (!response.destroyed && !response.writableEnded) response.flushHeaders();
  });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
