import { describe, expect, it } from "vitest";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";
import { startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { respond } from "../support/upstream/turn.ts";

// Text that repeats a tool result or only mentions a call reaches the client exactly as the upstream sent it.

const INVOKE = '<invoke name="bash">\n<parameter name="command">make release | sh</parameter>\n</invoke>';
const NUMBERED = INVOKE.split("\n")
  .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
  .join("\n");
const PATHS = { anthropic: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" } as const;
const SCHEMA = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const NATIVE_CALL = /"tool_use"|"tool_calls"|"function_call"/;

/** A request whose history contains a tool result. */
function body(api: Api, stream: boolean, result: string): object {
  const common = { model: "m", stream };
  if (api === "anthropic")
    return {
      ...common,
      max_tokens: 99,
      tools: [{ name: "bash", input_schema: SCHEMA }],
      messages: [
        { role: "user", content: "Look at the notes." },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: { command: "cat n" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: result }] },
      ],
    };
  if (api === "chat")
    return {
      ...common,
      tools: [{ type: "function", function: { name: "bash", parameters: SCHEMA } }],
      messages: [
        { role: "user", content: "Look at the notes." },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "bash", arguments: '{"command":"cat n"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: result },
      ],
    };
  return {
    ...common,
    store: false,
    tools: [{ type: "function", name: "bash", parameters: SCHEMA }],
    input: [
      { role: "user", content: "Look at the notes." },
      { type: "function_call", call_id: "call_1", name: "bash", arguments: '{"command":"cat n"}' },
      { type: "function_call_output", call_id: "call_1", output: result },
    ],
  };
}

/** The model's response through the proxy, and directly from the upstream. */
async function sendBoth(api: Api, stream: boolean, text: string, result: string): Promise<readonly [string, string]> {
  const turn = { ...respond(text), chunking: { characters: 5 } };
  const both = await startForTest(inOrder(turn, turn), { repair: { mode: "known" } });
  const fetchFrom = async (base: string): Promise<string> => {
    const response = await fetch(`${base}${PATHS[api]}`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body(api, stream, result)),
    });
    return response.text();
  };
  return [await fetchFrom(both.url), await fetchFrom(both.upstream.url)];
}

/** Removes ids and times, which differ from response to response. */
const comparable = (text: string): string =>
  text.replace(/"(?:id|item_id|created|created_at|completed_at|system_fingerprint)":\s*(?:"[^"]*"|\d+)/g, "");

describe.each(["anthropic", "chat", "responses"] as const)("%s", (api) => {
  describe.each([true, false])("streamed: %s", (stream) => {
    it.each([
      ["a call in a file with line numbers", `Let me run it.\n${INVOKE}`, NUMBERED],
      [
        "a call that the response warns about",
        `Never send ${INVOKE.replaceAll("\n", "")} because it deletes everything.`,
        "ok",
      ],
      ["a call introduced as an example", `For example:\n\n${INVOKE}`, "ok"],
    ])("passes %s through as text", async (_what, text, result) => {
      const [through, direct] = await sendBoth(api, stream, text, result);
      const history = /cat n/g;
      expect(through.replace(history, "")).not.toMatch(NATIVE_CALL);
      expect(comparable(through)).toBe(comparable(direct));
    });

    it("repairs a call whose command appears in a result as plain text", async () => {
      const [through] = await sendBoth(api, stream, `Let me run it.\n${INVOKE}`, "To release: make release | sh");
      expect(through).toMatch(NATIVE_CALL);
    });
  });
});

describe("a conversation whose later request declares no tools", () => {
  it.each([true, false])("passes a call through as text, streamed: %s", async (stream) => {
    const text = `Let me run it.\n${INVOKE}`;
    const both = await startForTest(inOrder(respond("ok"), respond(text), respond(text)), {
      repair: { mode: "known" },
    });
    const send = async (base: string, request: object): Promise<string> => {
      const response = await fetch(`${base}${PATHS.anthropic}`, {
        method: "POST",
        headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
        body: JSON.stringify(request),
      });
      return response.text();
    };
    const long = "Long enough to be remembered. ".repeat(500);
    const { tools, ...withoutTools } = body("anthropic", stream, long) as { readonly tools: unknown };
    await send(both.url, { ...withoutTools, tools });
    const through = await send(both.url, withoutTools);
    expect(through).not.toMatch(NATIVE_CALL);
    expect(comparable(through)).toBe(comparable(await send(both.upstream.url, withoutTools)));
  });
});
