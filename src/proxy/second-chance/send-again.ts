import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Attempt } from "../../core/second-chance/index.ts";
import { createBodyDecoder } from "../body/body-decoder.ts";

/** Result of the second request. */
export type SecondResponse =
  | { readonly kind: "response"; readonly attempt: Attempt }
  | { readonly kind: "rejected"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: "none"; readonly reason: "timeout" | "failed" | "client_gone" };

/** Reads a second response; undefined if it is not one. Called once with the whole body. */
export type ReadSecond = (body: Buffer, contentType: string) => Attempt | undefined;

export interface SendAgainOptions {
  /** The client's connection: if it closes, the second request is aborted. */
  readonly response: ServerResponse;
  readonly read: ReadSecond;
  readonly timeoutMs: number;
  readonly onFailure: ((error: unknown) => void) | undefined;
}

const MAX_BODY_BYTES = 16 << 20;

/**
 * Sends the request that `open` makes and reads its response. Calls `done` once, later. Returns false, without a call,
 * if there is nothing to send. Failures of the second request never affect the first response.
 */
export function sendAgain(
  open: () => ClientRequest | undefined,
  { response, read, timeoutMs, onFailure }: SendAgainOptions,
  done: (second: SecondResponse) => void,
): boolean {
  if (response.destroyed) return false;
  let upstream: ClientRequest | undefined;
  try {
    upstream = open();
  } catch (error) {
    onFailure?.(error);
  }
  if (upstream === undefined) return false;
  const request = upstream;
  let isOver = false;
  const finish = (second: SecondResponse): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    response.off("close", onGone);
    request.destroy();
    done(second);
  };
  const fail = (error?: unknown): void => {
    if (error !== undefined) onFailure?.(error);
    finish({ kind: "none", reason: "failed" });
  };
  const onGone = (): void => finish({ kind: "none", reason: "client_gone" });
  const timer = setTimeout(() => finish({ kind: "none", reason: "timeout" }), timeoutMs);
  response.on("close", onGone);
  // An upstream that is gone is not a defect here: only the result reports it.
  request.on("error", () => fail());
  let hasResponse = false;
  // A switch of protocols ends the request without an error.
  request.on("close", () => {
    if (!hasResponse) fail();
  });
  request.on("response", (received) => {
    hasResponse = true;
    received.on("error", () => fail());
    received.on("aborted", () => fail());
    try {
      receive(received, finish, fail, read);
    } catch (error) {
      fail(error);
    }
  });
  return true;
}

function receive(
  received: IncomingMessage,
  finish: (second: SecondResponse) => void,
  fail: (error?: unknown) => void,
  read: ReadSecond,
): void {
  const { statusCode: status = 0, headers } = received;
  if (status < 200 || status >= 300) {
    finish({ kind: "rejected", status, retryAfterMs: retryAfterMs(headers["retry-after"]) });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const decoder = createBodyDecoder(headers["content-encoding"], (chunk) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) fail();
    else chunks.push(chunk);
  });
  if (decoder === undefined) {
    fail();
    return;
  }
  received.on("data", (chunk: Buffer) => decoder.write(chunk));
  received.on("end", () =>
    decoder.end((problem) => {
      if (problem !== undefined) {
        fail();
        return;
      }
      try {
        const attempt = read(Buffer.concat(chunks), headers["content-type"] ?? "");
        if (attempt === undefined) fail();
        else finish({ kind: "response", attempt });
      } catch (error) {
        fail(error);
      }
    }),
  );
}

const MAX_PAUSE_MS = 3_600_000;

/** Seconds, or a date; undefined for anything else. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : undefined;
}
