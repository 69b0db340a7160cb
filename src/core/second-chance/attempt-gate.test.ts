import { describe, expect, it } from "vitest";
import { encodeStream, framesOf } from "../../../test/support/encode-turn.ts";
import { call, type ModelTurn, respond, say, think } from "../../../test/support/upstream/turn.ts";
import type { Frame } from "../wire/event-framer.ts";

import { AttemptGate } from "./attempt-gate.ts";
import { type CallableTool, hopelessCall } from "./hopeless-calls.ts";
import type { AskableApi } from "./types.ts";

const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = new Map<string, CallableTool>([["read", { name: "read", parameters: PARAMETERS }]]);
const GOOD = { path: "a" };

function gateOf(api: AskableApi, isArmed = true): AttemptGate<Frame> {
  return new AttemptGate<Frame>(api, {
    isArmed: () => isArmed,
    isHopeless: (one) => hopelessCall(one, TOOLS) !== undefined,
  });
}

const inPieces = (turn: ModelTurn, characters: number): ModelTurn => ({ ...turn, chunking: { characters } });

describe.each(["anthropic", "chat", "responses"] as const)("AttemptGate: %s", (api) => {
  it.each<[string, ModelTurn]>([
    ["text", respond("Hello there.")],
    ["a call that works", respond("I look.", call("read", GOOD))],
    ["two calls, the second of which works", respond(call("open", {}), call("read", GOOD))],
    ["calls that cannot work", respond("I look.", call("read", {}), call("open", {}))],
    ["text after a call", respond(call("open", {}), say("So."))],
    ["reasoning", respond(think("Hm."), "I look.", call("read", GOOD))],
    ["a free-text call", respond({ ...call("patch", "text"), custom: true })],
    ["a turn that was cut off", { ...respond(call("read", '{"pa')), stopReason: "length" }],
  ])("the gate emits every event of %s unchanged and in order", (_name, turn) => {
    for (const characters of [1, 4, 1000]) {
      const frames = framesOf(encodeStream(api, inPieces(turn, characters)));
      const gate = gateOf(api);
      const out = frames.flatMap((frame) => gate.push(frame));
      out.push(...(gate.end()?.held ?? []));
      expect(out).toEqual(frames);
    }
  });

  it("the gate holds nothing before the first call, and nothing after a call that works", () => {
    const frames = framesOf(encodeStream(api, inPieces(respond("I look.", call("read", GOOD), call("open", {})), 3)));
    const gate = gateOf(api);
    const holds = frames.map((frame) => {
      gate.push(frame);
      return gate.isHolding;
    });
    const first = holds.indexOf(true);
    const last = holds.lastIndexOf(true);
    expect(first).toBeGreaterThan(2);
    expect(last).toBeLessThan(frames.length - 3);
    expect(gate.end()).toBeUndefined();
  });

  it("the gate holds nothing if the response must not be requested again", () => {
    const frames = framesOf(encodeStream(api, respond(call("open", {}))));
    const gate = gateOf(api, false);
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.map((frame) => gate.push(frame))).toEqual(frames.map((frame) => [frame]));
  });

  it("the gate holds at most 4 MiB", () => {
    const frames = framesOf(encodeStream(api, inPieces(respond(call("open", { text: "x".repeat(5 << 20) })), 1 << 20)));
    const gate = gateOf(api);
    expect(frames.flatMap((frame) => gate.push(frame))).toHaveLength(frames.length);
    expect(gate.end()).toBeUndefined();
  });
});

it("a turn whose text continues beside a call is given up, because held text would be lost", () => {
  const events = [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "read", input: {} } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Wait." } },
  ];
  const gate = gateOf("anthropic");
  const frames = framesOf(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  expect(frames.map((frame) => gate.push(frame).length)).toEqual([1, 0, 2]);
});

it("a turn with two blocks of one index, or with a kind of delta that no object has, is given up", () => {
  const start = (name: string) => ({
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: `t_${name}`, name, input: {} },
  });
  for (const second of [start("open"), { type: "content_block_delta", index: 0, delta: { type: "constructor" } }]) {
    const gate = gateOf("anthropic");
    const frames = framesOf([start("read"), second].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    expect(frames.map((frame) => gate.push(frame).length)).toEqual([0, 2]);
  }
});

it("a Chat turn whose calls continue behind its end is given up", () => {
  const chunk = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const piece = { tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: "{}" } }] };
  const gate = gateOf("chat");
  const frames = framesOf(chunk(piece, null) + chunk({}, "tool_calls") + chunk(piece, null));
  expect(frames.map((frame) => gate.push(frame).length)).toEqual([0, 0, 3]);
});
