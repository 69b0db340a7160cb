import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { ConnectGate } from "../../src/store/postgres/connect-gate.ts";
import { PostgresDatabase } from "../../src/store/postgres/database.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { until } from "../support/raw-http.ts";
import { startInFrontOf } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();

/** Starts a server that accepts, counts and closes connections. */
async function startAcceptAndClose(): Promise<{ port: number; url: string; accepted: () => number }> {
  let accepted = 0;
  const server = net.createServer((socket) => {
    accepted += 1;
    socket.on("error", () => undefined);
    socket.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await resources.open({ close: async () => void server.close() });
  const { port } = server.address() as AddressInfo;
  return { port, url: `postgres://u:secret@127.0.0.1:${port}/d`, accepted: () => accepted };
}

describe("a PostgreSQL address that accepts and closes connections", () => {
  it("a query fails after a few attempts to connect", async () => {
    const { url, accepted } = await startAcceptAndClose();
    await expect(openPostgresStore(url, { responseTimeoutMs: 20_000 })).rejects.toThrow(
      "PostgreSQL is not available (CONNECTION_CLOSED)",
    );
    expect(accepted()).toBeLessThan(10);
  });

  it("LISTEN fails after a few attempts to connect", async () => {
    const { url, accepted } = await startAcceptAndClose();
    const db = new PostgresDatabase(url);
    await resources.open(db);
    await expect(db.listen("news", () => undefined)).rejects.toThrow();
    expect(accepted()).toBeLessThan(10);
  });

  it(
    "the server keeps running but is not ready, with few attempts for any number of queries",
    async () => {
      const { url, accepted } = await startAcceptAndClose();
      const salt = await startInFrontOf("http://127.0.0.1:1");
      await salt.server.close();
      const { url: address } = await resources.open(
        startInFrontOf("http://127.0.0.1:1", { data: salt.data, storeUrl: url }),
      );
      await until("the server is not ready", async () => (await fetch(`${address}/readyz`)).status === 503, 20_000);
      const before = accepted();
      await Promise.all(Array.from({ length: 30 }, () => fetch(`${address}/api/summary`)));
      expect(accepted() - before).toBeLessThan(30);
    },
    patient(60_000),
  );
});

describe("ConnectGate", () => {
  it("backs off up to a limit until a query succeeds", async () => {
    const { port, accepted } = await startAcceptAndClose();
    const clock = { now: 0 };
    const gate = new ConnectGate({ now: () => clock.now, random: () => 1 });
    const pool = { host: ["127.0.0.1"], port: [port], max: 2 };
    const open = async (): Promise<number> => {
      const stream = await gate.open(pool, () => true);
      const error = new Promise<NodeJS.ErrnoException>((resolve) => stream.on("error", resolve));
      stream.write("hello");
      expect((await error).code).toBe("CONNECTION_CLOSED");
      return accepted();
    };
    expect([await open(), await open(), await open()]).toEqual([1, 2, 2]);
    const tried: (readonly [before: number, after: number])[] = [];
    for (const pause of [100, 200, 400, 800, 1600, 2000, 2000]) {
      clock.now += pause - 1;
      const before = await open();
      clock.now += 1;
      tried.push([before, await open()]);
    }
    expect(tried).toEqual([2, 3, 4, 5, 6, 7, 8].map((before) => [before, before + 1]));
    gate.noteSuccess();
    expect([await open(), await open(), await open()]).toEqual([10, 11, 11]);
  });

  it("passes the reason of a refused connection on", async () => {
    const gate = new ConnectGate();
    const stream = await gate.open({ host: ["127.0.0.1"], port: [1], max: 1 }, () => true);
    const error = new Promise<NodeJS.ErrnoException>((resolve) => stream.on("error", resolve));
    stream.write("hello");
    expect((await error).code).toBe("ECONNREFUSED");
  });
});
