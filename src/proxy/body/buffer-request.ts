import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { joinChunks } from "./body-copy.ts";

/** Larger requests are forwarded without being rewritten. */
const MAX_BUFFERED_BYTES = 16 << 20;

/** A response of Toolmend's own, instead of the upstream's: the request is not sent. */
export class Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export type RewrittenBody = Buffer | Refusal | undefined;

/** Returns the new body, undefined to keep the original, or a refusal. */
export type RewriteBody = (body: Buffer) => RewrittenBody | Promise<RewrittenBody>;

export interface BufferRequestOptions {
  readonly send: (body: Readable, changed: { readonly length?: number }) => void;
  readonly refuse: (refusal: Refusal) => void;
  /** The client disconnected first. */
  readonly onGone: () => void;
  /** Rewriting failed; the original body is sent. */
  readonly onFailure: (error: unknown) => void;
}

/** Buffers a request until it is complete, then sends the rewritten body or the original. */
export function bufferRequest(
  request: IncomingMessage,
  rewrite: RewriteBody,
  { send, refuse, onGone, onFailure }: BufferRequestOptions,
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
    const sendBody = (changed: RewrittenBody): void => {
      if (changed instanceof Refusal) {
        refuse(changed);
        return;
      }
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
