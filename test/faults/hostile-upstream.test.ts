import type net from "node:net";
import { describe, expect, it } from "vitest";
import { openRawClient, type RawClient, send, startRawServer, until } from "../support/raw-http.ts";
import { startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const TOOLS = [{ type: "function", function: { name: "Bash", parameters: { type: "object" } } }];
const BODY = JSON.stringify({ model: "m", tools: TOOLS, messages: [{ role: "user", content: "hello" }] });
const GOOD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

/** Starts an upstream that sends the bytes named by the request's `x-answer`; `stream` lasts until `endStreams`. */
async function startScripted(
  responses: Readonly<Record<string, string>>,
): Promise<{ url: string; endStreams(): void }> {
  const streams: net.Socket[] = [];
  const server = await resources.open(
    startRawServer((socket) => {
      socket.on("data", (chunk: Buffer) => {
        const name = /x-answer: (\S+)/i.exec(chunk.toString("latin1"))?.[1] ?? "";
        if (name === "stream") {
          socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: first\n\n");
          streams.push(socket);
        } else socket.write(responses[name] ?? GOOD, "latin1");
      });
    }),
  );
  const endStreams = (): void => {
    for (const socket of streams) socket.end("data: last\n\n");
  };
  return { url: server.url, endStreams };
}

const connectTo = (url: string): Promise<RawClient> => resources.open(openRawClient(url));

function request(url: string, path: string, responseName: string): string {
  const head = [`POST ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, `X-Answer: ${responseName}`];
  return `${[...head, "Content-Type: application/json", `Content-Length: ${BODY.length}`].join("\r\n")}\r\n\r\n${BODY}`;
}

const PATHS = ["/v1/chat/completions", "/v1/embeddings"];

describe("an upstream response with an invalid status", () => {
  it.each(["000", "007", "099"])(
    "a status of %s ends only its own exchange, with a 502 in the API's error shape",
    async (code) => {
      const upstream = await startScripted({ odd: `HTTP/1.1 ${code} x\r\nContent-Length: 2\r\n\r\n{}` });
      const server = await resources.spawn(upstream.url);
      const stream = await connectTo(server.url);
      stream.socket.write(request(server.url, "/v1/chat/completions", "stream"));
      await until("the stream begins", () => stream.received().includes("data: first"));
      for (const path of PATHS) {
        const got = await send(`${server.url}${path}`, { headers: { ...JSON_TYPE, "x-answer": "odd" } }, BODY);
        expect([got.status, JSON.parse(got.body.toString()).error.type]).toEqual([502, "server_error"]);
      }
      const messages = await send(`${server.url}/v1/messages`, { headers: { ...JSON_TYPE, "x-answer": "odd" } }, BODY);
      expect(JSON.parse(messages.body.toString())).toMatchObject({ type: "error", error: { type: "api_error" } });
      upstream.endStreams();
      await until("the stream ends", () => stream.received().includes("data: last"));
      expect((await send(`${server.url}/v1/models`, { method: "GET" })).status).toBe(200);
    },
  );

  it.each(PATHS)("a status of 101 without an upgrade request becomes a 502 on %s", async (path) => {
    const upstream = await startScripted({ odd: "HTTP/1.1 101 Switching Protocols\r\nX-A: 1\r\n\r\n" });
    const { url } = await resources.open(startInFrontOf(upstream.url));
    const got = await send(`${url}${path}`, { headers: { ...JSON_TYPE, "x-answer": "odd" } }, BODY);
    expect([got.status, JSON.parse(got.body.toString()).error.message]).toEqual([
      502,
      expect.stringContaining("status 101"),
    ]);
  });
});

describe("an upstream response with status 204 or 304", () => {
  const ODD = {
    "content-length": "HTTP/1.1 204 No Content\r\nX-Id: 7\r\nContent-Length: 5\r\n\r\nhello",
    chunked: "HTTP/1.1 204 No Content\r\nX-Id: 7\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "not-modified": "HTTP/1.1 304 Not Modified\r\nX-Id: 7\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  };

  it.each(Object.keys(ODD))(
    "a response with status 204 or 304 is forwarded without its illegal body: %s",
    async (name) => {
      const upstream = await startScripted(ODD);
      const { url } = await resources.open(startInFrontOf(upstream.url));
      for (const path of PATHS) {
        const client = await connectTo(url);
        client.socket.write(request(url, path, name));
        await until("a response", () => client.received().includes("\r\n\r\n"));
        expect(client.received()).toMatch(/^HTTP\/1\.1 (?:204 No Content|304 Not Modified)\r\n/);
        expect(client.received()).toContain("X-Id: 7\r\n");
        expect(client.received().split("\r\n\r\n")[1]).toBe("");
        client.socket.write(request(url, path, "good"));
        await until("the next response", () => client.received().endsWith("{}"));
      }
    },
  );
});

describe("a response header with bytes above 127", () => {
  it.each(PATHS)(
    "a header with bytes above 127 passes through byte for byte when the head is flushed before the body, on %s",
    async (path) => {
      const head = "HTTP/1.1 200 R\xe9sum\xe9\r\ncontent-type: text/event-stream\r\nx-name: Andr\xe9 \xff\x80\r\n\r\n";
      const upstream = await startScripted({ latin1: head });
      const { url } = await resources.open(startInFrontOf(upstream.url));
      const client = await connectTo(url);
      client.socket.write(request(url, path, "latin1"));
      await until("the response head", () => client.received().includes("\r\n\r\n"));
      expect(client.received()).toContain("x-name: Andr\xe9 \xff\x80\r\n");
      expect(client.received().split("\r\n", 1)[0]).toBe("HTTP/1.1 200 R\xe9sum\xe9");
    },
  );
});
