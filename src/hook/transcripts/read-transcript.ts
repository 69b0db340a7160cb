import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import type { ReadingContext } from "./transcript-reader.ts";
import { type Checkpoint, type TranscriptBatch, TranscriptReading } from "./transcript-reading.ts";

export type { Checkpoint, TranscriptBatch };

export interface ReadOptions {
  readonly path: string;
  readonly context: Omit<ReadingContext, "fallbackTime">;
  /** Where to resume. */
  readonly from?: Checkpoint | undefined;
  readonly chunkBytes?: number;
}

/**
 * Reads a transcript of any kind and length from an offset to its end, compressed or not, in batches.
 *
 * @example
 * for await (const { rawObservations, checkpoint } of readTranscript({ path, context, from })) …
 */
export async function* readTranscript(options: ReadOptions): AsyncGenerator<TranscriptBatch> {
  const { path, from } = options;
  const compression = await compressionOf(path);
  const context = { ...options.context, fallbackTime: Math.trunc((await stat(path)).mtimeMs) };
  const reading = new TranscriptReading(context, compression === undefined ? from : undefined);
  const file = createReadStream(path, { start: reading.offset, highWaterMark: options.chunkBytes ?? 1 << 20 });
  let before = 0;
  const readBytes = (): number => {
    const bytes = file.bytesRead - before;
    before = file.bytesRead;
    return bytes;
  };
  const chunks = (compression === undefined
    ? file
    : pipeline(file, compression(), () => undefined)) as unknown as AsyncIterable<Buffer>;
  const asBatch = (): TranscriptBatch => {
    const batch = reading.take(readBytes());
    return compression === undefined ? batch : { ...batch, checkpoint: undefined };
  };
  try {
    for await (const chunk of chunks) {
      reading.push(chunk);
      yield asBatch();
      if (reading.isNotTranscript) return;
    }
    reading.end();
    yield asBatch();
  } finally {
    file.destroy();
  }
}

async function compressionOf(path: string): Promise<(() => NodeJS.ReadWriteStream) | undefined> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (bytesRead >= 2 && buffer.readUInt16BE(0) === 0x1f8b) return () => createGunzip();
    return bytesRead === 4 && buffer.readUInt32BE(0) === 0x28b52ffd ? () => createZstdDecompress() : undefined;
  } finally {
    await file.close();
  }
}
