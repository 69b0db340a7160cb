import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { send } from "../../../test/support/raw-http.ts";
import { Exchange } from "../exchange/exchange.ts";
import { ErrorBoundary } from "../http/error-boundary.ts";
import { type ForwardOptions, forward } from "./forward.ts";
import type { ForwardedExchange } from "./forwarded-exchange.ts";
import { createAgents } from "./upstream-request.ts";

const servers: http.Server[] = [];
const agents = createAgents({});
let upstream: string;

async function listening(server: http.Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(async () => {
  upstream = await listening(
    http.createServer((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.write("first ");
        setImmediate(() => response.end("last"));
      });
    }),
  );
});

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a proxy whose `broken` options apply to requests to /bad. */
async function startProxy(broken: Partial<ForwardOptions>): Promise<{ url: string; failures: string[] }> {
  const failures: string[] = [];
  const url = await listening(
    http.createServer((request, response) => {
      const boundary = new ErrorBoundary(
        () => response.destroy(),
        () => response.destroy(),
      );
      boundary.own(request);
      boundary.own(response);
      forward(request, response, {
        target: { upstream: { name: "openai", url: new URL(upstream) }, path: "/" },
        agents,
        headers: { dropAuthorization: false, dropCookie: false },
        arrivedAt: performance.now(),
        onFirstByte: () => undefined,
        boundary,
        onFailure: (kind, error) => failures.push(`${kind}: ${(error as Error).message}`),
        ...(request.url === "/bad" && broken),
      });
    }),
  );
  return { url, failures };
}

const broken = (): never => {
  throw new Error("broken");
};

async function outcome(url: string): Promise<string> {
  const received = await send(url, {}, "body").catch(() => undefined);
  return received === undefined
    ? "closed"
    : received.aborted
      ? "broken off"
      : `${received.status} ${received.body.toString()}`;
}

/** An owner that reads nothing. */
const ownedBy = (parts: Partial<ForwardedExchange>): Partial<ForwardOptions> => ({
  exchange: {
    requestChunk: () => undefined,
    requestEnd: () => undefined,
    responseHead: () => undefined,
    responseChunk: () => undefined,
    responseEvents: () => undefined,
    responseJson: () => undefined,
    end: () => undefined,
    ...parts,
  },
});

const afterFirstBytes = (begin: (upstreamResponse: IncomingMessage) => void): Partial<ForwardOptions> =>
  ownedBy({
    chooseHandler: () => (upstreamResponse, response) => {
      response.writeHead(200);
      response.write("some ");
      upstreamResponse.resume();
      begin(upstreamResponse);
    },
  });

describe("forward with a failing part", () => {
  const BEFORE: Readonly<Record<string, Partial<ForwardOptions>>> = {
    "when the request is opened": { onUpstream: broken },
    "when the response handler is chosen": ownedBy({ chooseHandler: broken }),
    "when the response begins": ownedBy({ chooseHandler: () => broken }),
    "in a timer before the response begins": ownedBy({
      chooseHandler: () => (_upstreamResponse, _response, _tap, progress) => void setImmediate(progress.bind(broken)),
    }),
    "in a listener of the upstream's response": ownedBy({
      chooseHandler: () => (upstreamResponse) => void upstreamResponse.on("data", broken),
    }),
    "as an error event without a listener": ownedBy({
      chooseHandler: () => (upstreamResponse) =>
        void setImmediate(() => upstreamResponse.emit("error", new Error("broken"))),
    }),
  };

  it.each(Object.entries(BEFORE))("responds with 502 and reports a failure %s", async (_, part) => {
    const { url, failures } = await startProxy(part);
    expect(await outcome(`${url}/bad`)).toMatch(/^502 .*could not reach openai .*internal error/);
    expect(failures).toEqual(["forward: broken"]);
    expect(await outcome(`${url}/good`)).toBe("200 first last");
  });

  const AFTER: Readonly<Record<string, Partial<ForwardOptions>>> = {
    "in a listener": afterFirstBytes((upstreamResponse) => upstreamResponse.on("data", broken)),
    "at the end": afterFirstBytes((upstreamResponse) => upstreamResponse.on("end", broken)),
    "with its first byte": { onFirstByte: broken },
  };

  it.each(Object.entries(AFTER))(
    "closes the connection and reports a failure after the response began, %s",
    async (_, part) => {
      const { url, failures } = await startProxy(part);
      expect(await outcome(`${url}/bad`)).toMatch(/^(?:closed|broken off)$/);
      expect(failures).toEqual(["forward: broken"]);
      expect(await outcome(`${url}/good`)).toBe("200 first last");
    },
  );

  it.each(["throws", "rejects"])("forwards the request unchanged and reports when rewriting %s", async (how) => {
    const rewrite = how === "throws" ? broken : async () => broken();
    const { url, failures } = await startProxy(ownedBy({ rewrite }));
    expect(await outcome(`${url}/bad`)).toBe("200 first last");
    expect(failures).toEqual(["rewrite: broken"]);
  });
});

describe("forward with an upstream that closes its connection in the middle of a response", () => {
  it("closes the client's connection and reports no failure", async () => {
    const { url, failures } = await startProxy({});
    upstream = await listening(
      http.createServer((_request, response) => {
        response.writeHead(200, { "content-length": 100 });
        response.write("cut", () => response.destroy());
      }),
    );
    expect(await outcome(`${url}/good`)).toMatch(/^(?:closed|broken off)$/);
    expect(failures).toEqual([]);
  });
});

describe("forward with an exchange that cannot be recorded", () => {
  it("forwards it, still records its end, and reports once", async () => {
    const ends: string[] = [];
    const failures: string[] = [];
    const ended = Promise.withResolvers<void>();
    const exchange = new Exchange({
      api: "chat",
      requestEncoding: undefined,
      recorder: {
        recordRequest: broken,
        recordEnd(_response, { ended: how }) {
          ends.push(how);
          broken();
        },
      },
      now: () => 0,
      onUnreadable: () => undefined,
      onFailure: (error) => failures.push((error as Error).message),
      onDone: ended.resolve,
    });
    const { url } = await startProxy({ exchange });
    const received = await send(`${url}/bad`, {}, '{"messages":[]}');
    expect(received.body.toString()).toBe("first last");
    await ended.promise;
    expect([ends, failures]).toEqual([["complete"], ["broken"]]);
  });
});
