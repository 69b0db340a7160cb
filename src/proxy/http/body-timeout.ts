import type { IncomingMessage } from "node:http";

/** Idle timeout of a request body. */
export const BODY_TIMEOUT_MS = 90_000;

/** The client stopped sending its request body. */
export class RequestTimeoutError extends Error {
  readonly code = "ERR_REQUEST_TIMEOUT";
  constructor(afterMs: number) {
    super(`No data of the request body arrived for ${afterMs / 1000} s.`);
    this.name = "RequestTimeoutError";
  }
}

interface Upload {
  readonly onTimeout: (error: RequestTimeoutError) => void;
  /** Bytes received on the connection at the last sweep, and the time of the last change. */
  bytes: number;
  since: number;
}

/**
 * Times out request bodies that stop arriving. Node's `requestTimeout` starts with the first byte and would cut a long
 * upload; this one restarts with every byte. One timer checks all uploads, so a chunk costs nothing.
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
      // Paused by backpressure of the upstream: the client cannot send.
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
