import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { contractProblems, queryProblems } from "./langfuse-contract.ts";
import { otlpProblems } from "./otlp-schema.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
  /** Violations of Langfuse's contract or OTLP's schema. */
  readonly problems: readonly string[];
}

/** A response that the receiver sends instead of accepting the request. */
export type Refusal = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Called before every response; undefined accepts the request. */
  refuse: (path: string) => Refusal | "hang-up" | undefined;
  close(): Promise<void>;
}

/**
 * Stands in for Langfuse and for an OpenTelemetry collector, and checks every request against their published schemas.
 */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString();
    const path = request.url ?? "";
    const refusal = receiver.refuse(path);
    if (refusal === "hang-up") return void request.socket.destroy();
    if (refusal !== undefined) {
      response.writeHead(refusal.status, refusal.headers);
      return void response.end(refusal.body ?? "");
    }
    const { method = "", headers } = request;
    const body = (method === "DELETE" ? {} : JSON.parse(text)) as Record<string, unknown>;
    const problems = method === "POST" ? problemsOf(path, body) : queryProblems(method, path);
    received.push({ method, path, headers, body, problems });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(path.endsWith("/scores") ? JSON.stringify({ id: body.id }) : "{}");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuse: () => undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}

function problemsOf(path: string, body: Record<string, unknown>): readonly string[] {
  if (path.startsWith("/api/public/"))
    return [
      ...contractProblems(`POST ${path}`, body),
      ...(path.endsWith("/otel/v1/traces") ? otlpProblems("traces", body) : []),
    ];
  if (path.endsWith("/v1/traces")) return otlpProblems("traces", body);
  if (path.endsWith("/v1/logs")) return otlpProblems("logs", body);
  return [`${path} is no door`];
}
