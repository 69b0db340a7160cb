import type { ModelDelta, ModelFunction } from "../../src/agent/index.ts";

type Turn = { readonly text: string } | { readonly call: string; readonly arguments: object };

/** The model's turns for each kind of request; the last turn is text. */
const SCRIPTS: readonly (readonly [word: RegExp, turns: readonly Turn[]])[] = [
  [/\beat\b|restaurant/i, [{ call: "search_places", arguments: { query: "dinner" } }, { text: "Try Chez Nous." }]],
  [
    /weather/i,
    [
      { call: "get_weather", arguments: { location: "Paris" } },
      { call: "get_weather", arguments: { location: "Paris, France" } },
      { text: "I could not get the weather." },
    ],
  ],
  [/book/i, [{ call: "book_table", arguments: { restaurant: "Chez Nous" } }, { text: "I cannot book tables here." }]],
  [
    /translate/i,
    [{ call: "translate_text", arguments: { text: "Hello" } }, { text: "I have no tool for translations." }],
  ],
  [
    /sight|museum/i,
    [
      { text: 'Let me look. <tool_call>{"name": "search_places", "arguments": {"location": "Lyon"}}</tool_call>' },
      { text: "There is the Bouchon des Halles." },
    ],
  ],
];

/** A model for users without one: it knows five requests. */
export const scriptedModel: ModelFunction = async function* ({ messages }): AsyncGenerator<ModelDelta> {
  const lastUser = messages.findLastIndex(({ role, note }) => role === "user" && note !== true);
  const request = messages[lastUser]?.content ?? "";
  const turns = SCRIPTS.find(([word]) => word.test(request))?.[1] ?? [
    { text: "Ask me where to eat, for sights, or about the weather." },
  ];
  const made = messages.slice(lastUser + 1).filter(({ role }) => role === "assistant").length;
  const turn = turns[Math.min(made, turns.length - 1)];
  if (turn !== undefined && "text" in turn) {
    for (let at = 0; at < turn.text.length; at += 4) yield { kind: "text", text: turn.text.slice(at, at + 4) };
  } else if (turn !== undefined) {
    yield { kind: "call", call: { id: "call_0", name: turn.call, arguments: turn.arguments } };
  }
  yield { kind: "finish", reason: "stop" };
};
