import { describe, expect, it } from "vitest";
import { EventFramer, FrameTooLargeError } from "./event-framer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, limit?: number): readonly (readonly [string | undefined, string | undefined, string])[] =>
  new EventFramer(limit)
    .push(bytes(text))
    .map(({ event, data, raw }) => [event, data, Buffer.from(raw).toString()] as const);

describe("EventFramer", () => {
  it.each([
    ["LF", "event: a\ndata: 1\n\ndata: 2\n\n"],
    ["CRLF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n"],
  ])("splits at blank lines and preserves the bytes: %s", (_name, text) => {
    const frames = read(text);
    expect(frames.map(([event, data]) => [event, data])).toEqual([
      ["a", "1"],
      [undefined, "2"],
    ]);
    expect(frames.map(([, , raw]) => raw).join("")).toBe(text);
  });

  it("splits at a blank line ended by CR as soon as the next byte shows that no LF follows", () => {
    const framer = new EventFramer();
    expect(framer.push(bytes("data: 1\r\r"))).toEqual([]);
    expect(framer.push(bytes("data: 2")).map(({ data }) => data)).toEqual(["1"]);
    expect(Buffer.from(framer.end()).toString()).toBe("data: 2");
  });

  it("preserves comments and retry lines in the bytes and omits them from the data", () => {
    expect(read(": ping\n\nretry: 3000\ndata: x\n\n")).toEqual([
      [undefined, undefined, ": ping\n\n"],
      [undefined, "x", "retry: 3000\ndata: x\n\n"],
    ]);
  });

  it("joins several data lines by newlines and removes one leading space", () => {
    expect(read("data: a\ndata:b\ndata:  c\ndata:\ndata\n\n")[0]?.[1]).toBe("a\nb\n c\n\n");
  });

  it("ignores a byte order mark before the first event only", () => {
    expect(read("\ufeffdata: x\n\n\ufeffdata: y\n\n").map(([, data]) => data)).toEqual(["x", undefined]);
    expect(read(": c\n\ufeffdata: y\n\n")[0]?.[1]).toBeUndefined();
  });

  it("decodes a character that is split across two chunks", () => {
    const whole = bytes("data: 👀é\n\n");
    for (let at = 1; at < whole.length; at += 1) {
      const framer = new EventFramer();
      const found = [...framer.push(whole.subarray(0, at)), ...framer.push(whole.subarray(at))];
      expect(found.map(({ data }) => data)).toEqual(["👀é"]);
    }
  });

  it("returns an unfinished event at the end, and only once", () => {
    const framer = new EventFramer();
    framer.push(bytes("data: 1\n\ndata: 2\n"));
    expect(Buffer.from(framer.end()).toString()).toBe("data: 2\n");
    expect(framer.end()).toHaveLength(0);
  });
});

describe("EventFramer with an event over the limit", () => {
  it("throws, whether the event arrives in one chunk or byte by byte", () => {
    expect(() => new EventFramer(10).push(bytes("data: 12345"))).toThrow(FrameTooLargeError);
    const framer = new EventFramer(10);
    for (const byte of bytes("data: 1234")) framer.push(Uint8Array.of(byte));
    expect(() => framer.push(bytes("5"))).toThrow("Event exceeds the limit of 10 bytes");
  });

  it("does not count several small events as one", () => {
    expect(read("data: 1\n\n".repeat(100), 10)).toHaveLength(100);
  });
});
