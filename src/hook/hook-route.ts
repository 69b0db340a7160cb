import type { IncomingMessage, ServerResponse } from "node:http";
import { isValidId } from "../core/model/call-key.ts";
import { discardBody } from "../proxy/http/discard-body.ts";
import { type HookAgent, isHookAgent } from "./agents.ts";
import type { HookQueue } from "./hook-queue.ts";

export interface HookRouteOptions {
  readonly queue: Pick<HookQueue, "enqueue">;
  readonly onProblem: (agent: HookAgent | "unknown", reason: string) => void;
}

const MAX_BODY_BYTES = 16 << 20;
const RESPONSE_BODY = "{}";
const HEADERS = { "content-type": "application/json", "content-length": RESPONSE_BODY.length };

/**
 * Handles `POST /hooks/<agent>`. Always responds with 200 and `{}` as soon as the body has arrived, because the agent
 * waits for the response and an error could block its tool. Unreadable events are counted instead.
 */
export function createHookRoute({ queue, onProblem }: HookRouteOptions) {
  return (request: IncomingMessage, response: ServerResponse, path: string): void => {
    if (request.method !== "POST") {
      request.resume();
      response.writeHead(405, { allow: "POST", "content-length": 0 }).end();
      return;
    }
    const agent = path.slice("/hooks/".length);
    const chunks: Buffer[] = [];
    let size = 0;
    const respond = (): void => void response.writeHead(200, HEADERS).end(RESPONSE_BODY);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off("data", onData);
      request.off("end", onEnd);
      respond();
      discardBody(request);
      onProblem(isHookAgent(agent) ? agent : "unknown", `the event is larger than ${MAX_BODY_BYTES} bytes`);
    };
    const onEnd = (): void => {
      respond();
      if (!isHookAgent(agent)) onProblem("unknown", "unknown agent");
      else if (request.headers["x-toolmend-record"] !== "off") {
        // Decoded now: a small buffer slice would keep its whole underlying buffer in memory.
        const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
        queue.enqueue(agent, body.toString("utf8"), projectOf(request));
      }
    };
    request.on("data", onData);
    request.on("end", onEnd);
  };
}

function projectOf({ headers }: IncomingMessage): string {
  const project = headers["x-toolmend-project"];
  return typeof project === "string" && isValidId(project) ? project : "default";
}
