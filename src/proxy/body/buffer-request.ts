import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";

/** Larger requests are passed on as they come. */
const LIMIT = 16 << 20;

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
    if (size <= LIMIT) return;
    leave();
    const body = new PassThrough();
    for (const one of chunks) body.write(one);
    request.pipe(body);
    send(body, {});
  };
  const end = (): void => {
    leave();
    const came = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const give = (changed: Buffer | undefined): void => {
      const body = new PassThrough();
      body.end(changed ?? came);
      send(body, changed === undefined ? {} : { length: changed.length });
    };
    // The request is forwarded unchanged.
    const asItCame = (error: unknown): void => {
      onFailure(error);
      give(undefined);
    };
    let changed: ReturnType<RewriteBody>;
    try {
      changed = rewrite(came);
    } catch (error) {
      asItCame(error);
      return;
    }
    if (changed instanceof Promise) changed.then(give, asItCame);
    else give(changed);
  };
  const gone = (): void => {
    leave();
    onGone();
  };
  const leave = (): void => {
    request.off("data", take);
    request.off("end", end);
    request.off("close", gone);
  };
  request.on("data", take);
  request.on("end", end);
  request.on("close", gone);
}
