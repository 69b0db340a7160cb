import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startEndless } from "../support/endless-upstream.ts";
import { CAN_MEASURE, cpuSeconds, memoryGrowth } from "../support/process-usage.ts";
import { send, until } from "../support/raw-http.ts";
import { startBoth } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { respond, say } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const MB = 1 << 20;
const JSON_TYPE = { "content-type": "application/json" };
const REQUEST_BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });

function sha256(data: Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

async function becomesUnobserved(url: string, times: number): Promise<void> {
  await until(`${times} exchanges are counted as unobserved`, async () =>
    (await (await fetch(`${url}/metrics`)).text()).includes(`toolmend_proxy_unobserved_total ${times}\n`),
  );
}

describe("bodies of 100 MB", () => {
  it("bodies of 100 MB pass through byte for byte in both directions, are counted as unobserved, and the next exchange is observed again", async () => {
    const noise = randomBytes(75 * MB).toString("base64");
    const responseBody = Buffer.from(`{"id":"msg_1","type":"message","content":[{"type":"text","text":"${noise}"}]}`);
    const requestBody = Buffer.from(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"${noise}"}]}`);
    const both = await resources.open(
      startBoth(({ messages }) =>
        JSON.stringify(messages).length > 1000
          ? { kind: "raw", contentType: "application/json", body: responseBody }
          : respond(say("small")),
      ),
    );
    const large = await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, requestBody);
    expect(sha256(both.upstream.requests[0]?.body as Buffer)).toBe(sha256(requestBody));
    expect(sha256(large.body)).toBe(sha256(responseBody));
    await becomesUnobserved(both.url, 1);

    await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    await until("the small exchange is recorded", async () => {
      await both.server.drain();
      return (await both.server.store.summary({})).requests === 1;
    });
    await becomesUnobserved(both.url, 1);
  });

  it("a response of 100 MB leaves a record of the exchange with its size, and counts as unobserved", async () => {
    const body = `{"id":"msg_1","type":"message","content":[{"type":"text","text":"${"a".repeat(40 * MB)}"}]}`;
    const both = await resources.open(startBoth(() => ({ kind: "raw", contentType: "application/json", body })));
    await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    await becomesUnobserved(both.url, 1);
    await both.server.drain();
    const events = (await both.server.store.events(0, 100)).map(({ line }) => JSON.parse(line) as object);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "response_recorded", ended: "complete", response_size_bytes: body.length }),
    );
  });
});

describe.skipIf(!CAN_MEASURE)("a gzip bomb", () => {
  /** Many members that expand a thousandfold: 2 MB for 2 GB. */
  const MEMBER = gzipSync(Buffer.alloc(16 * MB));
  const BOMB = Buffer.concat(Array.from({ length: 128 }, () => MEMBER));

  it.each([
    ["body", "application/json"],
    ["stream", "text/event-stream"],
  ])(
    "a gzip bomb as the %s of a response passes through unchanged, and its copy is abandoned early",
    async (_what, contentType) => {
      const upstream = await resources.open(
        startEndless(() => ({
          headers: { "content-type": contentType, "content-encoding": "gzip" },
          first: BOMB,
          chunk: MEMBER,
          total: 0,
        })),
      );
      const server = await resources.spawn(upstream.url);
      await fetch(`${server.url}/metrics`);
      const before = cpuSeconds(server.pid);
      const growth = await memoryGrowth(server.pid, async () => {
        const got = await send(`${server.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
        expect(sha256(got.body)).toBe(sha256(BOMB));
        await becomesUnobserved(server.url, 1);
      });
      expect(growth).toBeLessThan(120 * MB);
      expect(cpuSeconds(server.pid) - before).toBeLessThan(1.5);
    },
  );

  it("a gzip bomb as a request passes through unchanged, and its copy is abandoned early", async () => {
    const received = Promise.withResolvers<string>();
    const upstream = http.createServer((request, response) => {
      const hash = createHash("sha256");
      request.on("data", (chunk: Buffer) => hash.update(chunk));
      request.on("end", () => {
        received.resolve(hash.digest("hex"));
        response.end("{}");
      });
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    await resources.open({
      async close() {
        upstream.closeAllConnections();
        upstream.close();
      },
    });
    const server = await resources.spawn(`http://127.0.0.1:${(upstream.address() as { port: number }).port}`);
    await fetch(`${server.url}/metrics`);
    const before = cpuSeconds(server.pid);
    const growth = await memoryGrowth(server.pid, async () => {
      await send(`${server.url}/v1/messages`, { headers: { ...JSON_TYPE, "content-encoding": "gzip" } }, BOMB);
      expect(await received.promise).toBe(sha256(BOMB));
      await becomesUnobserved(server.url, 1);
    });
    expect(growth).toBeLessThan(120 * MB);
    expect(cpuSeconds(server.pid) - before).toBeLessThan(1.5);
  });
});
