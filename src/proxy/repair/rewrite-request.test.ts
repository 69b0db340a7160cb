import { describe, expect, it } from "vitest";
import { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { RepairControl } from "./repair-control.ts";
import { createRepairIdSuffix } from "./repair-ids.ts";
import { couldRewriteRequest, type RewriteOptions, rewriteRequest } from "./rewrite-request.ts";

const OURS = `call_${createRepairIdSuffix(24)}`;
const THEIRS = "call_abcdefghijklmnopqrstuvwx";
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "hello" });
const READ = { name: "read", arguments: "{}" };

function options(more: Partial<RewriteOptions> = {}) {
  const asked: (readonly string[])[] = [];
  const serverState = new PendingRepairedCalls(() => 0);
  const lookUp = async (ids: readonly string[]): Promise<void> => {
    asked.push(ids);
    for (const id of ids) serverState.add(id, READ);
  };
  const control = new RepairControl({ config: { mode: "known" }, now: () => 0 });
  return {
    asked,
    rewriting: { api: "responses", upstream: "openai", encoding: undefined, control, serverState, lookUp, ...more },
  } as const;
}

const bodyOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

describe("a request that answers a call which another server may have mended", () => {
  it("goes out with that call before its output", async () => {
    const { asked, rewriting } = options();
    const sent = await rewriteRequest(bodyOf({ previous_response_id: "resp_1", input: [output(OURS)] }), rewriting);
    expect(asked).toEqual([[OURS]]);
    expect(JSON.parse(String(sent)).input).toEqual([{ type: "function_call", call_id: OURS, ...READ }, output(OURS)]);
  });

  it.each([
    ["the id is not one of ours", { previous_response_id: "resp_1", input: [output(THEIRS)] }],
    [
      "it brings the call itself",
      { conversation: "c", input: [{ type: "function_call", call_id: OURS }, output(OURS)] },
    ],
    ["it brings its history", { input: [{ role: "user", content: "conversation" }, output(OURS)] }],
    ["it goes on from nothing", { previous_response_id: null, input: [output(OURS)] }],
    ["it answers nothing", { previous_response_id: "resp_1", input: "and function_call_output?" }],
  ])("is not looked up, and not changed, when %s", (_why, body) => {
    const { asked, rewriting } = options();
    expect(rewriteRequest(bodyOf(body), rewriting)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("is not looked up when this server mended it", () => {
    const { asked, rewriting } = options();
    rewriting.serverState.add(OURS, READ);
    const sent = rewriteRequest(bodyOf({ previous_response_id: "resp_1", input: [output(OURS)] }), rewriting);
    expect(String(sent)).toContain('"function_call"');
    expect(asked).toEqual([]);
  });
});

describe("requests are held", () => {
  it("only on the Responses API, and only where another server may mend", () => {
    const { rewriting } = options();
    const { lookUp: _none, ...alone } = rewriting;
    const off = new RepairControl({ config: { mode: "off" }, now: () => 0 });
    expect(couldRewriteRequest(rewriting)).toBe(true);
    expect(couldRewriteRequest({ ...rewriting, api: "chat" })).toBe(false);
    expect(couldRewriteRequest({ ...rewriting, control: off })).toBe(false);
    expect(couldRewriteRequest(alone)).toBe(false);
  });
});
