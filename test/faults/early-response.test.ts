import { expect, it } from "vitest";
import { send, startRawServer, until } from "../support/raw-http.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { startInFrontOf } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();
const JSON_TYPE = { "content-type": "application/json" };

it.each([
  ["and keeps reading", false],
  ["and disconnects", true],
])(
  "the client gets the response of an upstream that responds before it has the whole request %s",
  async (_how, hangsUp) => {
    const body = '{"type":"error","error":{"type":"request_too_large","message":"too large"}}';
    let hangUp = (): void => undefined;
    const raw = await resources.open(
      startRawServer((socket) => {
        socket.once("data", () => {
          const head = `HTTP/1.1 413 Payload Too Large\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
          if (hangsUp) socket.pause();
          if (hangsUp) hangUp = () => void socket.destroy();
          socket.write(head + body, () => {
            if (!hangsUp) socket.resume();
          });
        });
      }),
    );
    const running = await resources.open(startInFrontOf(raw.url));
    const request = Buffer.from(
      JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "x".repeat(20 << 20) }] }),
    );
    const sending = send(`${running.url}/v1/messages`, { headers: JSON_TYPE }, request);
    await until("the proxy forwards the response", async () =>
      (await (await fetch(`${running.url}/metrics`)).text()).includes("toolmend_proxy_added_seconds_count 1\n"),
    );
    hangUp();
    const got = await sending;
    expect([got.status, got.aborted, got.body.toString()]).toEqual([413, false, body]);
    await until("the exchange has ended and is counted as unobserved", async () => {
      const metrics = await (await fetch(`${running.url}/metrics`)).text();
      return (
        metrics.includes("toolmend_proxy_unobserved_total 1\n") && metrics.includes("toolmend_proxy_in_flight 0\n")
      );
    });
    // Half a request is too little to record, and its other half arrives too late.
    expect(await recordedEvents(running)).toEqual([]);
  },
);
