import type { Transform } from "node:stream";
import zlib, {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateSync,
} from "node:zlib";
import { toError } from "../../core/model/errors.ts";
import { BODY_LIMIT, BodyTooLargeError } from "./body-copy.ts";

/** Node has it since version 22.15. Without it, such bodies are forwarded without being read. */
export const canDecodeZstd: boolean = typeof zlib.createZstdDecompress === "function";

/** Decompresses a copy of a body. `identity` passes through without a stream. */
export interface BodyDecoder {
  write(chunk: Buffer): void;
  /** Calls back when all data has been decoded, or with the problem that prevented it. */
  end(done: (problem?: string) => void): void;
  /** Discards the rest. */
  stop(): void;
}

/** A body that does not match its `content-encoding`, or whose encoding is unknown. */
export class BodyEncodingError extends Error {
  readonly code = "body-encoding";
  override readonly name = "BodyEncodingError";
}

/** Returns undefined for an unknown `content-encoding`. */
export function createBodyDecoder(
  encoding: string | undefined,
  onChunk: (chunk: Buffer) => void,
): BodyDecoder | undefined {
  switch (encoding?.trim().toLowerCase() ?? "") {
    case "":
    case "identity":
      return { write: onChunk, end: (done) => done(), stop: () => undefined };
    case "gzip":
    case "x-gzip":
      return through(createGunzip(), onChunk);
    case "deflate":
      return through(createInflate(), onChunk);
    case "br":
      return through(createBrotliDecompress(), onChunk);
    case "zstd":
      return canDecodeZstd ? through(zlib.createZstdDecompress(), onChunk) : undefined;
    default:
      return undefined;
  }
}

/** Limit for synchronous decoding, which blocks the event loop. */
const SYNC_DECODE_MAX_BYTES = 16 << 20;

/**
 * Decodes a complete body synchronously. Returns undefined if it is malformed, too large or has an unknown encoding.
 */
export function decodeBody(encoding: string, body: Buffer): Buffer | undefined {
  const limit = { maxOutputLength: SYNC_DECODE_MAX_BYTES };
  try {
    switch (encoding.trim().toLowerCase()) {
      case "":
      case "identity":
        return body;
      case "gzip":
      case "x-gzip":
        return gunzipSync(body, limit);
      case "deflate":
        return inflateSync(body, limit);
      case "br":
        return brotliDecompressSync(body, limit);
      case "zstd":
        return canDecodeZstd ? zlib.zstdDecompressSync(body, limit) : undefined;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

function through(stream: Transform, onChunk: (chunk: Buffer) => void): BodyDecoder {
  let problem: string | undefined;
  const fail = (error: Error): void => {
    problem ??= error.message;
    stream.destroy();
  };
  stream.on("data", (chunk: Buffer) => {
    try {
      onChunk(chunk);
    } catch (error) {
      fail(toError(error));
    }
  });
  stream.on("error", (error) => {
    problem ??= error.message;
  });
  return {
    write(chunk) {
      if (stream.destroyed) return;
      // The copy must not slow the traffic down, so there is no backpressure: undecoded bytes could accumulate.
      if (stream.writableLength > BODY_LIMIT) fail(new BodyTooLargeError());
      else stream.write(chunk);
    },
    end(done) {
      if (stream.destroyed) {
        done(problem ?? "closed");
        return;
      }
      stream.once("close", () => done(problem));
      stream.end();
    },
    stop() {
      stream.destroy();
    },
  };
}
