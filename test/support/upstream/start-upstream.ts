import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { deliver, type Ending, wait } from "./deliver.ts";
import { faultOf } from "./faults.ts";
import { createIds, type IdSource } from "./ids.ts";
import type { Flavor } from "./parsed-request.ts";
import { receiveBody } from "./receive-body.ts";
import type { Reply } from "./reply.ts";
import { createResponder, type Rejection } from "./respond.ts";
import type { Script } from "./script.ts";
import type { Delivery } from "./turn.ts";

export interface UpstreamOptions {
  readonly script: Script;
  readonly host?: string;
  readonly port?: number;
  /** Whose rules apply on the Chat API; `openai` by default. */
  readonly flavor?: Flavor;
  /** On the Chat API; `message` by default, as with OpenAI. */
  readonly callIdsUniqueWithin?: "message" | "conversation";
  /** Other keys, and none, get 401. By default no key is required. */
  readonly apiKey?: string;
  /** What `GET /v1/models` lists. */
  readonly models?: readonly string[];
  /** How long an idle connection is kept open; Node's five seconds by default. */
  readonly keepAliveMs?: number;
  /** How many of the last requests are kept; all by default. For load that runs for minutes. */
  readonly keepRequests?: number;
  readonly ids?: IdSource;
  readonly now?: () => number;
}

/** A request as it arrived, whatever its response. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** Name, value, name, value, in the original order and case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly at: number;
  /** Bytes of the response body written to the socket so far. */
  readonly sentBytes: number;
  readonly ended: Promise<Ending>;
}

/** A provider that sends what its script returns, and is as strict as the real one. */
export interface Upstream {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Requests that broke a rule and got 400. */
  readonly rejections: readonly Rejection[];
  /** Ends open exchanges immediately. */
  close(): Promise<void>;
}

/**
 * Starts a scripted provider.
 *
 * @example
 * const upstream = await startUpstream({ script: () => respond("Hello") });
 * await fetch(`${upstream.url}/v1/chat/completions`, { method: "POST", body });
 * await upstream.close();
 */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const now = options.now ?? Date.now;
  const requests: ReceivedRequest[] = [];
  const responder = createResponder({ ...options, ids: options.ids ?? createIds(), now });
  const closing = new AbortController();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
    const body = await receiveBody(request);
    let sentBytes = 0;
    requests.push({
      method: request.method ?? "",
      url: request.url ?? "",
      rawHeaders: request.rawHeaders,
      body,
      at: now(),
      get sentBytes() {
        return sentBytes;
      },
      ended,
    });
    if (requests.length > (options.keepRequests ?? Number.POSITIVE_INFINITY)) requests.shift();
    const { reply, delivery } = await responder.respond(request, body);
    const ending = await send(request, response, reply, delivery, closing.signal, (bytes) => {
      sentBytes += bytes;
    });
    end(ending === "client-gone" && closing.signal.aborted ? "aborted" : ending);
  }

  const server = createServer((request, response) => {
    // Only a client that disconnected while sending ends here: there is no connection to respond on.
    handle(request, response).catch(() => response.destroy());
  });
  // Streams may pause for as long as a test needs.
  server.requestTimeout = 0;
  if (options.keepAliveMs !== undefined) server.keepAliveTimeout = options.keepAliveMs;
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const { port, address } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;

  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${port}`,
    port,
    requests,
    rejections: responder.rejections,
    close() {
      closing.abort();
      closed ??= once(server, "close").then(() => undefined);
      server.close();
      server.closeAllConnections();
      return closed;
    },
  };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  delivery: Delivery,
  closing: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Ending> {
  const faults = delivery.faults ?? [];
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, closing]);
  if (response.destroyed) return "client-gone";

  if (faultOf(faults, "reset-before-headers") !== undefined) {
    request.socket.resetAndDestroy();
    return "aborted";
  }
  const stall = faultOf(faults, "stall");
  if (stall !== undefined && stall.afterEvents === undefined) await wait(stall.ms, signal);
  if (delivery.delays?.headersMs !== undefined) await wait(delivery.delays.headersMs, signal);
  if (signal.aborted) return "client-gone";

  const encoding = faultOf(faults, "encoded")?.encoding;
  request.socket.setNoDelay(true);
  response.writeHead(reply.status, { ...reply.headers });
  return deliver(response, reply.steps, {
    signal,
    onSent,
    ...(encoding === undefined ? {} : { encoding }),
    ...(delivery.writeBytes === undefined ? {} : { writeBytes: delivery.writeBytes }),
  });
}
