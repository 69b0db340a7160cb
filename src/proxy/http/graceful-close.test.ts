import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeGracefully } from "./graceful-close.ts";

let server: http.Server;
let agent: http.Agent;
let answering: (response: ServerResponse) => void;

beforeEach(async () => {
  server = http.createServer((_request, response) => answering(response));
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

async function ask(): Promise<IncomingMessage> {
  const request = http.get({ port: (server.address() as AddressInfo).port, agent });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

describe("a server that stops", () => {
  it("does not wait for connections that nobody uses", async () => {
    answering = (response) => response.end("hi");
    await bytesOf(await ask());
    const closed = once(server, "close");
    server.close();
    await closed;
  });

  it("ends a kept connection with the answer that was under way on it", async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    answering = (response) => {
      response.write("first ");
      begun.resolve(response);
    };
    const response = await ask();
    const closed = once(server, "close");
    server.close();
    (await begun.promise).end("last");
    expect(await bytesOf(response)).toBe(10);
    await closed;
  });

  it("lets an answer arrive whose last bytes still wait for a slow client", async () => {
    const ended = Promise.withResolvers<void>();
    const piece = Buffer.alloc(1 << 20);
    let sent = 0;
    answering = (response) => {
      // Until the kernel takes no more: then the end is handed over, but not sent.
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
    const response = await ask();
    await ended.promise;
    const closed = once(server, "close");
    server.close();
    expect(await bytesOf(response)).toBe(sent);
    await closed;
  });
});
