import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, stepCountIs, streamText, tool } from "ai";

// The SDK does not know scripted models and would log a warning for every request.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** The ways in which the Vercel AI SDK calls a provider. */
export const AI_SDK_PROVIDERS = ["anthropic", "openai-chat", "openai-responses", "openai-compatible"] as const;
export type AiSdkProvider = (typeof AI_SDK_PROVIDERS)[number];

type Model = Exclude<LanguageModel, string>;

export function aiSdkModel(provider: AiSdkProvider, url: string, fetch?: typeof globalThis.fetch): Model {
  const settings = { baseURL: `${url}/v1`, apiKey: "test", ...(fetch !== undefined && { fetch }) };
  switch (provider) {
    case "anthropic":
      return createAnthropic(settings)("claude-scripted-1");
    case "openai-chat":
      return createOpenAI(settings).chat("m");
    case "openai-responses":
      return createOpenAI(settings).responses("m");
    case "openai-compatible":
      return createOpenAICompatible({ ...settings, name: "local" })("m");
  }
}

/** What a run of the SDK's own tool loop did. */
export interface AiSdkRun {
  readonly text: string;
  /** The arguments of each tool execution, in order. */
  readonly executed: readonly unknown[];
  readonly steps: readonly {
    readonly text: string;
    readonly finishReason: string;
    readonly calls: readonly string[];
  }[];
  /** Text as it was streamed. */
  readonly streamed: string;
}

export interface AiSdkRunOptions {
  readonly model: Model;
  readonly stream: boolean;
  /** The result of an earlier call. */
  readonly page?: string;
}

const PROMPT: ModelMessage = { role: "user", content: "What is in a.txt?" };

/** Runs the SDK's loop with one tool, `read`. */
export async function runAiSdk({ model, stream, page }: AiSdkRunOptions): Promise<AiSdkRun> {
  const executed: unknown[] = [];
  const read = tool({
    description: "Reads a file.",
    inputSchema: jsonSchema<{ path: string }>({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    }),
    execute: (input) => {
      executed.push(input);
      return "hello";
    },
  });
  const settings = {
    model,
    tools: { read },
    messages: page === undefined ? [PROMPT] : [PROMPT, ...toolResultHistory(page)],
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    // Otherwise the provider would store the conversation, and its copy would lack the call.
    providerOptions: { openai: { store: false } },
  };
  if (!stream) {
    const { text, steps } = await generateText(settings);
    return { text, executed, steps: steps.map(toStep), streamed: "" };
  }
  const failures: unknown[] = [];
  const result = streamText({ ...settings, onError: ({ error }) => void failures.push(error) });
  let streamed = "";
  for await (const part of result.textStream) streamed += part;
  if (failures.length > 0) throw failures[0];
  return { text: await result.text, executed, steps: (await result.steps).map(toStep), streamed };
}

type Step = Awaited<ReturnType<typeof generateText>>["steps"][number];

function toStep({ text, finishReason, toolCalls }: Step): AiSdkRun["steps"][number] {
  return { text, finishReason, calls: toolCalls.map(({ toolName }) => toolName) };
}

function toolResultHistory(page: string): ModelMessage[] {
  const id = "call_before";
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "read", input: { path: "b.txt" } }] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value: page } }],
    },
  ];
}
