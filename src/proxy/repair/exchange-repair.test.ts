import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { answerBody, answerStream } from "../../../test/support/answer-stream.ts";
import { answer as turn } from "../../demo/upstream/turn.ts";
import { ExchangeRepair } from "./exchange-repair.ts";
import { RepairControl } from "./repair-control.ts";
import { ServerStateCalls } from "./server-state-calls.ts";

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

/** What leaves of an answer whose repair finds the request's texts unreadable, and what is reported. */
async function repaired(api: (typeof APIS)[number], type: string, came: string) {
  const failures: string[] = [];
  const repair = new ExchangeRepair(
    { api, upstream: "openai", session: () => undefined },
    {
      control: new RepairControl({ config: { mode: "known" }, now: () => 0 }),
      serverState: new ServerStateCalls(() => 0),
      onFailure: (error) => failures.push((error as Error).message),
    },
  );
  const tools = api === "anthropic" ? [{ name: "read", input_schema: {} }] : BODY.tools;
  const request = {
    mayBeReadLater: false,
    readBodyWithTools: () => repair.onBody({ body: { ...BODY, tools }, restore: (value) => value, reread: broken }),
  };
  const head = { statusCode: 200, statusMessage: "OK", rawHeaders: [], headers: { "content-type": type } };
  const answer = Object.assign(new PassThrough(), head);
  const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
  const path = repair.pathFor(answer as unknown as IncomingMessage, request);
  const progress = { begun: () => undefined, end: () => undefined, bind: <T>(callback: T) => callback };
  path?.(answer as unknown as IncomingMessage, response as unknown as ServerResponse, undefined, progress);
  answer.end(came);
  return { left: await text(response), failures };
}

describe.each(APIS)("repair that throws, for %s", (api) => {
  it("lets a stream leave byte for byte and reports the exception", async () => {
    const came = answerStream(api, { ...turn(LEAK), chunking: { characters: 4 } });
    expect(await repaired(api, "text/event-stream", came)).toEqual({ left: came, failures: ["broken"] });
  });

  it("lets a JSON body leave byte for byte and reports the exception", async () => {
    const came = answerBody(api, turn(LEAK));
    expect(await repaired(api, "application/json", came)).toEqual({ left: came, failures: ["broken"] });
  });
});

describe("repair that throws while it reads a request", () => {
  it("passes the response straight through and reports the exception", () => {
    const failures: unknown[] = [];
    const control = new RepairControl({ config: { mode: "known" }, now: () => 0 });
    control.settingsFor = broken;
    const repair = new ExchangeRepair(
      { api: "chat", upstream: "openai", session: () => undefined },
      { control, serverState: new ServerStateCalls(() => 0), onFailure: (error) => failures.push(error) },
    );
    const readBodyWithTools = (): void => repair.onBody({ body: BODY, restore: (value) => value, reread: () => BODY });
    const answer = { statusCode: 200, headers: { "content-type": "application/json" } } as IncomingMessage;
    expect(repair.pathFor(answer, { mayBeReadLater: false, readBodyWithTools })).toBeUndefined();
    expect(failures).toEqual([new Error("broken")]);
  });
});
