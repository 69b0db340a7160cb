import http from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { send, until } from "../support/raw-http.ts";
import { startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, respond, say, withFaults } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const WORDS = "word ".repeat(40);

function requestBody(n: number, stream = true): string {
  return JSON.stringify({ model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: `question ${n}` }] });
}

/** A slow model that sends the same response to every request, alternating between plain and compressed. */
async function startSlowUpstream(): Promise<Upstream> {
  return await resources.open(
    startUpstream({
      ids: (kind) => `${kind}_${"0".repeat(24)}`,
      script: ({ messages }) => {
        const number = Number(/\d+/.exec(JSON.stringify(messages))?.[0]);
        const turn = {
          ...respond(say(WORDS), call("Bash", { command: "ls" })),
          chunking: { characters: 5 },
          delays: { eventMs: 40 },
        };
        return number % 2 === 0 ? turn : withFaults(turn, { kind: "encoded", encoding: "gzip" });
      },
    }),
  );
}

async function stored(data: string): Promise<{ requests: number; pending: number }> {
  const reader = openSqliteReader(`${data}/toolmend.db`);
  try {
    return await reader.summary({});
  } finally {
    await reader.close();
  }
}

describe("SIGTERM", () => {
  it("SIGTERM lets running streams finish byte for byte, rejects new ones, stores everything and exits with 0 after the last", async () => {
    const upstream = await startSlowUpstream();
    const server = await resources.spawn(upstream.url);
    // Clients keep their connections, as real ones do.
    const agent = new http.Agent({ keepAlive: true });
    const running = Array.from({ length: 10 }, (_, n) =>
      send(`${server.url}/v1/messages`, { headers: JSON_TYPE, agent }, requestBody(n)),
    );
    const direct = send(`${upstream.url}/v1/messages`, { headers: JSON_TYPE }, requestBody(0));
    await until("all streams run", () =>
      upstream.requests.length === 11 ? upstream.requests.every(({ sentBytes }) => sentBytes > 0) : false,
    );
    const stopped = server.kill("SIGTERM");
    await until("a new connection is refused", () => isRefused(server.url));
    const responses = await Promise.all(running);
    const ended = Date.now();
    for (const { aborted, status } of responses) expect([aborted, status]).toEqual([false, 200]);
    const expected = (await direct).body;
    for (const { headers, body } of responses) {
      const decoded = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
      expect(decoded.equals(expected)).toBe(true);
    }
    await stopped;
    expect(await server.exited).toBe(0);
    // Clients would keep their idle connections open for longer.
    expect(Date.now() - ended).toBeLessThan(30_000);
    expect(await stored(server.data)).toMatchObject({ requests: 10, pending: 10 });
    agent.destroy();
  });

  it("SIGTERM does not wait for idle keep-alive connections", async () => {
    const upstream = await resources.open(startUpstream({ script: () => respond("hi") }));
    const server = await resources.spawn(upstream.url);
    const agent = new http.Agent({ keepAlive: true });
    await send(`${server.url}/v1/messages`, { headers: JSON_TYPE, agent }, requestBody(0, false));
    await server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(await stored(server.data)).toMatchObject({ requests: 1 });
    agent.destroy();
  });

  it("SIGTERM saves and exits with 0 as soon as the address is printed", async () => {
    const upstream = await resources.open(startUpstream({ script: () => respond("hi") }));
    const server = await resources.spawn(upstream.url);
    await server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  it("a second SIGTERM stops immediately, and the next start stores what was acknowledged", async () => {
    const upstream = await resources.open(
      startUpstream({ script: () => withFaults(respond(say("one two three")), { kind: "stall", afterEvents: 2 }) }),
    );
    const server = await resources.spawn(upstream.url);
    const headers = { ...JSON_TYPE, "x-toolmend-session": "cut-short" };
    const running = send(`${server.url}/v1/messages`, { headers }, requestBody(0)).catch(() => undefined);
    await until("the request is acknowledged", async () =>
      (await (await fetch(`${server.url}/metrics`)).text()).includes("toolmend_ingest_acknowledged_total 1\n"),
    );
    const stopped = server.kill("SIGTERM");
    await until("the server no longer listens", () => isRefused(server.url));
    await server.kill("SIGTERM");
    await stopped;
    expect(await server.exited).toBe(143);
    expect((await running)?.aborted).toBe(true);

    const next = await resources.open(startInFrontOf(upstream.url, { data: server.data }));
    await next.server.drain();
    expect(await next.server.store.summary({})).toMatchObject({ requests: 1, sessions: 1 });
  });
});

async function isRefused(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/healthz`, { headers: { connection: "close" } });
    return false;
  } catch {
    return true;
  }
}
