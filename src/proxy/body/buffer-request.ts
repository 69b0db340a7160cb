import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { joinChunks } from "./body-copy.ts";

/** Larger requests are forwarded without being rewritten. */
const MAX_BUFFERED_BYTES = 16 << 20;

/** Returns the new body, or undefined to keep the original. */
export type RewriteBody = (body: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;

export interface BufferRequestOptions {
  readonly send: (body: Readable, changed: { readonly length?: number }) => void;
  /** The client disconnected first. */
  readonly onGone: () => void;
  /** Rewriting failed; the original body is sent. */
  readonly onFailure: (error: unknown) => void;
}

/** Buffers a request until it is complete, then sends the rewritten body or the original. */
export function bufferRequest(
  request: IncomingMessage,
  rewrite: RewriteBody,
  { send, onGone, onFailure }: BufferRequestOptions,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= MAX_BUFFERED_BYTES) return;
    stopListening();
    const body = new PassThrough();
    for (const one of chunks) body.write(one);
    request.pipe(body);
    send(body, {});
  };
  const end = (): void => {
    stopListening();
    const original = joinChunks(chunks);
    const sendBody = (changed: Buffer | undefined): void => {
      const body = new PassThrough();
      body.end(changed ?? original);
      send(body, changed === undefined ? {} : { length: changed.length });
    };
    const sendOriginal = (error: unknown): void => {
      onFailure(error);
      sendBody(undefined);
    };
    let changed: ReturnType<RewriteBody>;
    try {
      changed = rewrite(original);
    } catch (error) {
      sendOriginal(error);
      return;
    }
    if (changed instanceof Promise) changed.then(sendBody, sendOriginal);
    else sendBody(changed);
  };
  const disconnect = (): void => {
    stopListening();
    onGone();
  };
  const stopListening = (): void => {
    request.off("data", take);
    request.off("end", end);
    request.off("close", disconnect);
  };
  request.on("data", take);
  request.on("end", end);
  request.on("close", disconnect);
}
