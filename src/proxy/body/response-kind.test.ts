import { describe, expect, it } from "vitest";
import { isEventStream, looksLikeEventStream } from "./response-kind.ts";

describe("whether an answer is a stream", () => {
  it.each(["text/event-stream", "text/event-stream; charset=utf-8", "Text/Event-Stream"])("%s says so", (type) => {
    expect(isEventStream(type)).toBe(true);
  });

  it.each(["application/json", "text/plain", "", undefined])("%s does not", (type) => {
    expect(isEventStream(type)).toBe(false);
  });

  it.each(["data: {}", "event: message_start\ndata:", ": ping", "id: 1", "retry: 3", "\ufeffdata: x", "\n\ndata: x"])(
    "%j begins like one",
    (start) => {
      expect(looksLikeEventStream(Buffer.from(start))).toBe(true);
    },
  );

  it.each(["{", ' \n{"id":1}', '{"data":1}'])("%j begins like a body", (start) => {
    expect(looksLikeEventStream(Buffer.from(start))).toBe(false);
  });

  it.each(["", "\n", "<html>", "d", "database: x", "[1]"])("%j does not tell", (start) => {
    expect(looksLikeEventStream(Buffer.from(start))).toBeUndefined();
  });
});
