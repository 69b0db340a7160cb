import type { IncomingMessage } from "node:http";

/** As long as Node gives a client for the head of its request. */
export const BODY_TIMEOUT_MS = 90_000;

/** The client stopped in the middle of its request. */
export class RequestTimeoutError extends Error {
  readonly code = "ERR_REQUEST_TIMEOUT";
  constructor(afterMs: number) {
    super(`Nothing of the request's body came for ${afterMs / 1000} s.`);
    this.name = "RequestTimeoutError";
  }
}

interface Upload {
  readonly onTimeout: (error: RequestTimeoutError) => void;
  /** Bytes the connection had brought when it was last looked at, and when that changed. */
  bytes: number;
  since: number;
}

/**
 * Ends requests whose body stops coming. Node's own limit counts from the first byte, and would cut a long upload that goes on; this one
 * counts from the last. Looked at by one timer for all: nothing is done for a chunk.
 */
export class BodyTimeouts {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #uploads = new Map<IncomingMessage, Upload>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number = BODY_TIMEOUT_MS, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  watch(request: IncomingMessage, onTimeout: Upload["onTimeout"]): void {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === "0")) return;
    this.#uploads.set(request, { onTimeout, bytes: request.socket.bytesRead, since: this.#now() });
    request.once("close", () => this.#uploads.delete(request));
    this.#timer ??= setInterval(() => this.sweep(), this.#timeoutMs / 4).unref();
  }

  sweep(): void {
    const now = this.#now();
    for (const [request, upload] of this.#uploads) {
      const { bytesRead } = request.socket;
      if (request.complete) this.#uploads.delete(request);
      // Where we do not read, because the upstream takes nothing, the client is not late.
      else if (bytesRead !== upload.bytes || request.isPaused()) {
        upload.bytes = bytesRead;
        upload.since = now;
      } else if (now - upload.since >= this.#timeoutMs) {
        this.#uploads.delete(request);
        upload.onTimeout(new RequestTimeoutError(this.#timeoutMs));
      }
    }
    if (this.#uploads.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
