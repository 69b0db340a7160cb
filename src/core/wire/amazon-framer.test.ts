import { expect, it } from "vitest";
import { AmazonFramer } from "./amazon-framer.ts";

/** A message with one header and this payload; its checksums are zero. */
function message(payload: object): Buffer {
  const headers = Buffer.from("\x0b:event-type\x07\x00\x05chunk", "latin1");
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  return Buffer.concat([prelude, headers, body, Buffer.alloc(4)]);
}

const wrapped = (event: object): object => ({ bytes: Buffer.from(JSON.stringify(event)).toString("base64") });

it("AmazonFramer reads the events that messages wrap, however the stream is cut", () => {
  const source = Buffer.concat([
    message(wrapped({ type: "ping", text: "é" })),
    message({ message: "Too many requests" }),
    message({ other: 1 }),
    message(wrapped({ type: "message_stop" })).subarray(0, 20),
  ]);
  for (let size = 1; size <= source.length; size += 7) {
    const framer = new AmazonFramer();
    const frames = [];
    for (let at = 0; at < source.length; at += size) frames.push(...framer.push(source.subarray(at, at + size)));
    expect(frames.map(({ data }) => data)).toEqual([
      '{"type":"ping","text":"é"}',
      '{"type":"error","error":{"message":"Too many requests"}}',
      undefined,
    ]);
    expect(Buffer.concat([...frames.map(({ raw }) => raw), framer.end()])).toEqual(source);
  }
});

it("AmazonFramer rejects lengths that no message has", () => {
  expect(() => new AmazonFramer().push(Buffer.alloc(16))).toThrow("exceeds the limit");
  expect(() => new AmazonFramer().push(Buffer.alloc(16, 255))).toThrow("exceeds the limit");
});
