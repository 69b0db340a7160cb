import { describe, expect, it } from "vitest";
import { type ReadCalls, readWithAiSdk, readWithSdk, repairCalls } from "../support/call-streams.ts";

type Entry = Readonly<Record<string, unknown>>;
const LAST = { finish_reason: "tool_calls" } as const;

/** A Chat stream of these entries of `tool_calls`, one per chunk. */
function chat(entries: readonly (Entry | readonly Entry[])[], end: Entry | undefined = LAST): string {
  const chunk = (choice: Entry): string =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`;
  const deltas = entries.map((entry) => chunk({ delta: { tool_calls: Array.isArray(entry) ? entry : [entry] } }));
  const last = end === undefined ? "" : chunk({ delta: {}, ...end });
  return `${chunk({ delta: { role: "assistant", content: null } })}${deltas.join("")}${last}data: [DONE]\n\n`;
}

const head = (more: Entry = {}, called: Entry = {}): Entry => ({
  ...{ index: 0, id: "call_1", type: "function" },
  ...more,
  function: { name: "read", arguments: "", ...called },
});
const piece = (args: unknown, more: Entry = {}): Entry => ({ index: 0, ...more, function: { arguments: args } });
const A = '{"path":"a"}';
const READ_A: ReadCalls = [["read", { path: "a" }]];
const READ_A_B: ReadCalls = [
  ["read", { path: "a" }],
  ["read", { path: "b" }],
];
const without = (entry: Entry, name: string): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));

/** What arrives, and what both SDKs must read after repair. */
const CHAT: readonly [what: string, stream: string, after: ReadCalls][] = [
  ["no index", chat([without(head(), "index"), without(piece(A), "index")]), READ_A],
  ["no type", chat([without(head(), "type"), piece(A)]), READ_A],
  ["no id", chat([without(head(), "id"), piece(A)]), READ_A],
  ["an empty id", chat([head({ id: "" }), piece(A)]), READ_A],
  ["an index that begins at 1", chat([head({ index: 1 }), piece(A, { index: 1 })]), READ_A],
  ["two calls under index 0", chat([head(), piece(A), head({ id: "call_2" }), piece('{"path":"b"}')]), READ_A_B],
  [
    "two whole calls under index 0 in one chunk",
    chat([[head({}, { arguments: A }), head({ id: "call_2" }, { arguments: '{"path":"b"}' })]]),
    READ_A_B,
  ],
  [
    "two calls without index and id",
    chat([
      { type: "function", function: { name: "read", arguments: A } },
      { type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
    ]),
    READ_A_B,
  ],
  [
    "one id for two calls",
    chat([head({}, { arguments: A }), head({ index: 1 }, { arguments: '{"path":"b"}' })]),
    READ_A_B,
  ],
  [
    "one call under several indexes",
    chat([head(), piece('{"path"', {}), { ...piece(':"a"}'), index: 1, id: "call_1" }]),
    READ_A,
  ],
  [
    "the name and id in every delta",
    chat([head(), head({}, { arguments: '{"path":' }), head({}, { arguments: '"a"}' })]),
    READ_A,
  ],
  [
    "an empty name and id in later deltas",
    chat([head(), { ...piece(A), id: "", function: { name: "", arguments: A } }]),
    READ_A,
  ],
  ["a new id in every delta", chat([head(), piece('{"path":', { id: "x2" }), piece('"a"}', { id: "x3" })]), READ_A],
  ["the name in two parts", chat([head({}, { name: "re" }), { index: 0, function: { name: "ad" } }, piece(A)]), READ_A],
  [
    "the arguments before the name",
    chat([
      { ...head(), function: { arguments: A } },
      { index: 0, function: { name: "read" } },
    ]),
    READ_A,
  ],
  ["cumulative arguments", chat([head(), piece('{"pa'), piece('{"path":'), piece(A)]), READ_A],
  ["the whole arguments again at the end", chat([head(), piece('{"path":'), piece('"a"}'), piece(A)]), READ_A],
  ["an empty object first", chat([head({}, { arguments: "{}" }), piece(A)]), READ_A],
  ["a template token behind the arguments", chat([head(), piece(A), piece("<|im_end|>")]), READ_A],
  ["no arguments for a tool without parameters", chat([head({}, { name: "now" })]), [["now", {}]]],
  [
    "null for arguments of a tool without parameters",
    chat([head({}, { name: "now", arguments: null })]),
    [["now", {}]],
  ],
  ["an object instead of text", chat([head(), piece({ path: "a" })]), READ_A],
  ["arguments encoded twice", chat([head(), piece(JSON.stringify(A))]), READ_A],
  ["a number as text", chat([head(), piece('{"path":"a","lines":"5"}')]), [["read", { path: "a", lines: 5 }]]],
  ["null for an optional parameter", chat([head(), piece('{"path":"a","lines":null}')]), READ_A],
  ["a name in another case", chat([head({}, { name: "Read" }), piece(A)]), READ_A],
  ["a name repeated", chat([head({}, { name: "readread" }), piece(A)]), READ_A],
  ["the finish reason stop", chat([head(), piece(A)], { finish_reason: "stop" }), READ_A],
  ["no finish reason", chat([head(), piece(A)], undefined), READ_A],
];

/** A Messages stream with one `tool_use` block of these events. */
function messages(start: Entry, deltas: readonly string[], { hasStop = true, reason = "tool_use" } = {}): string {
  const event = (type: string, fields: Entry): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return [
    event("message_start", { message }),
    event("content_block_start", {
      index: 0,
      content_block: { type: "tool_use", id: "toolu_1", name: "read", ...start },
    }),
    ...deltas.map((partial_json) =>
      event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json } }),
    ),
    ...(hasStop ? [event("content_block_stop", { index: 0 })] : []),
    event("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 2 } }),
    event("message_stop", {}),
  ].join("");
}

const MESSAGES: readonly [what: string, stream: string, after: ReadCalls][] = [
  ["input only in the start", messages({ input: { path: "a" } }, []), READ_A],
  ["input in the start and in deltas", messages({ input: { path: "a" } }, [A]), READ_A],
  ["no input in the start", messages({}, [A]), READ_A],
  ["no delta for a tool without parameters", messages({ name: "now", input: {} }, [""]), [["now", {}]]],
  ["an empty object first", messages({ input: {} }, ["{}", A]), READ_A],
  ["cumulative input", messages({ input: {} }, ['{"pa', '{"path":', A]), READ_A],
  ["single quotes", messages({ input: {} }, ["{'path': ", "'a'}"]), READ_A],
  ["a template token behind the input", messages({ input: {} }, [A, "</tool_call>"]), READ_A],
  ["no content_block_stop", messages({ input: {} }, [A], { hasStop: false }), READ_A],
  ["the stop reason end_turn", messages({ input: {} }, [A], { reason: "end_turn" }), READ_A],
  ["an empty id", messages({ id: "", input: {} }, [A]), READ_A],
  ["a number as text", messages({ input: {} }, ['{"path":"a","lines":"5"}']), [["read", { path: "a", lines: 5 }]]],
];

/** A Responses stream of one call with these arguments in its events. */
function responses(places: {
  readonly deltas?: readonly string[];
  readonly done?: unknown;
  readonly item?: unknown;
  readonly completed?: unknown;
}): string {
  const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "read" };
  const place = { item_id: "fc_1", output_index: 0 };
  const response = { id: "r1", object: "response", created_at: 1, model: "m", output: [], status: "in_progress" };
  const events: readonly Entry[] = [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress", arguments: "" } },
    ...(places.deltas ?? []).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    ...("done" in places ? [{ type: "response.function_call_arguments.done", ...place, arguments: places.done }] : []),
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...item, status: "completed", arguments: places.item },
    },
    {
      type: "response.completed",
      response: {
        ...response,
        status: "completed",
        output: [{ ...item, status: "completed", arguments: places.completed ?? places.item }],
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      },
    },
  ];
  return events
    .map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
    .join("");
}

const BROKEN = '{"path":"a","lines":"5"}';
const READ_5: ReadCalls = [["read", { path: "a", lines: 5 }]];
const RESPONSES: readonly [what: string, stream: string, after: ReadCalls][] = [
  ["arguments only in done", responses({ done: A, item: A }), READ_A],
  ["arguments only in output_item.done", responses({ item: A }), READ_A],
  ["a number as text, in every place", responses({ deltas: [BROKEN], done: BROKEN, item: BROKEN }), READ_5],
  ["a number as text, only in output_item.done", responses({ item: BROKEN }), READ_5],
  ["an object instead of text", responses({ deltas: [A], done: { path: "a" }, item: { path: "a" } }), READ_A],
  ["cumulative deltas", responses({ deltas: ['{"pa', '{"path":', A], done: A, item: A }), READ_A],
];

const CASES = [
  ...CHAT.map((row) => ["chat", ...row] as const),
  ...MESSAGES.map((row) => ["anthropic", ...row] as const),
  ...RESPONSES.map((row) => ["responses", ...row] as const),
];

describe.each(CASES)("a stream of %s with %s", (api, _what, stream, after) => {
  it("a faulty stream is read as the meant calls by the official SDK and the AI SDK after repair", async () => {
    const repaired = repairCalls(api, stream);
    expect({ sdk: await readWithSdk(api, repaired), ai: await readWithAiSdk(api, repaired) }).toEqual({
      sdk: after,
      ai: after,
    });
  });

  it("a faulty stream is not changed again", () => {
    const once = repairCalls(api, stream);
    expect(repairCalls(api, once)).toBe(once);
  });
});
