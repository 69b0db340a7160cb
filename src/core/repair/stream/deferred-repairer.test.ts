import { describe, expect, it } from "vitest";
import { encodeStream, framesOf } from "../../../../test/support/encode-turn.ts";
import { respond } from "../../../../test/support/upstream/turn.ts";
import type { RepairOptions } from "../types.ts";
import { createDeferredRepairer } from "./deferred-repairer.ts";
import { createStreamRepairer } from "./stream-repairer.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const OPTIONS: RepairOptions = {
  tools: [{ name: "read" }],
  names: "known",
  context: () => [],
  parallel: true,
  randomAlphanumeric: (length) => "x".repeat(length),
};
const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString();

describe.each([
  ["anthropic", "message_start"],
  ["chat", '"role"'],
  ["responses", "response.created"],
] as const)("createDeferredRepairer for %s", (api, opening) => {
  const frames = framesOf(encodeStream(api, respond(`Look. ${LEAK}`)));

  function run(isReady: () => boolean, make = () => createStreamRepairer(api, OPTIONS)) {
    const createdAt: number[] = [];
    let at = 0;
    const repairer = createDeferredRepairer(api, {
      isReady,
      make() {
        createdAt.push(at);
        return make();
      },
    });
    const out = frames.map((frame, index) => {
      at = index;
      return repairer.push(frame);
    });
    return { out, createdAt, repairer, whole: text([...out.flat(), ...repairer.end()]) };
  }

  it("emits only the opening events before the request is parsed", () => {
    const { out, createdAt } = run(() => false);
    expect(text(out[0] as readonly Uint8Array[])).toContain(opening);
    expect(createdAt).toHaveLength(1);
    const first = createdAt[0] as number;
    expect(first).toBeGreaterThan(0);
    // The first event that cannot be emitted early has text, a block or an item, which repair may change.
    expect(frames[first]?.data).toMatch(/content_block_start|"content":"[^"]|response\.output_item\.added/);
  });

  it("repairs as if the repairer had existed from the start", () => {
    const early = createStreamRepairer(api, OPTIONS);
    const expected = text([...frames.flatMap((frame) => early.push(frame)), ...early.end()]);
    for (const isReady of [() => false, () => true]) {
      const { whole, repairer } = run(isReady);
      expect(whole).toBe(expected);
      expect(repairer.calls).toEqual(early.calls);
      expect(repairer.calls).toHaveLength(1);
      expect(repairer.leaks).toEqual(early.leaks);
    }
  });

  it("creates the repairer at the first event once the request is parsed", () => {
    expect(run(() => true).createdAt).toEqual([0]);
  });

  it.each([
    ["nothing may be repaired", () => undefined],
    [
      "creating the repairer fails",
      () => {
        throw new Error("defect");
      },
    ],
  ])("passes all events through if %s", (_why, make) => {
    const { whole, repairer } = run(() => false, make as never);
    expect(whole).toBe(text(frames.map(({ raw }) => raw)));
    expect(repairer).toMatchObject({ calls: [], leaks: [], isBuffering: false });
    expect(repairer.keepAlive()).toBeUndefined();
  });
});

const event = (data: object) => framesOf(`data: ${JSON.stringify(data)}\n\n`)[0] as never;

it.each([
  ["chat", "an error", { error: { message: "x" } }],
  ["chat", "a chunk of a call", { choices: [{ delta: { tool_calls: [{ index: 0 }] } }] }],
  ["chat", "a deprecated function_call", { choices: [{ delta: { function_call: { name: "read" } } }] }],
  ["chat", "the end", { choices: [{ delta: {}, finish_reason: "stop" }] }],
  ["chat", "text of a second choice", { choices: [{ delta: { content: "" } }, { delta: { content: "x" } }] }],
  ["anthropic", "an error", { type: "error", error: {} }],
  ["anthropic", "a block", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
  ["responses", "an item", { type: "response.output_item.added", item: { type: "message" } }],
  ["responses", "the end", { type: "response.completed", response: {} }],
] as const)("createDeferredRepairer for %s does not treat %s as an opening event", (api, _what, data) => {
  let created = 0;
  const repairer = createDeferredRepairer(api, {
    isReady: () => false,
    make() {
      created += 1;
      return undefined;
    },
  });
  repairer.push(event(data));
  expect(created).toBe(1);
});
