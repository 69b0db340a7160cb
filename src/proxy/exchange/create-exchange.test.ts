import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallObserver } from "../../ingest/observe/observe-call.ts";
import { BodyMemory } from "../body/body-memory.ts";
import { ObservationBatcher } from "../recording/observation-batcher.ts";
import { PromptCache } from "../recording/prompt-cache.ts";
import { RecordedCallCache } from "../recording/recorded-call-cache.ts";
import { ResponseCache } from "../recording/response-cache.ts";
import { PendingRepairedCalls } from "../repair/pending-repaired-calls.ts";
import { RepairControl } from "../repair/repair-control.ts";
import { createExchange, type ExchangeContext, OpenExchanges } from "./create-exchange.ts";

function contextWith(bodies: BodyMemory): ExchangeContext & { readonly unreadable: string[] } {
  const observer = new CallObserver({ capture: "errors", salt: "s" });
  const unreadable: string[] = [];
  const now = (): number => 0;
  return {
    unreadable,
    recording: {
      ...{ observer, now },
      recordedCalls: new RecordedCallCache(),
      responses: new ResponseCache(),
      prompts: new PromptCache(observer.hash),
      batcher: new ObservationBatcher({ record: async (all) => all.length, onProblem: (one) => unreadable.push(one) }),
      onUnreadable: (reason) => unreadable.push(reason),
    },
    exchanges: new OpenExchanges(),
    repair: {
      control: new RepairControl({ config: { mode: "known" }, now }),
      pendingCalls: new PendingRepairedCalls({ now }),
    },
    bodies,
    onFailure: (_, error) => unreadable.push(String(error)),
  };
}

const TEXT = "some text of a file, ".repeat(600);

function bodyOf(messages: number): Buffer {
  const list = Array.from({ length: messages }, (_, at) => ({ role: "user", content: `${at} ${TEXT}` }));
  return Buffer.from(JSON.stringify({ model: "m", messages: list, tools: [{ name: "read", input_schema: {} }] }));
}

async function send(context: ExchangeContext, headers: Record<string, string>, body: Buffer): Promise<void> {
  const exchange = createExchange(
    {
      request: { method: "POST" } as IncomingMessage,
      header: (name) => headers[name],
      path: "/v1/messages",
      upstream: { name: "anthropic", url: new URL("http://127.0.0.1:1") },
    },
    context,
  );
  exchange?.requestChunk(body);
  exchange?.requestEnd();
  // Requests are read 20 ms after they ended.
  await wait(60);
  exchange?.end("client_gone");
}

describe("what is remembered of requests", () => {
  it("requests are remembered per session, credential and project", async () => {
    const bodies = new BodyMemory({ maxBytes: 1 << 24, now: () => 0 });
    const context = contextWith(bodies);
    const body = bodyOf(1);
    await send(context, { "x-api-key": "k1", "x-toolmend-session": "s1" }, body);
    const one = bodies.weight;
    expect(one).toBeGreaterThan(body.length);
    await send(context, { "x-api-key": "k1", "x-toolmend-session": "s1" }, body);
    expect(bodies.weight).toBe(one);
    await send(context, { "x-api-key": "k2", "x-toolmend-session": "s1" }, body);
    expect(bodies.weight).toBe(2 * one);
    await send(context, { "x-api-key": "k1", "x-toolmend-session": "s2" }, body);
    expect(bodies.weight).toBe(3 * one);
    await send(context, { "x-api-key": "k1", "x-toolmend-session": "s1", "x-toolmend-project": "p" }, body);
    expect(bodies.weight).toBe(4 * one);
    expect(context.unreadable).toEqual([]);
  });

  it("requests of a client that is not recorded are not remembered", async () => {
    const bodies = new BodyMemory({ maxBytes: 1 << 24, now: () => 0 });
    await send(contextWith(bodies), { "x-toolmend-record": "off" }, bodyOf(1));
    expect(bodies.weight).toBe(0);
  });

  it("a body of several MB is read in slices and remembered", async () => {
    const bodies = new BodyMemory({ maxBytes: 1 << 26, now: () => 0 });
    const context = contextWith(bodies);
    const body = bodyOf(300);
    await send(context, { "x-toolmend-session": "s1" }, body);
    await expect.poll(() => bodies.weight).toBeGreaterThan(body.length);
    expect(context.unreadable).toEqual([]);
  });

  it("a large body that is not JSON is reported once and not remembered", async () => {
    const bodies = new BodyMemory({ maxBytes: 1 << 26, now: () => 0 });
    const context = contextWith(bodies);
    await send(context, {}, Buffer.concat([bodyOf(200).subarray(0, -5), Buffer.from("oops")]));
    await expect.poll(() => context.unreadable).toEqual(["request: not JSON"]);
    expect(bodies.weight).toBe(0);
  });
});
