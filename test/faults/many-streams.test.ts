import { createHash } from "node:crypto";
import http from "node:http";
import { expect, it } from "vitest";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { send, until } from "../support/raw-http.ts";
import { patient } from "../support/slowness.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { call, respond, say } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const STREAMS = 500;

it("500 concurrent streams all arrive byte for byte and are recorded once each", async () => {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const upstream = await resources.open(
    startUpstream({
      // A constant time for all, so that each response depends only on its request.
      now: () => 1_700_000_000_000,
      ids: (kind) => `${kind}_${"0".repeat(24)}`,
      script: async ({ messages }) => {
        const [prompt] = messages as readonly { readonly content: string }[];
        const number = String(prompt?.content).slice(-3);
        waiting += 1;
        if (waiting === STREAMS) gate.resolve();
        await gate.promise;
        const id = `toolu_${createHash("sha256").update(number).digest("hex").slice(0, 24)}`;
        return {
          ...respond(say(`answer ${number} `.repeat(8)), call("Bash", { command: number }, id)),
          chunking: { characters: 7 },
          delays: { eventMs: 5 },
        };
      },
    }),
  );
  const server = await resources.spawn(upstream.url);
  const agent = new http.Agent({ keepAlive: false });
  const sendRequest = (url: string, n: number) =>
    send(
      `${url}/v1/messages`,
      {
        agent,
        headers: { "content-type": "application/json", "x-toolmend-session": `session-${n}` },
      },
      JSON.stringify({
        model: "m",
        max_tokens: 9,
        stream: true,
        messages: [{ role: "user", content: `question ${String(n).padStart(3, "0")}` }],
      }),
    );
  const through = await Promise.all(Array.from({ length: STREAMS }, (_, n) => sendRequest(server.url, n)));
  const direct = await Promise.all(Array.from({ length: STREAMS }, (_, n) => sendRequest(upstream.url, n)));
  for (const [n, { body, aborted }] of through.entries()) {
    expect(aborted).toBe(false);
    expect(body.equals(direct[n]?.body as Buffer)).toBe(true);
  }
  const reader = openSqliteReader(`${server.data}/toolmend.db`);
  await resources.open({ close: () => reader.close() });
  await until(
    "all are stored",
    async () => {
      const { requests, pending, sessions } = await reader.summary({});
      return requests === STREAMS && pending === STREAMS && sessions === STREAMS;
    },
    patient(15_000),
  );
  const events = (await reader.events(0, 10_000)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
  const requested = events.filter(({ type }) => type === "tool_call_requested");
  expect(new Set(requested.map(({ tool_call_id }) => tool_call_id)).size).toBe(STREAMS);
  expect(requested).toHaveLength(STREAMS);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('toolmend_proxy_requests_total{upstream="anthropic",status="200"} 500\n');
  expect(metrics).toContain("toolmend_proxy_in_flight 0\n");
  expect(metrics).toContain("toolmend_proxy_added_seconds_count 500\n");
  expect(metrics).toContain("toolmend_ingest_dropped_total 0\n");
});
