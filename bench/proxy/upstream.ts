// A fast upstream in its own process: responses are prebuilt and sent without delay.
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveRequests } from "../frame/child.ts";
import { chatResponse, createEventWriter } from "./responses.ts";
import { sendFaultyResponse } from "./soak-faults.ts";

const eventsOf = createEventWriter();

const server = http.createServer((request, response) => {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on("end", () => {
    const call = String(request.headers["x-bench-call"]);
    const fault = request.headers["x-bench-fault"];
    if (typeof fault === "string") sendFaultyResponse(fault, response, eventsOf(call, bytes));
    else if (request.url === "/v1/messages") {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": `req_${call}` });
      writeOneByOne(response, eventsOf(call, bytes), Number(request.headers["x-bench-pause"] ?? 0));
    } else {
      const body = chatResponse(call, bytes);
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    }
  });
});

// Longer than any pause of the benchmark: a connection must not close just when it is reused.
server.keepAliveTimeout = 120_000;

/** One write per event-loop turn, so that events stay separate on the wire. */
function writeOneByOne(response: ServerResponse, events: readonly Buffer[], pauseMs: number): void {
  let next = 0;
  const write = (): void => {
    response.write(events[next]);
    next += 1;
    if (next === events.length) response.end();
    else if (next === 1 && pauseMs > 0) setTimeout(write, pauseMs);
    else setImmediate(write);
  };
  write();
}

serveRequests(
  {
    start: () => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null))),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  },
  async () => server.closeAllConnections(),
);
