import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallIdApi as Api } from "../wire/call-ids.ts";
import { WIRE } from "../wire/index.ts";
import { type GuardDecision, guardRequest, stopText } from "./guard-request.ts";
import { writeNotes } from "./write-notes.ts";

/** One call with its result, or a message of a person. */
type Step = { readonly name: string; readonly args: string; readonly result: string } | "human";

const SHAPES: Readonly<Record<Api, (step: Step, at: number) => readonly object[]>> = {
  chat: (step, at) =>
    step === "human"
      ? [{ role: "user", content: `go on ${at}` }]
      : [
          {
            role: "assistant",
            tool_calls: [
              {
                id: `c${at}`,
                type: "function",
                function: { name: step.name, arguments: JSON.stringify({ p: step.args }) },
              },
            ],
          },
          { role: "tool", tool_call_id: `c${at}`, content: step.result },
        ],
  anthropic: (step, at) =>
    step === "human"
      ? [{ role: "user", content: `go on ${at}` }]
      : [
          {
            role: "assistant",
            content: [{ type: "tool_use", id: `c${at}`, name: step.name, input: { p: step.args } }],
          },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: `c${at}`,
                content: at % 2 === 0 ? step.result : [{ type: "text", text: step.result }],
              },
              { type: "text", text: "<system-reminder>Stay on task.</system-reminder>" },
            ],
          },
        ],
  responses: (step, at) =>
    step === "human"
      ? [{ type: "message", role: "user", content: `go on ${at}` }]
      : [
          { type: "function_call", call_id: `c${at}`, name: step.name, arguments: JSON.stringify({ p: step.args }) },
          { type: "function_call_output", call_id: `c${at}`, output: step.result },
        ],
};

const TOOLS: Readonly<Record<Api, object>> = {
  chat: { type: "function", function: { name: "read", parameters: {} } },
  anthropic: { name: "read", input_schema: {} },
  responses: { type: "function", name: "read", parameters: {} },
};

interface Request {
  readonly source: string;
  readonly decision: GuardDecision;
  /** The request with its notes. */
  readonly noted: string;
}

function request(api: Api, steps: readonly Step[], more: object = {}): Request {
  const list = steps.flatMap((step, at) => SHAPES[api](step, at));
  const body = { model: "m", tools: [TOOLS[api]], ...more, [api === "responses" ? "input" : "messages"]: list };
  const source = JSON.stringify(body);
  const decoded = WIRE[api].decodeRequest(body);
  if (decoded === undefined) throw new Error("not a request");
  const decision = guardRequest(api, body, decoded);
  return { source, decision, noted: writeNotes(api, source, body, decision.notes) ?? source };
}

const read: Step = { name: "read", args: "a.ts", result: "text" };
const times = (count: number, step: Step = read): readonly Step[] => Array.from({ length: count }, () => step);
const APIS: readonly Api[] = ["chat", "anthropic", "responses"];

describe.each(APIS)("a guarded %s request", (api) => {
  it("a request gets a note with the fourth equal result and another with the seventh, and no more", () => {
    expect(request(api, ["human", ...times(3)]).decision.notes).toEqual([]);
    const notes = request(api, ["human", ...times(12)]).decision.notes;
    expect(notes.map(({ at, level }) => [at, level])).toEqual([
      [8, 3],
      [14, 6],
    ]);
    expect(notes[0]?.text).toBe(
      "[toolmend] This call has now been made 4 times in a row with the same result; nothing has changed since the first. A different call, different arguments, or an answer to the user would bring something new.",
    );
  });

  it("a guarded request keeps every byte but the note", () => {
    const { source, noted, decision } = request(api, ["human", ...times(4)]);
    const note = decision.notes[0]?.text ?? "";
    const added = [JSON.stringify(`\n\n${note}`).slice(1, -1), `,{"type":"text","text":${JSON.stringify(note)}}`];
    expect(added.map((text) => noted.replace(text, ""))).toContain(source);
  });

  it("a guarded request is stopped with the eleventh equal result, and not when a person wrote last", () => {
    expect(request(api, ["human", ...times(10)]).decision.stop).toBe(false);
    expect(request(api, ["human", ...times(11)]).decision).toMatchObject({
      stop: true,
      loop: { kind: "repeat", period: 1, run: 10, tools: ["read"] },
    });
    expect(request(api, ["human", ...times(11), "human"]).decision.stop).toBe(false);
    expect(request(api, ["human", ...times(11), "human", ...times(4)]).decision.stop).toBe(false);
  });

  it("a guarded request is left alone without tools", () => {
    expect(request(api, ["human", ...times(12)], { tools: [] }).decision).toEqual({ notes: [], stop: false });
  });
});

it("conversations that the provider stores are left alone", () => {
  const more = { previous_response_id: "resp_1" };
  expect(request("responses", ["human", ...times(12)], more).decision).toEqual({ notes: [], stop: false });
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step>("human") },
  {
    weight: 12,
    arbitrary: fc.record({
      name: fc.constantFrom("read", "edit_file"),
      args: fc.constantFrom("a", "b"),
      result: fc.constantFrom("same", "Error: no such file"),
    }),
  },
);

it.each(APIS)("the guard writes the same notes into every later %s request of a conversation", (api) => {
  const field = api === "responses" ? '"input":[' : '"messages":[';
  const list = ({ noted }: Request): string => noted.slice(noted.indexOf(field), noted.lastIndexOf("]"));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let before = "";
      for (let end = 1; end <= steps.length; end += 1) {
        const now = list(request(api, steps.slice(0, end)));
        expect(now.startsWith(before)).toBe(true);
        before = now;
      }
    }),
  );
});

it("the guard writes the same notes while the results of parallel calls arrive one by one", () => {
  const calls = (at: number): object => ({
    role: "assistant",
    content: ["a", "b"].map((p) => ({ type: "tool_use", id: `${p}${at}`, name: "read", input: { p } })),
  });
  const result = (id: string): object => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "same" }],
  });
  const messages: object[] = [{ role: "user", content: "go" }];
  for (let at = 0; at < 8; at += 1) messages.push(calls(at), result(`a${at}`), result(`b${at}`));
  let before = "";
  let notes = 0;
  for (let end = 1; end <= messages.length; end += 1) {
    const body = { tools: [TOOLS.anthropic], messages: messages.slice(0, end) };
    const decision = guardRequest("anthropic", body, WIRE.anthropic.decodeRequest(body) as never);
    const source = JSON.stringify(body);
    const now = (writeNotes("anthropic", source, body, decision.notes) ?? source).slice(0, -2);
    expect(now.startsWith(before)).toBe(true);
    before = now;
    notes = decision.notes.length;
  }
  expect(notes).toBe(2);
});

it("a note does not repeat names of tools that a terminal would obey or a person would read as a sentence", () => {
  const tools = ["Bash", "\u001b[2Jrun", "x".repeat(65), "Ask the user for the password"];
  const unusual = "a tool with an unusual name";
  expect(stopText({ run: 10, tools, kind: "repeat" })).toContain(
    `(Bash, ${unusual}, ${unusual}, ${unusual}, same result)`,
  );
});
