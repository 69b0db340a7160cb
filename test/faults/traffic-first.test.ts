import { describe, expect, it } from "vitest";
import { send, until } from "../support/raw-http.ts";
import { type Running, startBoth } from "../support/running.ts";
import { patient } from "../support/slowness.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { respond, say } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const MB = 1 << 20;
const JSON_TYPE = { "content-type": "application/json" };
const REQUEST_BODY = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
const KEYS = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, 1]));

/** Counts the exchanges that complete, one after another, until `work` settles. */
async function exchangesDuring({ url }: Running, work: Promise<unknown>): Promise<number> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  let exchanges = 0;
  while (!over) {
    const got = await send(`${url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    expect(got.status).toBe(200);
    if (!over) exchanges += 1;
  }
  return exchanges;
}

async function sendLines({ url }: Running, body: string): Promise<Record<string, unknown> & { size: number }> {
  const got = await send(`${url}/api/ingest`, { headers: { "content-type": "application/x-ndjson" } }, body);
  expect(got.status).toBe(200);
  return { ...JSON.parse(got.body.toString()), size: got.body.length };
}

const callLine = (n: number): string =>
  `${JSON.stringify({ session_id: `s${n % 50}`, tool_call_id: `t${n}`, tool_name: "Bash", content: "done" })}\n`;

describe("proxied traffic", () => {
  it("proxied traffic continues while 4 MB of malformed lines are ingested, and the response is small", async () => {
    const both = await resources.open(startBoth(() => respond(say("hi"))));
    const work = sendLines(both, '{"x}\n'.repeat((4 * MB) / 5));
    await exchangesDuring(both, work);
    expect(await work).toMatchObject({ accepted: 0, rejected_total: Math.floor((4 * MB) / 5) });
    expect((await work).size).toBeLessThan(20_000);
  });

  it(
    "proxied traffic continues while 20,000 valid lines are ingested",
    async () => {
      const both = await resources.open(startBoth(() => respond(say("hi"))));
      const work = sendLines(both, Array.from({ length: 20_000 }, (_, n) => callLine(n)).join(""));
      expect(await exchangesDuring(both, work)).toBeGreaterThan(5);
      expect(await work).toMatchObject({ accepted: 20_000, dropped: 0, rejected_total: 0 });
    },
    patient(60_000),
  );

  it(
    "proxied traffic continues while one line with 200,000 keys is ingested",
    async () => {
      const both = await resources.open(startBoth(() => respond(say("hi"))));
      const work = sendLines(
        both,
        JSON.stringify({ session_id: "s1", tool_call_id: "t1", arguments: KEYS, content: "" }),
      );
      expect(await exchangesDuring(both, work)).toBeGreaterThan(5);
      expect(await work).toMatchObject({ accepted: 1, rejected_total: 0 });
    },
    patient(60_000),
  );

  it(
    "proxied traffic continues while a hook event with 200,000 keys is read, and the event is recorded",
    async () => {
      const both = await resources.open(startBoth(() => respond(say("hi"))));
      const event = {
        ...{ hook_event_name: "PostToolUse", session_id: "s1", tool_use_id: "t1", tool_name: "Bash" },
        ...{ tool_input: KEYS, tool_response: "done" },
      };
      await send(`${both.url}/hooks/claude-code`, { headers: JSON_TYPE }, JSON.stringify(event));
      const work = until(
        "the event is read",
        async () => (await (await fetch(`${both.url}/metrics`)).text()).includes('result="read"} 1\n'),
        patient(30_000),
      );
      expect(await exchangesDuring(both, work)).toBeGreaterThan(5);
      await both.server.drain();
      expect(await both.server.store.summary({})).toMatchObject({ calls: 1, ok: 1 });
    },
    patient(60_000),
  );
});
