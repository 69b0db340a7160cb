import { describe, expect, it } from "vitest";
import { openRawClient, type RawClient, startRawServer, until } from "../support/raw-http.ts";
import { startInFrontOf } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();

const connectTo = (url: string): Promise<RawClient> => resources.open(openRawClient(url));

function head(url: string, line: string, framing: string): string {
  return [`${line} HTTP/1.1`, `Host: ${new URL(url).host}`, "Content-Type: application/json", framing, "", ""].join(
    "\r\n",
  );
}

const MB = 1 << 20;

describe("a request body above the API's limit", () => {
  const REFUSED: readonly (readonly [string, number])[] = [
    ["/api/settings/repair", MB],
    ["/api/export", MB],
    ["/api/ingest", 17 * MB],
  ];

  it.each(REFUSED)(
    "a body above the limit of %s is rejected, and the next request on the same connection gets a response",
    async (path, size) => {
      const { url } = await resources.open(startInFrontOf("http://127.0.0.1:1"));
      for (const framing of [`Content-Length: ${size}`, "Transfer-Encoding: chunked"]) {
        const client = await connectTo(url);
        const chunked = framing.startsWith("Transfer");
        client.socket.write(head(url, `POST ${path}`, framing));
        if (chunked) client.socket.write(`${size.toString(16)}\r\n`);
        client.socket.write(Buffer.alloc(size, "x"));
        if (chunked) client.socket.write("\r\n0\r\n\r\n");
        client.socket.write(head(url, "GET /healthz", "Content-Length: 0"));
        await until("both responses", () => client.statuses().length === 2, 20_000);
        expect(client.statuses()).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
      }
    },
  );

  it(
    "a body above the limit is rejected early, and its connection closes if the body does not end",
    async () => {
      const { url } = await resources.open(startInFrontOf("http://127.0.0.1:1"));
      const client = await connectTo(url);
      client.socket.write(head(url, "POST /api/ingest", "Transfer-Encoding: chunked"));
      const piece = Buffer.concat([Buffer.from(`${MB.toString(16)}\r\n`), Buffer.alloc(MB, "x"), Buffer.from("\r\n")]);
      const fill = (): void => {
        while (!client.socket.destroyed && client.socket.write(piece));
      };
      client.socket.on("drain", fill);
      fill();
      await client.closed;
      expect(client.statuses()).toEqual(["HTTP/1.1 413"]);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    },
    patient(30_000),
  );
});

describe("a request body that stops arriving", () => {
  it.each(["/v1/messages", "/v1/embeddings", "/api/ingest", "/hooks/claude-code"])(
    "a body that stops arriving on %s gets a 408, and its connection closes",
    async (path) => {
      const upstream = await resources.open(startRawServer(() => undefined));
      const { url } = await resources.open(startInFrontOf(upstream.url, { bodyTimeoutMs: 200 }));
      const client = await connectTo(url);
      client.socket.write(`${head(url, `POST ${path}`, "Content-Length: 1000")}{"model":"m"`);
      await client.closed;
      expect(client.statuses()).toEqual(["HTTP/1.1 408"]);
      expect(client.received()).toContain("No data of the request body arrived for 0.2 s.");
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain('toolmend_proxy_failures_total{kind="request-timeout"} 1\n');
      expect(metrics).toContain("toolmend_proxy_in_flight 0\n");
    },
  );
});
