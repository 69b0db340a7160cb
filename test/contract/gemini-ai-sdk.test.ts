import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { expect, it } from "vitest";
import { eventsAfter } from "../support/recorded-events.ts";
import { startForTest } from "../support/start-for-test.ts";
import { storedCalls } from "../support/stored-calls.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, respond } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "b.txt"}}\n</tool_call>';

it.each([true, false])(
  "the AI SDK's calls are recorded once, with the ids that it makes up, stream %s",
  async (stream) => {
    const turns = [
      respond(call("read", { path: "a.txt" }, "")),
      respond(`Next. ${LEAK}`),
      respond(call("read", { path: "c.txt" }, "given")),
      respond("Done."),
    ];
    const both = await startForTest(inOrder(...turns));
    const read: string[] = [];
    const options = {
      model: createGoogleGenerativeAI({ apiKey: "k", baseURL: `${both.url}/v1beta` })("gemini-2.5-pro"),
      prompt: "Read the files",
      stopWhen: stepCountIs(6),
      tools: {
        read: tool({
          description: "Reads a file",
          inputSchema: jsonSchema<{ path: string }>({
            type: "object",
            properties: { path: { type: "string" } },
            required: ["path"],
          }),
          execute: ({ path }) => {
            read.push(path);
            return "text";
          },
        }),
      },
    };
    const text = stream ? await streamText(options).text : (await generateText(options)).text;
    expect(text).toBe("Done.");
    expect(read).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(both.upstream.rejections).toEqual([]);
    await eventsAfter(both, 4, "response_recorded");
    const calls = await storedCalls(both);
    expect(calls.map(({ tool_name, status }) => [tool_name, status])).toEqual([
      ["read", "ok"],
      ["read", "ok"],
      ["read", "ok"],
    ]);
    expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(1);
  },
);
