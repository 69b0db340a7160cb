import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { Exporter } from "../../src/export/exporter.ts";
import { freePort } from "../support/free-port.ts";
import { startInFrontOf, temporaryFolder } from "../support/running.ts";
import { patient } from "../support/slowness.ts";

const data = temporaryFolder();
afterEach(() => rmSync(data, { recursive: true, force: true }));

it("a start whose export cannot be prepared closes the store and its port, so that the next start succeeds", async () => {
  const port = await freePort();
  // A real reason, such as a name that cannot be sent to the thread of the store, shows only if the store opens in time.
  vi.spyOn(Exporter.prototype, "prepare").mockRejectedValueOnce(new Error("no outbox"));
  await expect(startInFrontOf("http://127.0.0.1:9", { data, port })).rejects.toThrow("no outbox");
  // SQLite removes it when the last connection is closed.
  expect(existsSync(join(data, "toolmend.db-wal"))).toBe(false);
  const next = await startInFrontOf("http://127.0.0.1:9", { data, port });
  await expect.poll(async () => (await fetch(`${next.url}/readyz`)).status, { timeout: patient(60_000) }).toBe(200);
  await next.close();
});
