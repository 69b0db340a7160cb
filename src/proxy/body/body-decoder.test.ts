import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createBodyDecoder, decodeBody } from "./body-decoder.ts";

const TEXT = Buffer.from(JSON.stringify({ messages: Array.from({ length: 500 }, (_, at) => `message ${at} é`) }));

function decode(
  encoding: string | undefined,
  chunks: readonly Buffer[],
): Promise<{ text: Buffer; problem: string | undefined }> {
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const decoder = createBodyDecoder(encoding, (chunk) => out.push(chunk));
    if (decoder === undefined) {
      reject(new Error("unknown"));
      return;
    }
    for (const chunk of chunks) decoder.write(chunk);
    decoder.end((problem) => resolve({ text: Buffer.concat(out), problem }));
  });
}
const bytewise = (data: Buffer): Buffer[] => Array.from(data, (_, at) => data.subarray(at, at + 1));

const ENCODINGS: readonly (readonly [string, (data: Buffer) => Buffer])[] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  [" GZip ", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
];

describe("createBodyDecoder", () => {
  it.each([undefined, "", "identity"])("passes content-encoding %s through unchanged", async (encoding) => {
    expect(await decode(encoding, [TEXT])).toEqual({ text: TEXT, problem: undefined });
  });

  it.each(ENCODINGS)("decodes %s in one chunk and byte by byte", async (encoding, encode) => {
    expect(await decode(encoding, [encode(TEXT)])).toEqual({ text: TEXT, problem: undefined });
    expect(await decode(encoding, bytewise(encode(TEXT)))).toEqual({ text: TEXT, problem: undefined });
  });

  it.each(ENCODINGS)("reports a problem when %s data is truncated or not compressed", async (encoding, encode) => {
    const good = encode(TEXT);
    expect((await decode(encoding, [Buffer.from("this is plain text, not compressed")])).problem).toBeTypeOf("string");
    expect((await decode(encoding, [good.subarray(0, good.length / 2)])).problem).toBeTypeOf("string");
  });

  it.each(ENCODINGS)("ends an empty %s body", async (encoding) => {
    expect((await decode(encoding, [])).text).toHaveLength(0);
  });

  it("ignores writes after a decoding error and reports it at the end", async () => {
    const decoder = createBodyDecoder("gzip", () => undefined);
    decoder?.write(Buffer.from("not gzip at all"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    decoder?.write(Buffer.from("more"));
    expect(await new Promise((resolve) => decoder?.end(resolve))).toBeTypeOf("string");
  });

  it("reports an exception of the chunk callback", async () => {
    const decoder = createBodyDecoder("gzip", () => {
      throw new Error("too much");
    });
    decoder?.write(gzipSync(TEXT));
    expect(await new Promise((resolve) => decoder?.end(resolve))).toBe("too much");
  });

  it.each(["compress", "gzip, br", "aes128gcm"])("returns undefined for the unsupported encoding %s", (encoding) => {
    expect(createBodyDecoder(encoding, () => undefined)).toBeUndefined();
  });
});

describe("decodeBody", () => {
  it.each(ENCODINGS)("decodes a %s body", (encoding, encode) => {
    expect(decodeBody(encoding, encode(TEXT))?.equals(TEXT)).toBe(true);
  });

  it("returns undefined for a malformed body, an unknown encoding or a body above 16 MiB", () => {
    expect(decodeBody("gzip", TEXT)).toBeUndefined();
    expect(decodeBody("compress", TEXT)).toBeUndefined();
    expect(decodeBody("gzip", gzipSync(Buffer.alloc(17 << 20)))).toBeUndefined();
  });
});
