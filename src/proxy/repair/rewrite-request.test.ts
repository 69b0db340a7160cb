import { describe, expect, it } from "vitest";
import { PendingRepairedCalls } from "./pending-repaired-calls.ts";
import { RepairControl } from "./repair-control.ts";
import { createRepairIdSuffix } from "./repair-ids.ts";
import { couldRewriteRequest, type RewriteOptions, rewriteRequest } from "./rewrite-request.ts";

const REPAIR_ID = `call_${createRepairIdSuffix(24)}`;
const NATIVE_ID = "call_abcdefghijklmnopqrstuvwx";
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "hello" });
const READ = { name: "read", arguments: "{}" };

function options(more: Partial<RewriteOptions> = {}) {
  const lookups: (readonly string[])[] = [];
  const pendingCalls = new PendingRepairedCalls({ now: () => 0 });
  const lookUp = async (ids: readonly string[]): Promise<void> => {
    lookups.push(ids);
    for (const id of ids) pendingCalls.add(id, READ);
  };
  const control = new RepairControl({ config: { mode: "known" }, now: () => 0 });
  return {
    lookups,
    rewriteOptions: {
      api: "responses",
      upstream: "openai",
      encoding: undefined,
      control,
      pendingCalls,
      lookUp,
      ...more,
    },
  } as const;
}

const bodyOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

describe("rewriteRequest with the output of a call that another server may have repaired", () => {
  it("inserts the call before its output", async () => {
    const { lookups, rewriteOptions } = options();
    const sent = await rewriteRequest(
      bodyOf({ previous_response_id: "resp_1", input: [output(REPAIR_ID)] }),
      rewriteOptions,
    );
    expect(lookups).toEqual([[REPAIR_ID]]);
    expect(JSON.parse(String(sent)).input).toEqual([
      { type: "function_call", call_id: REPAIR_ID, ...READ },
      output(REPAIR_ID),
    ]);
  });

  it.each([
    ["the id is not a repair id", { previous_response_id: "resp_1", input: [output(NATIVE_ID)] }],
    [
      "it contains the call itself",
      { conversation: "c", input: [{ type: "function_call", call_id: REPAIR_ID }, output(REPAIR_ID)] },
    ],
    ["it contains its history", { input: [{ role: "user", content: "conversation" }, output(REPAIR_ID)] }],
    ["it continues no stored response", { previous_response_id: null, input: [output(REPAIR_ID)] }],
    ["it has no outputs", { previous_response_id: "resp_1", input: "and function_call_output?" }],
  ])("neither looks up calls nor changes the request when %s", (_why, body) => {
    const { lookups, rewriteOptions } = options();
    expect(rewriteRequest(bodyOf(body), rewriteOptions)).toBeUndefined();
    expect(lookups).toEqual([]);
  });

  it("inserts a call that this server repaired without a lookup", () => {
    const { lookups, rewriteOptions } = options();
    rewriteOptions.pendingCalls.add(REPAIR_ID, READ);
    const sent = rewriteRequest(bodyOf({ previous_response_id: "resp_1", input: [output(REPAIR_ID)] }), rewriteOptions);
    expect(String(sent)).toContain('"function_call"');
    expect(lookups).toEqual([]);
  });
});

describe("couldRewriteRequest", () => {
  it("returns true only for the Responses API with a shared store and active repair", () => {
    const { rewriteOptions } = options();
    const { lookUp: _none, ...alone } = rewriteOptions;
    const off = new RepairControl({ config: { mode: "off" }, now: () => 0 });
    expect(couldRewriteRequest(rewriteOptions)).toBe(true);
    expect(couldRewriteRequest({ ...rewriteOptions, api: "chat" })).toBe(false);
    expect(couldRewriteRequest({ ...rewriteOptions, control: off })).toBe(false);
    expect(couldRewriteRequest(alone)).toBe(false);
  });
});
