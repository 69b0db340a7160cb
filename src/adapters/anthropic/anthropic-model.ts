import type Anthropic from "@anthropic-ai/sdk";
import type { ModelDelta, ModelFunction } from "../../agent/index.ts";
import { definitionFor } from "../../agent/registry/definitions.ts";
import { messageParams } from "./message-params.ts";
import { readEvents } from "./read-events.ts";

type Create = Anthropic["messages"]["create"];

/** The part of an Anthropic client that is used. */
export interface AnthropicClient {
  readonly messages: { readonly create: Create };
}

/** All request parameters except messages and tools. */
export type AnthropicSettings = Omit<
  Anthropic.MessageCreateParamsStreaming,
  "messages" | "tools" | "tool_choice" | "stream" | "system"
>;

/**
 * A model of Anthropic's Messages API for the tool loop. Thinking blocks are sent back unchanged.
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
