import type { Script } from "./upstream/script.ts";
import { call, respond } from "./upstream/turn.ts";

/** A call that the model will make, and the result of the client's tool. */
export interface PlannedCall {
  readonly tool: string;
  readonly result: string;
  /** The protocol's own flag; only Messages has one. */
  readonly isError?: boolean;
}

type Message = Readonly<Record<string, unknown>>;

/** One agent that sends requests through the proxy, and the script of its model. */
export class ScriptedAgent {
  #planned: readonly PlannedCall[] = [];

  /** Makes the planned calls for a prompt, and ends the conversation after their results. */
  readonly script: Script = ({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    const hasResults = last.includes('"tool_result"') || last.includes('"role":"tool"');
    return hasResults
      ? respond("Done.")
      : respond("On it.", ...this.#planned.map(({ tool }) => call(tool, { q: "x" })));
  };

  /** A session on Anthropic Messages: prompt, calls, results. */
  async useMessages(url: string, session: string, calls: readonly PlannedCall[]): Promise<void> {
    this.#planned = calls;
    const send = (messages: readonly Message[]): Promise<Message> =>
      post(`${url}/v1/messages`, {
        headers: {
          "x-api-key": "k",
          "anthropic-version": "2023-06-01",
          "user-agent": "claude-cli/2.1.0 (external, cli)",
          "x-claude-code-session-id": session,
        },
        body: {
          model: "claude-scripted-1",
          max_tokens: 100,
          tools: [...new Set(calls.map(({ tool }) => tool))].map((name) => ({
            name,
            input_schema: { type: "object" },
          })),
          messages,
        },
      });
    const prompt = { role: "user", content: `Begin ${session}` };
    const response = await send([prompt]);
    const uses = (response.content as readonly Message[]).filter(({ type }) => type === "tool_use");
    const results = calls.map(({ result, isError }, at) => ({
      type: "tool_result",
      tool_use_id: uses[at]?.id,
      content: result,
      ...(isError !== undefined && { is_error: isError }),
    }));
    await send([prompt, { role: "assistant", content: response.content }, { role: "user", content: results }]);
  }

  /** The same on OpenAI Chat. */
  async useChat(url: string, session: string, calls: readonly PlannedCall[]): Promise<void> {
    this.#planned = calls;
    const send = (messages: readonly Message[]): Promise<Message> =>
      post(`${url}/v1/chat/completions`, {
        headers: { authorization: "Bearer k", "user-agent": "opencode/1.2.0", "x-session-id": session },
        body: { model: "open-scripted-1", messages },
      });
    const prompt = { role: "user", content: `Begin ${session}` };
    const response = await send([prompt]);
    const message = (response.choices as readonly { readonly message: Message }[])[0]?.message as Message;
    const toolCalls = message.tool_calls as readonly Message[];
    const results = calls.map(({ result }, at) => ({ role: "tool", tool_call_id: toolCalls[at]?.id, content: result }));
    await send([prompt, message, ...results]);
  }
}

async function post(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Message },
): Promise<Message> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Message;
}
