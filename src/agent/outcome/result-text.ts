import { configure } from "safe-stable-stringify";
import { wholeCharacters } from "../sanitize/safe-text.ts";

const stringify = configure({ deterministic: false, circularValue: "[circular]", bigint: true, maximumDepth: 50 });
const ordered = configure({ deterministic: true, circularValue: "[circular]", bigint: true, maximumDepth: 50 });

/** A value as text for the model: strings unchanged, everything else as JSON. Never throws. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "null";
  try {
    return stringify(value) ?? "null";
  } catch {
    return '{"error":"Tool returned non-serializable data"}';
  }
}

/** Text that is equal for equal values, regardless of key order. Never throws. */
export function canonicalText(value: unknown): string {
  try {
    return ordered(value) ?? "undefined";
  } catch {
    return "[unreadable]";
  }
}

/** Converts to a JSON value, so that a page receives the same as after a reload from storage. */
export function jsonValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  try {
    return JSON.parse(resultText(typeof value === "function" || typeof value === "symbol" ? null : value));
  } catch {
    return null;
  }
}

export interface LimitedText {
  readonly text: string;
  /** Sizes in bytes; only if the text was truncated. */
  readonly cut?: { readonly bytes: number; readonly kept: number };
}

/** Truncates to a number of bytes at character boundaries: keeps start and end, with a note between them. */
export function limitText(text: string, maxBytes: number): LimitedText {
  if (text.length * 3 <= maxBytes) return { text };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return { text };
  const half = Math.floor(maxBytes / 2);
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  const head = wholeCharacters(decode(bytes.subarray(0, maxBytes - half)).replace(/\ufffd{1,3}$/, ""));
  const tail = decode(bytes.subarray(bytes.length - half)).replace(/^\ufffd{1,3}/, "");
  const kept = new TextEncoder().encode(head + tail).length;
  return {
    text: `${head}\n\n[Cut: ${kept} of ${bytes.length} bytes are shown.]\n\n${tail}`,
    cut: { bytes: bytes.length, kept },
  };
}
