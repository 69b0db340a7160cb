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
  letters: (length) => "x".repeat(length),
};
const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString();

describe.each([
  ["anthropic", "message_start"],
  ["chat", '"role"'],
  ["responses", "response.created"],
] as const)("a mender of %s that is made late", (api, opening) => {
  const frames = framesOf(encodeStream(api, respond(`Look. ${LEAK}`)));

  function run(isReady: () => boolean, make = () => createStreamRepairer(api, OPTIONS)) {
    const made: number[] = [];
    let at = 0;
    const mender = createDeferredRepairer(api, {
      isReady,
      make() {
        made.push(at);
        return make();
      },
    });
    const out = frames.map((frame, index) => {
      at = index;
      return mender.push(frame);
    });
    return { out, made, mender, whole: text([...out.flat(), ...mender.end()]) };
  }

  it("lets the opening leave before anybody has read the request, and nothing else", () => {
    const { out, made } = run(() => false);
    expect(text(out[0] as readonly Uint8Array[])).toContain(opening);
    expect(made).toHaveLength(1);
    const first = made[0] as number;
    expect(first).toBeGreaterThan(0);
    // What could not leave before is the first event with text or a block, or an item, that may become something else.
    expect(frames[first]?.data).toMatch(/content_block_start|"content":"[^"]|response\.output_item\.added/);
  });

  it("mends as if it had been there from the beginning", () => {
    const early = createStreamRepairer(api, OPTIONS);
    const expected = text([...frames.flatMap((frame) => early.push(frame)), ...early.end()]);
    for (const isReady of [() => false, () => true]) {
      const { whole, mender } = run(isReady);
      expect(whole).toBe(expected);
      expect(mender.calls).toEqual(early.calls);
      expect(mender.calls).toHaveLength(1);
      expect(mender.leaks).toEqual(early.leaks);
    }
  });

  it("is made with the first event once the request is read", () => {
    expect(run(() => true).made).toEqual([0]);
  });

  it.each([
    ["nothing may be mended", () => undefined],
    [
      "making it fails",
      () => {
        throw new Error("defect");
      },
    ],
  ])("passes everything as it came where %s", (_why, make) => {
    const { whole, mender } = run(() => false, make as never);
    expect(whole).toBe(text(frames.map(({ raw }) => raw)));
    expect(mender).toMatchObject({ calls: [], leaks: [], holds: false });
    expect(mender.keepAlive()).toBeUndefined();
  });
});

const event = (data: object) => framesOf(`data: ${JSON.stringify(data)}\n\n`)[0] as never;

it.each([
  ["chat", "an error", { error: { message: "x" } }],
  ["chat", "a piece of a call", { choices: [{ delta: { tool_calls: [{ index: 0 }] } }] }],
  ["chat", "an old call", { choices: [{ delta: { function_call: { name: "read" } } }] }],
  ["chat", "the end", { choices: [{ delta: {}, finish_reason: "stop" }] }],
  ["chat", "text of a second choice", { choices: [{ delta: { content: "" } }, { delta: { content: "x" } }] }],
  ["anthropic", "an error", { type: "error", error: {} }],
  ["anthropic", "a block", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
  ["responses", "an item", { type: "response.output_item.added", item: { type: "message" } }],
  ["responses", "the end", { type: "response.completed", response: {} }],
] as const)("for %s, %s is no opening", (api, _what, data) => {
  let made = 0;
  const mender = createDeferredRepairer(api, {
    isReady: () => false,
    make() {
      made += 1;
      return undefined;
    },
  });
  mender.push(event(data));
  expect(made).toBe(1);
});
