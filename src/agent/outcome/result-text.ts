import { configure } from "safe-stable-stringify";
import { wholeCharacters } from "../sanitize/safe-text.ts";

const stringify = configure({ deterministic: false, circularValue: "[circular]", bigint: true, maximumDepth: 50 });
const ordered = configure({ deterministic: true, circularValue: "[circular]", bigint: true, maximumDepth: 50 });

/** Any value as text for a model: text as it is, everything else as JSON. Never throws. */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "null";
  try {
    return stringify(value) ?? "null";
  } catch {
    return '{"error":"Tool returned non-serializable data"}';
  }
}

/** Equal values have equal texts, whatever the order of their keys. Never throws. */
export function canonicalText(value: unknown): string {
  try {
    return ordered(value) ?? "undefined";
  } catch {
    return "[unreadable]";
  }
}

/** A value as JSON can carry it: what a page gets is what could have been stored. */
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
  /** Only when something was cut, in bytes. */
  readonly cut?: { readonly bytes: number; readonly kept: number };
}

/** No more than so many bytes, whole characters only, and the cut is said. */
export function limitText(text: string, maxBytes: number): LimitedText {
  if (text.length * 3 <= maxBytes) return { text };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return { text };
  const kept = wholeCharacters(new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd+$/, ""));
  const keptBytes = new TextEncoder().encode(kept).length;
  return {
    text: `${kept}\n\n[Cut: ${keptBytes} of ${bytes.length} bytes are shown.]`,
    cut: { bytes: bytes.length, kept: keptBytes },
  };
}
