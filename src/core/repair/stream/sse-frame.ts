import { parseJson } from "../../wire/json.ts";
import type { StreamFrame } from "../types.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The parsed data of an event; undefined if it is not JSON. */
export function jsonOf(frame: StreamFrame): unknown {
  if ("json" in frame) return frame.json;
  return frame.data === undefined ? undefined : parseJson(frame.data);
}

/** Encodes a generated line of a stream of lines. */
export function newLine(data: string): Uint8Array {
  return encoder.encode(`${data}\n`);
}

/** Encodes a generated event. */
export function newEvent(data: string, event?: string): Uint8Array {
  return encoder.encode(`${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`);
}

/** Replaces the data of an event; comments, line ends and other fields are preserved. */
export function withData(frame: StreamFrame, data: string): Uint8Array {
  if (frame.data === data) return frame.raw;
  const raw = decoder.decode(frame.raw);
  const { data: known = "" } = frame;
  const at = known === "" ? -1 : raw.indexOf(known);
  const isEvent = (frame.framing ?? "events") === "events";
  if (at === -1 || (isEvent && data.includes("\n"))) {
    // Data on several lines cannot be replaced in place, so the event is rebuilt.
    return encoder.encode(
      `${frame.event === undefined ? "" : `event: ${frame.event}\n`}${data
        .split("\n")
        .map((line) => `data: ${line}\n`)
        .join("")}\n`,
    );
  }
  return encoder.encode(raw.slice(0, at) + data + raw.slice(at + known.length));
}
