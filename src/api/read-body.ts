import type { IncomingMessage } from "node:http";
import { discardBody } from "../proxy/http/end-early.ts";
import { ParameterError } from "./parameters.ts";

/**
 * Reads a request body as text. Rejects once it exceeds the limit, and discards the rest so that the connection stays
 * usable.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const rejectTooLarge = (): void => {
      request.off("data", take);
      request.off("end", end);
      discardBody(request);
      reject(new ParameterError(`The body is larger than ${limit} bytes. Send it in parts.`, 413));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) rejectTooLarge();
      else chunks.push(chunk);
    };
    const end = (): void => resolve(Buffer.concat(chunks).toString("utf8"));
    // The first event settles the promise.
    request.on("error", reject);
    request.on("close", () => reject(new Error("The client disconnected.")));
    if (Number(request.headers["content-length"]) > limit) rejectTooLarge();
    else request.on("data", take).on("end", end);
  });
}
