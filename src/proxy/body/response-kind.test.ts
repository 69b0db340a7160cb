import { describe, expect, it } from "vitest";
import { isEventStream, looksLikeEventStream } from "./response-kind.ts";

describe("the kind of a response", () => {
  it.each(["text/event-stream", "text/event-stream; charset=utf-8", "Text/Event-Stream"])(
    "a response of %s is a stream",
    (type) => {
      expect(isEventStream(type)).toBe(true);
    },
  );

  it.each(["application/json", "text/plain", "", undefined])("content type %s is not a stream", (type) => {
    expect(isEventStream(type)).toBe(false);
  });

  it.each(["data: {}", "event: message_start\ndata:", ": ping", "id: 1", "retry: 3", "\ufeffdata: x", "\n\ndata: x"])(
    "a response that begins with %j looks like a stream",
    (start) => {
      expect(looksLikeEventStream(Buffer.from(start))).toBe(true);
    },
  );

  it.each(["{", ' \n{"id":1}', '{"data":1}'])("a response that begins with %j looks like a JSON body", (start) => {
    expect(looksLikeEventStream(Buffer.from(start))).toBe(false);
  });

  it.each(["", "\n", "<html>", "d", "database: x", "[1]"])(
    "a response that begins with %j looks like neither",
    (start) => {
      expect(looksLikeEventStream(Buffer.from(start))).toBeUndefined();
    },
  );
});
