// The reference: a bare node:http server that reads the body and responds with {}.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { serveRequests } from "../frame/child.ts";

/** Size of the last body, stored so that reading it cannot be optimized away. */
export let size = 0;

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    size = Buffer.concat(chunks).length;
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
  });
});
server.keepAliveTimeout = 120_000;

serveRequests(
  {
    start: () => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null))),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drain: () => null,
  },
  async () => server.closeAllConnections(),
);
