import { afterEach, describe, expect, it, vi } from "vitest";
import { startRawServer, until } from "../support/raw-http.ts";
import { type Running, startInFrontOf } from "../support/running.ts";
import { storedCalls } from "../support/stored-calls.ts";

interface Plugin {
  event(input: { event: unknown }): Promise<void>;
  "chat.message"(input: unknown, output: unknown): Promise<void>;
}

let running: Running | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await running?.close();
  running = undefined;
});

/** The plugin file as opencode loads it, configured for one server. */
async function load(url: string): Promise<Plugin> {
  vi.stubEnv("TOOLMEND_URL", url);
  vi.resetModules();
  const path = "../../integrations/opencode/toolmend.js";
  const { Toolmend } = (await import(path)) as { Toolmend: () => Promise<Plugin> };
  return await Toolmend();
}

const part = (state: object) => ({
  type: "message.part.updated",
  properties: {
    part: { type: "tool", sessionID: "ses_1", messageID: "msg_1", callID: "call_Qq11Ww22", tool: "bash", state },
  },
});

describe("the opencode plugin", () => {
  it("the plugin reports a failed call with the model of its message", async () => {
    running = await startInFrontOf("http://127.0.0.1:9");
    const plugin = await load(running.url);
    const info = { id: "msg_1", role: "assistant", modelID: "qwen-test", providerID: "local" };
    await plugin.event({ event: { type: "message.updated", properties: { info } } });
    await plugin["chat.message"](
      { sessionID: "ses_1", messageID: "msg_0" },
      { parts: [{ type: "text", text: "Build it" }] },
    );
    await plugin.event({ event: part({ status: "pending" }) });
    await plugin.event({ event: part({ status: "running", input: { command: "make" } }) });
    await plugin.event({
      event: part({ status: "error", input: { command: "make" }, error: "Tool execution aborted" }),
    });
    const call = async () => (await storedCalls(running as Running))[0];
    await until("the call is stored", async () => (await call()) !== undefined, 10_000);
    expect(await call()).toMatchObject({
      session_id: "ses_1",
      tool_name: "bash",
      model_name: "qwen-test",
      status: "failed",
    });
  });

  it.each([
    ["exit 0", "make", { metadata: { exit: 0 }, output: "done" }, ["ok", null]],
    ["another exit code", "./frob it", { metadata: { exit: 3 }, output: "the lever is bent" }, ["failed", "exit_code"]],
    ["grep without a match", "grep x a.txt", { metadata: { exit: 1 }, output: "(no output)" }, ["ok", null]],
    [
      "a call that does not fit",
      undefined,
      {
        status: "error",
        error: 'The bash tool was called with invalid arguments: SchemaError(Missing key\n  at ["command"]).',
      },
      ["failed", "invalid_arguments"],
    ],
  ] as const)(
    "the plugin's outcome of %s wins over what the proxy can see",
    async (_case, command, state, expected) => {
      running = await startInFrontOf("http://127.0.0.1:9");
      const plugin = await load(running.url);
      const input = command === undefined ? {} : { command };
      await plugin.event({ event: part({ status: "completed", input, ...state }) });
      const call = async () => (await storedCalls(running as Running))[0];
      await until("the call is stored", async () => (await call()) !== undefined, 10_000);
      const content = "output" in state ? state.output : state.error;
      const calls = [
        { id: "call_Qq11Ww22", type: "function", function: { name: "bash", arguments: JSON.stringify(input) } },
      ];
      await fetch(`${running.url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "opencode/1.18.33", "x-session-id": "ses_1" },
        body: JSON.stringify({
          model: "m",
          messages: [
            { role: "user", content: "go" },
            { role: "assistant", tool_calls: calls },
            { role: "tool", tool_call_id: "call_Qq11Ww22", content },
          ],
        }),
      });
      const stored = await storedCalls(running);
      expect(stored.map(({ status, category }) => [status, category])).toEqual([expected]);
    },
  );

  it("the plugin does not fail when no server is running", async () => {
    const plugin = await load("http://127.0.0.1:9");
    await expect(plugin.event({ event: part({ status: "completed", output: "x" }) })).resolves.toBeUndefined();
    await expect(plugin.event({ event: undefined })).resolves.toBeUndefined();
    await expect(plugin["chat.message"](undefined, undefined)).resolves.toBeUndefined();
    // A rejection that nothing handles would arrive by now, and fail the run.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it("the plugin does not wait for the response of a server", async () => {
    const requested = Promise.withResolvers<void>();
    const silent = await startRawServer((socket) => socket.once("data", () => requested.resolve()));
    const plugin = await load(silent.url);
    let hasReturned = false;
    const reported = plugin.event({ event: part({ status: "completed", output: "x" }) }).then(() => {
      hasReturned = true;
    });
    await requested.promise;
    expect(hasReturned).toBe(true);
    await silent.close();
    await reported;
  });
});
