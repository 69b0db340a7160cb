import { expect, it } from "vitest";
import { readCallOptions } from "./read-call-options.ts";
import type { CallOptions, Model } from "./repair-generated.ts";

it("readCallOptions returns the texts of the prompt with their roles, without those of the model", () => {
  const params = {
    tools: [
      {
        type: "function",
        name: "bash",
        description: 'Runs a command, as in <invoke name="bash"></invoke>.',
        inputSchema: { type: "object" },
      },
    ],
    prompt: [
      { role: "system", content: "Be brief, please." },
      {
        role: "user",
        content: [
          { type: "text", text: "Hi" },
          { type: "file", data: "aGVsbG8gd29ybGQgaGVsbG8=", mediaType: "text/plain" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look into it now." },
          { type: "tool-call", toolCallId: "call_123456789", toolName: "bash", input: { command: "ls the folder" } },
          {
            type: "tool-result",
            toolCallId: "call_2",
            toolName: "web",
            output: { type: "text", value: "A page of the web." },
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call_123456789",
            toolName: "bash",
            output: { type: "text", value: "There are eleven sheep." },
          },
          {
            type: "tool-result",
            toolCallId: "call_3",
            toolName: "bash",
            output: { type: "json", value: { stdout: "And twelve goats." } },
          },
        ],
      },
    ],
  } as unknown as CallOptions;
  const model = { provider: "test.chat", modelId: "m" } as Model;
  expect(readCallOptions(params, model, { mode: "known" })?.context()).toEqual([
    { role: "system", text: "Be brief, please." },
    { role: "user", text: "Hi" },
    { role: "tool", text: "A page of the web." },
    { role: "tool", text: "There are eleven sheep." },
    { role: "tool", text: "And twelve goats." },
  ]);
});
