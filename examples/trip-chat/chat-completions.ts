import type { Message, ModelDelta, ModelFunction, ToolDefinition } from "../../src/agent/index.ts";

export interface ChatCompletionsOptions {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** A model function for any server with OpenAI's chat completions API. */
export function chatCompletions({ url, key, model }: ChatCompletionsOptions): ModelFunction {
  return async function* ({ messages, tools, toolChoice, signal }): AsyncGenerator<ModelDelta> {
    const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model,
        messages: messages.map(wireMessage),
        tools: tools.map(wireTool),
        tool_choice: toolChoice,
      }),
      signal,
    });
    // The loop converts the status to a safe message for the user; the body is never shown.
    if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
    const { choices } = (await response.json()) as { choices: readonly Choice[] };
    const [choice] = choices;
    if (choice === undefined) return;
    const { content, tool_calls: calls = [] } = choice.message;
    if (content) yield { kind: "text", text: content };
    for (const { id, function: called } of calls) yield { kind: "call", call: { id, ...called } };
    const reason =
      choice.finish_reason === "length"
        ? "length"
        : choice.finish_reason === "content_filter"
          ? "content-filter"
          : "stop";
    yield { kind: "finish", reason };
  };
}

interface Choice {
  readonly finish_reason: string;
  readonly message: {
    readonly content?: string | null;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  };
}

function wireMessage({ role, content, toolCalls, toolCallId }: Message): object {
  if (role === "tool") return { role, tool_call_id: toolCallId, content };
  if (toolCalls === undefined) return { role, content };
  const calls = toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  return { role, content: content === "" ? null : content, tool_calls: calls };
}

function wireTool({ name, description, inputSchema }: ToolDefinition): object {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}
