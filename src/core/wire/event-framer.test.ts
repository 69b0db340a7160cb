import { describe, expect, it } from "vitest";
import { EventFramer, FrameTooLargeError } from "./event-framer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, limit?: number): readonly (readonly [string | undefined, string | undefined, string])[] =>
  new EventFramer(limit)
    .push(bytes(text))
    .map(({ event, data, raw }) => [event, data, Buffer.from(raw).toString()] as const);

describe("frames of a stream", () => {
  it.each([
    ["LF", "event: a\ndata: 1\n\ndata: 2\n\n"],
    ["CRLF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n"],
  ])("are cut at blank lines, with their bytes, for %s", (_name, text) => {
    const frames = read(text);
    expect(frames.map(([event, data]) => [event, data])).toEqual([
      ["a", "1"],
      [undefined, "2"],
    ]);
    expect(frames.map(([, , raw]) => raw).join("")).toBe(text);
  });

  it("are cut at blank lines of CR alone as soon as the next byte shows that no LF follows", () => {
    const framer = new EventFramer();
    expect(framer.push(bytes("data: 1\r\r"))).toEqual([]);
    expect(framer.push(bytes("data: 2")).map(({ data }) => data)).toEqual(["1"]);
    expect(Buffer.from(framer.end()).toString()).toBe("data: 2");
  });

  it("keep comments and retry lines in their bytes and out of their data", () => {
    expect(read(": ping\n\nretry: 3000\ndata: x\n\n")).toEqual([
      [undefined, undefined, ": ping\n\n"],
      [undefined, "x", "retry: 3000\ndata: x\n\n"],
    ]);
  });

  it("join several data lines by newlines and take off one space", () => {
    expect(read("data: a\ndata:b\ndata:  c\ndata:\ndata\n\n")[0]?.[1]).toBe("a\nb\n c\n\n");
  });

  it("may begin with a byte order mark, but only the first one", () => {
    expect(read("\ufeffdata: x\n\n\ufeffdata: y\n\n").map(([, data]) => data)).toEqual(["x", undefined]);
    expect(read(": c\n\ufeffdata: y\n\n")[0]?.[1]).toBeUndefined();
  });

  it("do not break a character that was cut in two", () => {
    const whole = bytes("data: 👀é\n\n");
    for (let at = 1; at < whole.length; at += 1) {
      const framer = new EventFramer();
      const found = [...framer.push(whole.subarray(0, at)), ...framer.push(whole.subarray(at))];
      expect(found.map(({ data }) => data)).toEqual(["👀é"]);
    }
  });

  it("leave what is unfinished to the end, once", () => {
    const framer = new EventFramer();
    framer.push(bytes("data: 1\n\ndata: 2\n"));
    expect(Buffer.from(framer.end()).toString()).toBe("data: 2\n");
    expect(framer.end()).toHaveLength(0);
  });
});

describe("an event beyond the limit", () => {
  it("is refused, whether it comes at once or byte by byte", () => {
    expect(() => new EventFramer(10).push(bytes("data: 12345"))).toThrow(FrameTooLargeError);
    const framer = new EventFramer(10);
    for (const byte of bytes("data: 1234")) framer.push(Uint8Array.of(byte));
    expect(() => framer.push(bytes("5"))).toThrow("an event of more than 10 bytes");
  });

  it("is not made of many small ones", () => {
    expect(read("data: 1\n\n".repeat(100), 10)).toHaveLength(100);
  });
});
