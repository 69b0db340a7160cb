import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeGracefully } from "./graceful-close.ts";

let server: http.Server;
let agent: http.Agent;
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
  server = http.createServer((_request, response) => respond(response));
  server.keepAliveTimeout = 60_000;
  closeGracefully(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  agent = new http.Agent({ keepAlive: true });
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
});

async function sendRequest(): Promise<IncomingMessage> {
  const request = http.get({ port: (server.address() as AddressInfo).port, agent });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

describe("server.close() after closeGracefully", () => {
  it("closes idle connections without waiting", async () => {
    respond = (response) => response.end("hi");
    await bytesOf(await sendRequest());
    const closed = once(server, "close");
    server.close();
    await closed;
  });

  it("closes a keep-alive connection after its open response", async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    respond = (response) => {
      response.write("first ");
      begun.resolve(response);
    };
    const response = await sendRequest();
    const closed = once(server, "close");
    server.close();
    (await begun.promise).end("last");
    expect(await bytesOf(response)).toBe(10);
    await closed;
  });

  it("delivers the last bytes of a response to a slow client", async () => {
    const ended = Promise.withResolvers<void>();
    const piece = Buffer.alloc(1 << 20);
    let sent = 0;
    respond = (response) => {
      // Writes until the kernel's buffer is full, so that the end of the response cannot be sent yet.
      const fill = (): void => {
        let open = true;
        sent += piece.length;
        response.write(piece, () => {
          if (open && !response.writableEnded) fill();
        });
        setTimeout(() => {
          if (!response.writableNeedDrain || response.writableEnded) return;
          open = false;
          response.end();
          ended.resolve();
        }, 200);
      };
      fill();
    };
    const response = await sendRequest();
    await ended.promise;
    const closed = once(server, "close");
    server.close();
    expect(await bytesOf(response)).toBe(sent);
    await closed;
  });
});
