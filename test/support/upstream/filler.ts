import { Buffer } from "node:buffer";

/*
 * A gigabyte of text must not exist as a string: whole texts (JSON bodies, `.done` events) contain a short marker
 * instead, which is expanded to bytes only while the frame is written.
 */

const PIECE_BYTES = 16 * 1024;
const PIECE = "All work and no play makes a dull stream. ".repeat(PIECE_BYTES / 42 + 1).slice(0, PIECE_BYTES);
const PIECE_BUFFER = Buffer.from(PIECE);
const MARK = /⟪filler:(\d+)⟫/gu;

/** The marker for this many bytes of text inside a frame. */
export function fillerMark(bytes: number): string {
  return `⟪filler:${bytes}⟫`;
}

/** The same bytes as texts of deltas. */
export function* fillerPieces(bytes: number): Generator<string> {
  for (let left = bytes; left > 0; left -= PIECE_BYTES) yield left >= PIECE_BYTES ? PIECE : PIECE.slice(0, left);
}

/** Whether the length of this text on the wire is known before it is written. */
export function hasFiller(text: string): boolean {
  return text.includes("⟪filler:");
}

/** The end position of the last marker in a text. */
export function endOfFiller(text: string): number {
  return text.lastIndexOf("⟫") + 1;
}

/** The bytes of a frame, with its markers expanded. */
export function* frameBytes(text: string): Generator<Buffer> {
  let done = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > done) yield Buffer.from(text.slice(done, match.index));
    for (let left = Number(match[1]); left > 0; left -= PIECE_BYTES) {
      yield left >= PIECE_BYTES ? PIECE_BUFFER : PIECE_BUFFER.subarray(0, left);
    }
    done = match.index + match[0].length;
  }
  if (done < text.length) yield Buffer.from(text.slice(done));
}
