import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";

/** Larger requests are passed on as they come. */
const MAX_BUFFERED_BYTES = 16 << 20;

/** Another body, or none; at once, or later. */
export type RewriteBody = (body: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;

export interface BufferRequestOptions {
  readonly send: (body: Readable, changed: { readonly length?: number }) => void;
  /** The client disconnected first. */
  readonly onGone: () => void;
  /** Rewriting failed; the original body is sent. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Holds a request until it is whole, and gives out what is to be sent: another body with its length, or the one that came. One that is too
 * large to be held goes on as it comes.
 */
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
    const original = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const sendBody = (changed: Buffer | undefined): void => {
      const body = new PassThrough();
      body.end(changed ?? original);
      send(body, changed === undefined ? {} : { length: changed.length });
    };
    // The request is forwarded unchanged.
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
  const gone = (): void => {
    stopListening();
    onGone();
  };
  const stopListening = (): void => {
    request.off("data", take);
    request.off("end", end);
    request.off("close", gone);
  };
  request.on("data", take);
  request.on("end", end);
  request.on("close", gone);
}
