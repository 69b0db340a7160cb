import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { callSeen } from "../../../test/support/observations.ts";
import { createServerWriter } from "./server-writer.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly lines: number;
  readonly token: string | undefined;
}

/** A server that answers what it is told to, one answer after the other. */
async function serve(...answers: readonly (object | number)[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const lines = body.split("\n").filter((line) => line !== "").length;
    asked.push({ lines, token: request.headers["x-toolmend-token"] as string | undefined });
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
    response.statusCode = typeof answer === "number" ? answer : 200;
    response.end(
      JSON.stringify({ accepted: lines, dropped: 0, rejected: [], ...(typeof answer === "object" && answer) }),
    );
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const some = Array.from({ length: 3 }, (_, at) => callSeen({ tool_call_id: `toolu_${at}` }));

it("sends observations as lines, with the token", async () => {
  const { url, asked } = await serve();
  await createServerWriter({ url, token: "t0ken" })(some);
  expect(asked).toEqual([{ lines: 3, token: "t0ken" }]);
});

it("sends again what a full journal did not take", async () => {
  const { url, asked } = await serve({ accepted: 0, dropped: 3 }, { accepted: 0, dropped: 3 }, {});
  await createServerWriter({ url })(some);
  expect(asked.map(({ lines }) => lines)).toEqual([3, 3, 3]);
});

it("waits while the store is far behind", async () => {
  const { url, asked } = await serve({ unapplied_bytes: 1e9 }, { unapplied_bytes: 1e9 }, { unapplied_bytes: 0 });
  await createServerWriter({ url })(some);
  expect(asked.map(({ lines }) => lines)).toEqual([3, 0, 0]);
});

it("sends much in several bodies", async () => {
  const { url, asked } = await serve();
  await createServerWriter({ url })(some.map((one) => ({ ...one, model: "m".repeat(700_000) })));
  expect(asked.map(({ lines }) => lines)).toEqual([2, 1]);
});

it("tells what the server refused", async () => {
  const { url } = await serve({ rejected: [{ line: 1, reason: "no" }], rejected_total: 3 });
  const refused: unknown[] = [];
  await createServerWriter({ url, onRejected: (...told) => refused.push(told) })(some);
  expect(refused).toEqual([[3, "no"]]);
});

it.each([
  [401, /TOOLMEND_TOKEN/],
  [503, /answered 503/],
])("fails with a reason when the server answers %i", async (status, reason) => {
  const { url } = await serve(status);
  await expect(createServerWriter({ url })(some)).rejects.toThrow(reason);
});

it("fails with a reason when nobody answers", async () => {
  const { url } = await serve();
  for (const server of servers.splice(0)) server.close();
  await expect(createServerWriter({ url })(some)).rejects.toThrow(/does not answer/);
});
