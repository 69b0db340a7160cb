import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { callObservation } from "../../../test/support/observations.ts";
import { createServerWriter } from "./server-writer.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface ReceivedRequest {
  readonly lines: number;
  readonly token: string | undefined;
}

/** Starts a server that sends the given responses one after the other. */
async function serve(
  ...responses: readonly (object | number)[]
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const lines = body.split("\n").filter((line) => line !== "").length;
    requests.push({ lines, token: request.headers["x-toolmend-token"] as string | undefined });
    const next = responses[Math.min(requests.length, responses.length) - 1] ?? {};
    response.statusCode = typeof next === "number" ? next : 200;
    response.end(JSON.stringify({ accepted: lines, dropped: 0, rejected: [], ...(typeof next === "object" && next) }));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const observations = Array.from({ length: 3 }, (_, at) => callObservation({ tool_call_id: `toolu_${at}` }));

it("the writer sends observations as lines with the token", async () => {
  const { url, requests } = await serve();
  await createServerWriter({ url, token: "t0ken" })(observations);
  expect(requests).toEqual([{ lines: 3, token: "t0ken" }]);
});

it("the writer resends observations that a full journal dropped", async () => {
  const { url, requests } = await serve({ accepted: 0, dropped: 3 }, { accepted: 0, dropped: 3 }, {});
  await createServerWriter({ url })(observations);
  expect(requests.map(({ lines }) => lines)).toEqual([3, 3, 3]);
});

it("the writer waits while the store's backlog is too large", async () => {
  const { url, requests } = await serve({ unapplied_bytes: 1e9 }, { unapplied_bytes: 1e9 }, { unapplied_bytes: 0 });
  await createServerWriter({ url })(observations);
  expect(requests.map(({ lines }) => lines)).toEqual([3, 0, 0]);
});

it("the writer splits many observations into several requests", async () => {
  const { url, requests } = await serve();
  await createServerWriter({ url })(observations.map((one) => ({ ...one, model: "m".repeat(700_000) })));
  expect(requests.map(({ lines }) => lines)).toEqual([2, 1]);
});

it("the writer reports observations that the server rejected", async () => {
  const { url } = await serve({ rejected: [{ line: 1, reason: "no" }], rejected_total: 3 });
  const rejected: unknown[] = [];
  await createServerWriter({ url, onRejected: (...args) => rejected.push(args) })(observations);
  expect(rejected).toEqual([[3, "no"]]);
});

it.each([
  [401, /TOOLMEND_TOKEN/],
  [503, /responded with 503/],
])("the writer fails with a reason when the server responds with %i", async (status, reason) => {
  const { url } = await serve(status);
  await expect(createServerWriter({ url })(observations)).rejects.toThrow(reason);
});

it("the writer fails with a reason when no server is running", async () => {
  const { url } = await serve();
  for (const server of servers.splice(0)) server.close();
  await expect(createServerWriter({ url })(observations)).rejects.toThrow(/is not responding/);
});
