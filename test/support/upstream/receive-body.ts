import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import zlib from "node:zlib";
import type { JsonObject } from "../../../src/core/model/tool-call.ts";
import { isObject, parseJson } from "./json.ts";

/** The bytes as received. */
export async function receiveBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The JSON object in a body, decompressed first if needed; undefined when there is none. */
export function decodeBody(body: Buffer, encoding: string | undefined): JsonObject | undefined {
  const decoded = decompress(body, encoding);
  const value = decoded === undefined ? undefined : parseJson(decoded.toString("utf8"));
  return isObject(value) ? value : undefined;
}

function decompress(body: Buffer, encoding: string | undefined): Buffer | undefined {
  try {
    switch (encoding?.trim().toLowerCase() ?? "identity") {
      case "identity":
        return body;
      case "gzip":
        return zlib.gunzipSync(body);
      case "deflate":
        return zlib.inflateSync(body);
      case "br":
        return zlib.brotliDecompressSync(body);
      case "zstd":
        return zlib.zstdDecompressSync(body);
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
