import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerStatus } from "../../src/api/server-status.ts";
import { send, until } from "../support/raw-http.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

const resources = closeAfterEach();

async function sendRequest({ url }: Running, session: string): Promise<number> {
  const { status } = await send(
    `${url}/v1/messages`,
    { headers: { "content-type": "application/json", "x-toolmend-session": session } },
    JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
  );
  return status;
}

const readiness = async ({ url }: Running): Promise<number> => (await fetch(`${url}/readyz`)).status;

describe("a database file that is deleted or replaced while the server runs", () => {
  it.each([
    ["deleted", (file: string) => rmSync(file)],
    [
      "replaced",
      (file: string) => {
        renameSync(file, `${file}.old`);
        writeFileSync(file, "");
      },
    ],
  ])(
    "a database that is %s makes the server not ready, and later observations are stored after a restart",
    async (what, removeFile) => {
      const data = temporaryFolder();
      await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
      const upstream = await resources.open(startUpstream({ script: () => respond(call("Bash", { command: "ls" })) }));
      const running = await startInFrontOf(upstream.url, { data });
      await sendRequest(running, "before");
      await running.server.drain();
      expect(await readiness(running)).toBe(200);

      removeFile(join(data, "toolmend.db"));
      // Detected without waiting for the next write.
      expect(await readiness(running)).toBe(503);
      expect(await sendRequest(running, "after")).toBe(200);
      const { store_problem } = await getJson<ServerStatus>(`${running.url}/api/status`);
      expect(store_problem).toMatch(new RegExp(`toolmend\\.db was ${what} while the server runs; restart it`));
      await running.close();

      rmSync(join(data, "toolmend.db"), { force: true });
      const restarted = await resources.open(startInFrontOf(upstream.url, { data }));
      await until("both sessions are stored", async () => (await restarted.server.store.summary({})).sessions === 2);
      expect(existsSync(join(data, "toolmend.db"))).toBe(true);
    },
  );
});
