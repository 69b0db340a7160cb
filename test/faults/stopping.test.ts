import http from "node:http";
import { describe, expect, it } from "vitest";
import { startUpstream, type Upstream } from "../../src/demo/upstream/start-upstream.ts";
import { answer, call, say, withFaults } from "../../src/demo/upstream/turn.ts";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { keepForTest } from "../support/keep.ts";
import { send, until } from "../support/raw-http.ts";

const kept = keepForTest();
const JSON_TYPE = { "content-type": "application/json" };
const WORDS = "word ".repeat(40);

function asked(n: number, stream = true): string {
  return JSON.stringify({ model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: `question ${n}` }] });
}

/** A model that takes its time over every answer, plain or compressed in turn. */
async function startSlowUpstream(): Promise<Upstream> {
  return await kept.open(
    startUpstream({
      script: ({ nth }) => {
        const turn = {
          ...answer(say(WORDS), call("Bash", { command: "ls" })),
          chunking: { characters: 5 },
          delays: { eventMs: 40 },
        };
        return nth % 2 === 0 ? turn : withFaults(turn, { kind: "encoded", encoding: "gzip" });
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
  it("lets running streams end, byte for byte, refuses new ones, stores everything and exits 0 when the last has ended", async () => {
    const upstream = await startSlowUpstream();
    const server = await kept.spawn(upstream.url);
    // Clients keep their connections, as real ones do.
    const agent = new http.Agent({ keepAlive: true });
    const running = Array.from({ length: 10 }, (_, n) =>
      send(`${server.url}/v1/messages`, { headers: JSON_TYPE, agent }, asked(n)),
    );
    await until("all streams run", () =>
      upstream.requests.length === 10 ? upstream.requests.every(({ sentBytes }) => sentBytes > 0) : false,
    );
    const stopped = server.kill("SIGTERM");
    await until("a new connection is refused", async () => {
      try {
        await fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
        return false;
      } catch {
        return true;
      }
    });
    const answers = await Promise.all(running);
    const ended = Date.now();
    for (const { broken, status } of answers) expect([broken, status]).toEqual([false, 200]);
    const plain = answers.filter(({ headers }) => headers["content-encoding"] === undefined);
    expect(plain).toHaveLength(5);
    for (const { body } of plain) expect(body.toString()).toContain("event: message_stop");
    expect(answers.reduce((sum, { body }) => sum + body.length, 0)).toBeGreaterThan(0);
    await stopped;
    expect(await server.exited).toBe(0);
    expect(Date.now() - ended).toBeLessThan(10_000);
    expect(await stored(server.data)).toMatchObject({ requests: 10, pending: 10 });
    agent.destroy();
  });

  it("does not wait for clients that keep a connection they do not use", async () => {
    const upstream = await kept.open(startUpstream({ script: () => answer("hi") }));
    const server = await kept.spawn(upstream.url);
    const agent = new http.Agent({ keepAlive: true });
    await send(`${server.url}/v1/messages`, { headers: JSON_TYPE, agent }, asked(0, false));
    await server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(await stored(server.data)).toMatchObject({ requests: 1 });
    agent.destroy();
  });

  it("twice stops at once, and what was acknowledged is in the journal for the next start", async () => {
    const upstream = await kept.open(
      startUpstream({ script: () => withFaults(answer(say("one two three")), { kind: "stall", afterEvents: 2 }) }),
    );
    const server = await kept.spawn(upstream.url);
    const running = send(`${server.url}/v1/messages`, { headers: JSON_TYPE }, asked(0)).catch(() => undefined);
    await until("the stream runs", () => (upstream.requests[0]?.sentBytes ?? 0) > 0);
    const stopped = server.kill("SIGTERM");
    await until("it no longer listens", async () => {
      try {
        await fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
        return false;
      } catch {
        return true;
      }
    });
    const again = Date.now();
    await server.kill("SIGTERM");
    await stopped;
    expect(await server.exited).toBe(143);
    expect(Date.now() - again).toBeLessThan(5000);
    await running;
  });
});
