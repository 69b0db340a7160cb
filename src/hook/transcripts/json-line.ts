import { type Fields, isObject } from "../../core/wire/json.ts";

/** The object a line holds. */
export function parseLine(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const [OPEN, CLOSE] = [0x7b, 0x7d];

/** Does it begin and end like an object? Cheaper than to parse it. */
export function looksWhole(bytes: Buffer): boolean {
  const text = bytes.length < 3 || isSpace(bytes.at(0)) || isSpace(bytes.at(-1)) ? trimmed(bytes) : bytes;
  return text.at(0) === OPEN && text.at(-1) === CLOSE;
}

function trimmed(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

export function isBlank(bytes: Buffer): boolean {
  return bytes.length === 0 || (isSpace(bytes.at(0)) && trimmed(bytes).length === 0);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === 10;
}
