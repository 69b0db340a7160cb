import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { encodeBody, encodeStream } from "../../../test/support/encode-turn.ts";
import { respond as turn } from "../../../test/support/upstream/turn.ts";
import { ExchangeRepair } from "./exchange-repair.ts";
import { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { RepairControl } from "./repair-control.ts";

const APIS = ["anthropic", "chat", "responses"] as const;
const LEAK = 'I look. <tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const BODY = {
  model: "m",
  store: false,
  tools: [{ name: "read", type: "function", function: { name: "read" } }],
  messages: [],
  input: [],
};

const broken = (): never => {
  throw new Error("broken");
};

/** Repairs a response while reading the request throws. Returns the bytes sent and the reported failures. */
async function repaired(api: (typeof APIS)[number], type: string, original: string) {
  const failures: string[] = [];
  const repair = new ExchangeRepair(
    { api, upstream: "openai", isAnthropic: false, session: () => undefined },
    {
      control: new RepairControl({ config: { mode: "known" }, now: () => 0 }),
      pendingCalls: new PendingRepairedCalls({ now: () => 0 }),
      onFailure: (error) => failures.push((error as Error).message),
    },
  );
  const tools = api === "anthropic" ? [{ name: "read", input_schema: {} }] : BODY.tools;
  repair.prepare({ body: { ...BODY, tools }, restore: (value) => value, reread: broken });
  const head = {
    statusCode: 200,
    statusMessage: "OK",
    rawHeaders: [],
    rawTrailers: [],
    headers: { "content-type": type },
  };
  const upstreamResponse = Object.assign(new PassThrough(), head);
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
  const handler = repair.handlerFor(upstreamResponse as unknown as IncomingMessage);
  const progress = { begun: () => undefined, end: () => undefined, bind: <T>(callback: T) => callback };
  handler?.(upstreamResponse as unknown as IncomingMessage, response as unknown as ServerResponse, undefined, progress);
  upstreamResponse.end(original);
  return { sent: await text(response), failures };
}

describe.each(APIS)("ExchangeRepair for %s", (api) => {
  it("forwards a stream unchanged and reports the exception when repair throws", async () => {
    const original = encodeStream(api, { ...turn(LEAK), chunking: { characters: 4 } });
    expect(await repaired(api, "text/event-stream", original)).toEqual({ sent: original, failures: ["broken"] });
  });

  it("forwards a JSON body unchanged and reports the exception when repair throws", async () => {
    const original = encodeBody(api, turn(LEAK));
    expect(await repaired(api, "application/json", original)).toEqual({ sent: original, failures: ["broken"] });
  });
});

describe("ExchangeRepair", () => {
  it("leaves the response alone and reports the exception when reading the request throws", () => {
    const failures: unknown[] = [];
    const control = new RepairControl({ config: { mode: "known" }, now: () => 0 });
    control.settingsFor = broken;
    const repair = new ExchangeRepair(
      { api: "chat", upstream: "openai", isAnthropic: false, session: () => undefined },
      { control, pendingCalls: new PendingRepairedCalls({ now: () => 0 }), onFailure: (error) => failures.push(error) },
    );
    repair.prepare({ body: BODY, restore: (value) => value, reread: () => BODY });
    const upstreamResponse = { statusCode: 200, headers: { "content-type": "application/json" } } as IncomingMessage;
    expect(repair.handlerFor(upstreamResponse)).toBeUndefined();
    expect(failures).toEqual([new Error("broken")]);
  });
});
