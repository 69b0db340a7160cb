import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openRawClient, type RawClient, send, startRawServer, until } from "../support/raw-http.ts";
import { startBoth, startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { respond, say } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const BODY = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }] });

afterEach(() => {
  vi.unstubAllEnvs();
});

/** An upstream that sends the same bytes for every request; `received` is everything it was sent. */
async function startBytes(bytes: string | ((request: number) => string)): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = await resources.open(
    startRawServer((socket) => {
      socket.on("data", (chunk: Buffer) => {
        received.push(chunk.toString("latin1"));
        socket.write(typeof bytes === "string" ? bytes : bytes(received.length), "latin1");
      });
    }),
  );
  return { url: server.url, received };
}

const connectTo = (url: string): Promise<RawClient> => resources.open(openRawClient(url));

function head(url: string, line: string, headers: readonly string[] = []): string {
  return `${[`${line} HTTP/1.1`, `Host: ${new URL(url).host}`, ...headers].join("\r\n")}\r\n\r\n`;
}

describe("a client that resets its connection", () => {
  it("a reset right after a WebSocket upgrade request leaves the server running", async () => {
    const server = await resources.spawn("http://127.0.0.1:1");
    const upgrade = head(server.url, "GET /v1/responses", ["Connection: Upgrade", "Upgrade: websocket"]);
    for (let tried = 0; tried < 5; tried += 1) {
      const early = await connectTo(server.url);
      early.socket.write(upgrade);
      setImmediate(() => early.socket.resetAndDestroy());
      const late = await connectTo(server.url);
      late.socket.write(upgrade);
      await once(late.socket, "data");
      late.socket.resetAndDestroy();
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("an upstream's status line", () => {
  it.each(["/v1/models", "/v1/chat/completions"])("a status line loses its illegal characters on %s", async (path) => {
    const upstream = await startBytes(
      "HTTP/1.1 200 O\u0001K\u007f\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
    );
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const tools = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
    const body = JSON.stringify({ ...JSON.parse(BODY), tools });
    const got = await send(`${url}${path}`, { headers: JSON_TYPE }, body);
    expect([got.status, got.body.toString()]).toEqual([200, "{}"]);
  });
});

describe("a request with an Upgrade header", () => {
  it("a request that offers HTTP/2 is served over HTTP/1.1", async () => {
    const both = await resources.open(startBoth(() => respond(say("hi"))));
    const client = await connectTo(both.url);
    const offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAA"];
    const about = ["Content-Type: application/json", `Content-Length: ${BODY.length}`];
    client.socket.write(head(both.url, "POST /v1/chat/completions", [...offer, ...about]) + BODY);
    await until("a response", () => client.received().includes("\r\n\r\n"));
    expect(client.received().split("\r\n", 1)).toEqual(["HTTP/1.1 200 OK"]);
    expect(both.upstream.requests[0]?.rawHeaders.map((name) => name.toLowerCase())).not.toContain("http2-settings");
  });
});

describe("bytes that are not a request", () => {
  it("bytes that are not a request do not corrupt a response in progress on the same connection", async () => {
    const upstream = await startBytes("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\n");
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "POST /v1/chat/completions", [`Content-Length: ${BODY.length}`]) + BODY);
    await until("the response begins", () => client.received().includes("data: a"));
    client.socket.write("\u0016\u0003garbage\r\n\r\n");
    await once(client.socket, "close");
    expect(client.received()).not.toContain("HTTP/1.1 400");
  });

  it("bytes that are not a request get a 400, and an oversized head gets a 431", async () => {
    const { url } = await resources.open(startInFrontOf("http://127.0.0.1:1"));
    const garbage = await connectTo(url);
    garbage.socket.write("\u0016\u0003garbage\r\n\r\n");
    await until("a response", () => garbage.received().includes("\r\n\r\n"));
    expect(garbage.received()).toMatch(/^HTTP\/1\.1 400 /);
    const long = await connectTo(url);
    long.socket.write(head(url, "GET /v1/models", [`X-Long: ${"a".repeat(300_000)}`]));
    await until("a response", () => long.received().includes("\r\n\r\n"));
    expect(long.received()).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe("heads of 60 KB", () => {
  it("heads of 60 KB pass through in both directions", async () => {
    const long = "a".repeat(60_000);
    const upstream = await startBytes(`HTTP/1.1 200 OK\r\nx-long: ${long}\r\ncontent-length: 2\r\n\r\n{}`);
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const got = await send(`${url}/v1/models`, { method: "GET", headers: { "x-long": long }, maxHeaderSize: 1 << 20 });
    expect([got.status, got.headers["x-long"]?.length]).toEqual([200, 60_000]);
    expect(upstream.received.join("")).toContain(long);
  });
});

describe("request headers with bytes above 127", () => {
  it.each(["/v1/embeddings", "/v1/chat/completions"])(
    "request headers with bytes above 127 reach the upstream byte for byte on %s",
    async (path) => {
      const upstream = await startBytes("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
      const { url } = await resources.open(startInFrontOf(upstream.url));
      const client = await connectTo(url);
      const about = ["X-Name: Andr\xe9 \xff\x80", `Content-Length: ${BODY.length}`];
      client.socket.write(head(url, `POST ${path}`, about) + BODY, "latin1");
      await until("a response", () => client.received().endsWith("{}"));
      expect(upstream.received.join("")).toContain("X-Name: Andr\xe9 \xff\x80\r\n");
    },
  );
});

describe("an unparsable upstream response", () => {
  it("an unparsable response over a reused connection causes no retry", async () => {
    const upstream = await startBytes((request) =>
      request === 1 ? "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}" : "HTTP/1.1 2oo\r\n\r\n",
    );
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const statuses: number[] = [];
    for (const _ of [1, 2])
      statuses.push((await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, BODY)).status);
    expect(statuses).toEqual([200, 502]);
    expect(upstream.received.filter((text) => text.startsWith("POST"))).toHaveLength(2);
  });

  it("an unparsable response because of TLS on only one side is a 502 that says so", async () => {
    const secure = await startBytes("\u0015\u0003\u0001\u0000\u0002\u0002F");
    const plain = await startBytes("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    const messages: string[] = [];
    for (const upstream of [secure.url, plain.url.replace("http:", "https:")]) {
      const { url } = await resources.open(startInFrontOf(upstream));
      const got = await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, BODY);
      messages.push(`${got.status} ${JSON.parse(got.body.toString()).error.message}`);
    }
    expect(messages).toEqual([
      expect.stringMatching(/^502 .*its response is not HTTP\. Should its URL begin with https:\?$/),
      expect.stringMatching(/^502 .*the TLS handshake failed\. Should its URL begin with http:\?$/),
    ]);
  });

  it("an unparsable response because of a protocol switch is a 502", async () => {
    const upstream = await startBytes(
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n",
    );
    const { url } = await resources.open(startInFrontOf(upstream.url));
    expect((await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, BODY)).status).toBe(502);
  });
});

describe("a request without a body", () => {
  it("a request without a body reaches the upstream without one, not as an empty chunked stream", async () => {
    const upstream = await startBytes("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "POST /v1/responses/resp_1/cancel"));
    await until("a response", () => client.received().includes("{}"));
    expect(upstream.received.join("").toLowerCase()).not.toContain("transfer-encoding");
  });
});

describe("interim responses", () => {
  const FINAL = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
  const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nX-N: \xe9\r\n\r\n";

  it.each(["/v1/embeddings", "/v1/chat/completions"])(
    "interim responses reach the client before the response on %s",
    async (path) => {
      const upstream = await startBytes(`HTTP/1.1 102 Processing\r\n\r\n${HINTS}${FINAL}`);
      const { url } = await resources.open(startInFrontOf(upstream.url));
      const client = await connectTo(url);
      client.socket.write(head(url, `POST ${path}`, [`Content-Length: ${BODY.length}`]) + BODY);
      await until("a response", () => client.received().endsWith("{}"));
      expect(client.statuses()).toEqual(["HTTP/1.1 102", "HTTP/1.1 103", "HTTP/1.1 200"]);
      expect(client.received()).toContain(HINTS);
    },
  );

  it("status 100 of the upstream does not reach a client that has its own from Toolmend", async () => {
    const upstream = await startBytes(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`);
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "POST /v1/embeddings", [`Content-Length: ${BODY.length}`]) + BODY);
    await until("a response", () => client.received().endsWith("{}"));
    expect(client.statuses()).toEqual(["HTTP/1.1 200"]);
  });

  it("interim responses do not reach a client of HTTP/1.0", async () => {
    const upstream = await startBytes(HINTS + FINAL);
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "GET /v1/models").replace("HTTP/1.1", "HTTP/1.0"));
    await client.closed;
    expect(client.statuses()).toEqual(["HTTP/1.1 200"]);
  });

  it("interim responses beyond 16 are dropped, and the response arrives", async () => {
    const upstream = await startBytes(HINTS.repeat(100) + FINAL);
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "GET /v1/models"));
    await until("a response", () => client.received().endsWith("{}"));
    expect(client.statuses()).toEqual([...Array(16).fill("HTTP/1.1 103"), "HTTP/1.1 200"]);
  });
});

describe("trailers", () => {
  const TOOLS = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
  const WITH_TOOLS = JSON.stringify({ ...JSON.parse(BODY), tools: TOOLS });
  const chunked = (type: string, body: string): string =>
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Sum: 7\xe9\r\nSet-Cookie: a=b\r\n\r\n`;

  it.each([
    ["/v1/embeddings", "application/json", "{}", BODY],
    ["/v1/chat/completions", "application/json", "{}", WITH_TOOLS],
    ["/v1/chat/completions", "text/event-stream", "data: [DONE]\n\n", WITH_TOOLS],
  ])(
    "trailers of a response reach the client, without those that no trailer may have: %s, %s",
    async (path, type, body, sent) => {
      const upstream = await startBytes(chunked(type, body));
      const { url } = await resources.open(startInFrontOf(upstream.url));
      const client = await connectTo(url);
      client.socket.write(head(url, `POST ${path}`, [`Content-Length: ${sent.length}`]) + sent);
      await until("the end of the response", () => /\r\n0\r\n(?:.+\r\n)*\r\n$/.test(client.received()));
      expect(client.received().split("\r\n0\r\n")[1]).toBe("X-Sum: 7\xe9\r\n\r\n");
    },
  );

  it("trailers of a request reach the upstream", async () => {
    const upstream = await startBytes("");
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    const parts = [BODY.length.toString(16), BODY, "0", "X-Sum: 7", "Authorization: no", "", ""];
    client.socket.write(head(url, "POST /v1/chat/completions", ["Transfer-Encoding: chunked"]) + parts.join("\r\n"));
    await until("the end of the request", () => upstream.received.join("").endsWith("\r\n\r\n"));
    expect(upstream.received.join("").split("\r\n0\r\n")[1]).toBe("X-Sum: 7\r\n\r\n");
  });

  it("trailers are left out for a client of HTTP/1.0", async () => {
    const upstream = await startBytes(chunked("application/json", "{}"));
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(url);
    client.socket.write(head(url, "GET /v1/models").replace("HTTP/1.1", "HTTP/1.0"));
    await client.closed;
    expect(client.received()).toMatch(/\r\n\r\n\{\}$/);
  });
});

describe("a client that closes its sending side after the request", () => {
  it("a client that closes its sending side counts as gone, as a client that exits does, and the upstream is released", async () => {
    const released = Promise.withResolvers<void>();
    let requests = 0;
    const upstream = await resources.open(
      startRawServer((socket) => {
        socket.on("data", () => {
          requests += 1;
        });
        socket.on("close", () => released.resolve());
      }),
    );
    const running = await resources.open(startInFrontOf(upstream.url));
    const client = await connectTo(running.url);
    client.socket.write(head(running.url, "POST /v1/chat/completions", [`Content-Length: ${BODY.length}`]) + BODY);
    await until("the upstream has the request", () => requests > 0);
    client.socket.end();
    await released.promise;
    await client.closed;
    expect(client.received()).toBe("");
  });
});

describe("pipelined requests", () => {
  it.each(["/v1/embeddings", "/v1/chat/completions"])(
    "a pipelined response (%s) that aborts before its turn closes the connection after the previous response has ended",
    async (path) => {
      const aborted = Promise.withResolvers<void>();
      const upstream = await resources.open(
        startRawServer((socket) => {
          socket.on("data", (chunk: Buffer) => {
            const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 100\r\n\r\n";
            if (chunk.includes("second")) {
              socket.on("close", () => aborted.resolve());
              socket.end(`${head}data: cut`);
            } else void aborted.promise.then(() => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst"));
          });
        }),
      );
      const { url } = await resources.open(startInFrontOf(upstream.url));
      const client = await connectTo(url);
      const tools = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
      const request = (content: string): string => {
        const body = JSON.stringify({ model: "m", tools, messages: [{ role: "user", content }] });
        return head(url, `POST ${path}`, [`Content-Length: ${body.length}`]) + body;
      };
      client.socket.write(request("one") + request("second"));
      await once(client.socket, "close");
      expect(client.received()).toMatch(/\r\n\r\nfirst/);
    },
  );
});

describe("the corporate proxy", () => {
  it("the corporate proxy gets a second attempt when a connection to it was reset", async () => {
    const requests: string[] = [];
    let served = 0;
    const corporate = http.createServer((request, response) => {
      requests.push(request.url ?? "");
      served += 1;
      if (served === 2) request.socket.resetAndDestroy();
      else request.on("data", () => undefined).on("end", () => response.end("{}"));
    });
    corporate.listen(0, "127.0.0.1");
    await once(corporate, "listening");
    await resources.open({
      close: async () => {
        corporate.closeAllConnections();
        corporate.close();
      },
    });
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(corporate.address() as AddressInfo).port}`);
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("no_proxy", "");
    const { url } = await resources.open(startInFrontOf("http://somewhere.invalid"));
    for (const _ of [1, 2]) {
      const got = await send(`${url}/v1/chat/completions`, { headers: JSON_TYPE }, BODY);
      expect([got.status, got.body.toString()]).toEqual([200, "{}"]);
    }
    expect(requests).toEqual(Array(3).fill("http://somewhere.invalid/v1/chat/completions"));
  });
});
