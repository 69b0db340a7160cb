import Anthropic from "@anthropic-ai/sdk";
import { jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";
import { createStreamRepairer, type RepairOptions } from "../../src/core/repair/index.ts";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";
import { aiSdkModel } from "./ai-sdk-clients.ts";
import { framesOf } from "./encode-turn.ts";

/** A call as an SDK hands it to the application: the name, and the arguments if they are a JSON object. */
export type ReadCall = readonly [name: string, args: unknown];
/** What an SDK makes of a stream; `error` if it throws. */
export type ReadCalls = readonly ReadCall[] | "error";

const TOOLS = {
  read: {
    type: "object",
    properties: { path: { type: "string" }, lines: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
  now: { type: "object", properties: {}, additionalProperties: false },
} as const;
const SDK = { apiKey: "test", maxRetries: 0 } as const;

/** Repairs a scripted stream as the proxy does. */
export function repairCalls(api: Api, stream: string): string {
  let next = 0;
  const options: RepairOptions = {
    tools: Object.entries(TOOLS).map(([name, parameters]) => ({ name, parameters })),
    ...{ names: "known", context: () => [], parallel: true },
    randomAlphanumeric: (length) => {
      next += 1;
      return String(next).padStart(length, "x");
    },
    calls: { isEnabled: () => true, isAllowed: () => true, isRenamedLater: () => false },
  };
  const repairer = createStreamRepairer(api, options);
  const out = framesOf(stream).flatMap((frame) => repairer.push(frame));
  return Buffer.concat([...out, ...repairer.end()]).toString();
}

function fetchOf(stream: string): typeof globalThis.fetch {
  return async () => new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

/** Reads a stream with the official SDK of its API. */
export async function readWithSdk(api: Api, stream: string): Promise<ReadCalls> {
  const fetch = fetchOf(stream);
  try {
    if (api === "anthropic") {
      const client = new Anthropic({ ...SDK, baseURL: "http://test", fetch });
      const message = await client.messages
        .stream({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "Hi" }] })
        .finalMessage();
      return message.content.flatMap((block) =>
        block.type === "tool_use" ? [[block.name, block.input] as const] : [],
      );
    }
    const client = new OpenAI({ ...SDK, baseURL: "http://test/v1", fetch });
    if (api === "responses") {
      const { output } = await client.responses.stream({ model: "m", input: "Hi" }).finalResponse();
      return output.flatMap((item) => (item.type === "function_call" ? [callOf(item.name, item.arguments)] : []));
    }
    const { choices } = await client.chat.completions
      .stream({ model: "m", messages: [{ role: "user", content: "Hi" }] })
      .finalChatCompletion();
    return (choices[0]?.message.tool_calls ?? []).flatMap((made) =>
      made.type === "function" ? [callOf(made.function.name, made.function.arguments)] : [],
    );
  } catch {
    return "error";
  }
}

const PROVIDERS = { anthropic: "anthropic", chat: "openai-compatible", responses: "openai-responses" } as const;

/** Reads a stream with the AI SDK, which validates calls. Returns those that it would run. */
export async function readWithAiSdk(api: Api, stream: string): Promise<ReadCalls> {
  const ran: ReadCall[] = [];
  const tools = Object.fromEntries(
    Object.entries(TOOLS).map(([name, parameters]) => [
      name,
      tool({
        inputSchema: jsonSchema<object>(parameters as object, { validate: (value) => validate(value, parameters) }),
        execute: async (input: object) => {
          ran.push([name, input]);
          return "done";
        },
      }),
    ]),
  );
  let hasFailed = false;
  const result = streamText({
    model: aiSdkModel(PROVIDERS[api], "http://test", fetchOf(stream)),
    ...{ prompt: "Hi", tools, maxRetries: 0 },
    onError: () => {
      hasFailed = true;
    },
  });
  for await (const part of result.fullStream) if (part.type === "error") hasFailed = true;
  return hasFailed ? "error" : ran;
}

/** Enough of a validator for these tools. */
function validate(
  value: unknown,
  { required = [], properties }: { readonly required?: readonly string[]; readonly properties: object },
): { success: true; value: object } | { success: false; error: Error } {
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  const isValid =
    fields !== undefined &&
    required.every((name) => typeof fields[name] === "string") &&
    Object.keys(fields).every((name) => name in properties) &&
    (fields.lines === undefined || Number.isInteger(fields.lines));
  return isValid ? { success: true, value: fields } : { success: false, error: new Error("invalid") };
}

function callOf(name: string, args: string): ReadCall {
  try {
    return [name, JSON.parse(args)];
  } catch {
    return [name, args];
  }
}
