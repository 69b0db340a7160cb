import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A response of `first` followed by repeated `chunk`s, as fast as the client reads, until `total` bytes are sent. */
export interface EndlessResponse {
  readonly headers: http.OutgoingHttpHeaders;
  readonly first: Buffer;
  readonly chunk: Buffer;
  readonly total: number;
}

export interface EndlessUpstream {
  readonly url: string;
  /** Body bytes written to the sockets so far. */
  readonly sentBytes: number;
  close(): Promise<void>;
}

/** Starts a server that sends the body returned by `choose`. */
export async function startEndless(choose: (request: IncomingMessage) => EndlessResponse): Promise<EndlessUpstream> {
  let sentBytes = 0;
  const server = http.createServer((request, response) => {
    const { headers, first, chunk, total } = choose(request);
    request.resume();
    response.writeHead(200, headers);
    let sent = first.length;
    response.write(first);
    const sendMore = (): void => {
      let canWrite = true;
      while (canWrite && sent < total && !response.destroyed) {
        sent += chunk.length;
        sentBytes += chunk.length;
        canWrite = response.write(chunk);
      }
      if (sent >= total) response.end();
    };
    response.on("drain", sendMore);
    sendMore();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return sentBytes;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface SlowReadOptions {
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string;
  readonly bytesPerSecond: number;
  readonly ms: number;
}

/** Reads at the given rate for the given time, then disconnects; returns the number of bytes read. */
export async function readSlowly(url: string, { headers, body, bytesPerSecond, ms }: SlowReadOptions): Promise<number> {
  const request = http.request(url, { method: "POST", agent: false, headers });
  request.on("error", () => undefined);
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  const step = 50;
  let read = 0;
  for (const end = Date.now() + ms; Date.now() < end; await sleep(step)) {
    const chunk = response.read(Math.ceil((bytesPerSecond * step) / 1000)) as Buffer | null;
    read += chunk?.length ?? 0;
  }
  request.destroy();
  return read;
}
