import type Anthropic from "@anthropic-ai/sdk";
import type { ModelDelta, ModelFunction } from "../../agent/index.ts";
import { definitionFor } from "../../agent/registry/definitions.ts";
import { messageParams } from "./message-params.ts";
import { readEvents } from "./read-events.ts";

type Create = Anthropic["messages"]["create"];

/** What is used of an Anthropic client. */
export interface AnthropicClient {
  readonly messages: { readonly create: Create };
}

/** Everything that a request may say beside its messages and tools. */
export type AnthropicSettings = Omit<
  Anthropic.MessageCreateParamsStreaming,
  "messages" | "tools" | "tool_choice" | "stream" | "system"
>;

/**
 * A model of Anthropic's Messages for the tool loop. Thinking blocks go back as they came.
 *
 * @example
 * const model = anthropicModel(new Anthropic(), { model: "claude-sonnet-4-5", max_tokens: 8192 });
 */
export function anthropicModel(client: AnthropicClient, settings: AnthropicSettings): ModelFunction {
  return async function* (request): AsyncGenerator<ModelDelta> {
    const { tools, toolChoice, signal } = request;
    const stream = await client.messages.create(
      {
        ...settings,
        ...messageParams(request.messages),
        stream: true,
        ...(tools.length > 0 && {
          tools: tools.map((tool) => definitionFor("anthropic", tool)),
          tool_choice: { type: toolChoice },
        }),
      },
      { signal },
    );
    yield* readEvents(stream);
  };
}
