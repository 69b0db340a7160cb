import type { IncomingMessage } from "node:http";
import { ParameterError } from "./parameters.ts";

const LIMIT = 16 << 20;

/** A request's body as text, up to a bound. */
export async function readBody(request: IncomingMessage, limit = LIMIT): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new ParameterError(`The body is larger than ${limit} bytes. Send it in parts.`, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
