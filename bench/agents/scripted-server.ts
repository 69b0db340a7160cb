import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A turn of the scripted model: text, or a call. */
export type Turn = { readonly text: string } | { readonly call: { readonly name: string; readonly arguments: string } };

/** What the server was asked. */
export interface Request {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tool_choice?: unknown;
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
}

export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly Request[];
  /** Starts another script. */
  play(script: (request: Request, nth: number) => Turn): void;
  close(): Promise<void>;
}

/** A server with OpenAI's Chat Completions API that plays a script, streamed or not. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let requests: Request[] = [];
  let script: (request: Request, nth: number) => Turn = () => ({ text: "Done." });
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const part of incoming) body += String(part);
    const request = JSON.parse(body) as Request;
    requests.push(request);
    send(response, script(request, requests.length), request.stream === true, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    play(next) {
      requests = [];
      script = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, turn: Turn, isStreamed: boolean, nth: number): void {
  const calls = "call" in turn ? [{ index: 0, id: `call_${nth}`, type: "function", function: turn.call }] : undefined;
  const message = {
    role: "assistant",
    content: "text" in turn ? turn.text : null,
    ...(calls !== undefined && { tool_calls: calls }),
  };
  const reason = calls === undefined ? "stop" : "tool_calls";
  const base = { id: `chatcmpl-${nth}`, created: 1, model: "script" };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (!isStreamed) {
    const body = { ...base, object: "chat.completion", usage, choices: [{ index: 0, message, finish_reason: reason }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const object = "chat.completion.chunk";
  for (const chunk of [
    { ...base, object, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...base, object, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { ...base, object, choices: [], usage },
  ]) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}
