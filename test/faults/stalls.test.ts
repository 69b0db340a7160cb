import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { send, until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { type Running, startBoth } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";
import { respond, say, withFaults } from "../support/upstream/turn.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };
const REQUEST_BODY = JSON.stringify({
  model: "m",
  max_tokens: 9,
  stream: true,
  messages: [{ role: "user", content: "hi" }],
});
/** Longer than a timeout that was set by mistake would be; shorter than a test may take. */
const SILENCE = 1000;

async function recordedAs(running: Running, ended: string, status: number): Promise<void> {
  await until(`the exchange is recorded as ${ended}`, async () =>
    (await recordedEvents(running)).some(
      (event) => event.type === "response_recorded" && event.ended === ended && event.http_status === status,
    ),
  );
}

describe("an upstream that stalls", () => {
  it("a stall before the headers keeps the client waiting without a timeout, and the response arrives", async () => {
    const both = await resources.open(startBoth(() => withFaults(respond(say("hi")), { kind: "stall", ms: SILENCE })));
    const got = await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    expect([got.status, got.aborted]).toEqual([200, false]);
    expect(got.body.toString()).toContain("message_stop");
    await recordedAs(both, "complete", 200);
  });

  it("a stall mid-stream is not cut off", async () => {
    const both = await resources.open(
      startBoth(() => withFaults(respond(say("one two three")), { kind: "stall", afterEvents: 2, ms: SILENCE })),
    );
    const got = await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    expect([got.status, got.aborted]).toEqual([200, false]);
    expect(got.body.toString()).toContain("message_stop");
    await recordedAs(both, "complete", 200);
  });

  it("a stall before the headers is released when the client disconnects, and that is recorded", async () => {
    const both = await resources.open(startBoth(() => withFaults(respond(say("hi")), { kind: "stall" })));
    const request = http.request(`${both.url}/v1/messages`, { method: "POST", headers: JSON_TYPE, agent: false });
    const failed = once(request, "error");
    request.end(REQUEST_BODY);
    await until("the upstream has the request", () => both.upstream.requests.length === 1);
    request.destroy(new Error("the client disconnected"));
    await failed;
    expect(await both.upstream.requests[0]?.ended).toBe("client-gone");
    await recordedAs(both, "client_gone", 0);
    await until("nothing is in flight", async () =>
      (await (await fetch(`${both.url}/metrics`)).text()).includes("toolmend_proxy_in_flight 0\n"),
    );
  });

  it("a stall mid-stream with gzip is released when the client disconnects, and the received part is recorded", async () => {
    const both = await resources.open(
      startBoth(() =>
        withFaults(
          respond(say("one two three")),
          { kind: "stall", afterEvents: 3 },
          { kind: "encoded", encoding: "gzip" },
        ),
      ),
    );
    const request = http.request(`${both.url}/v1/messages`, { method: "POST", headers: JSON_TYPE, agent: false });
    request.on("error", () => undefined);
    request.end(REQUEST_BODY);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await once(response, "data");
    request.destroy();
    expect(await both.upstream.requests[0]?.ended).toBe("client-gone");
    await recordedAs(both, "client_gone", 200);
    const recorded = (await recordedEvents(both)).find(({ type }) => type === "response_recorded");
    expect(recorded?.model_used).toBe("m");
  });

  it("a stall during an upload is released when the client disconnects", async () => {
    const both = await resources.open(startBoth(() => respond(say("hi"))));
    const request = http.request(`${both.url}/v1/messages`, {
      method: "POST",
      headers: { ...JSON_TYPE, "content-length": 1000 },
      agent: false,
    });
    request.on("error", () => undefined);
    request.write('{"model":"m","messages":[');
    await until("the proxy forwards", async () =>
      (await (await fetch(`${both.url}/metrics`)).text()).includes("toolmend_proxy_in_flight 1\n"),
    );
    request.destroy();
    await until("nothing is in flight", async () =>
      (await (await fetch(`${both.url}/metrics`)).text()).includes("toolmend_proxy_in_flight 0\n"),
    );
    const next = await send(`${both.url}/v1/messages`, { headers: JSON_TYPE }, REQUEST_BODY);
    expect(next.status).toBe(200);
  });
});
