import { setTimeout as wait } from "node:timers/promises";
import type { Script } from "./upstream/script.ts";
import { call, respond } from "./upstream/turn.ts";

const TOOLS = ["Bash", "Read", "Edit"] as const;

/** The next tool to call, if any. The model receives only new items: the client states its progress. */
function nextCall(
  messages: readonly unknown[],
): { readonly name: string; readonly arguments: { step: number } } | undefined {
  const [, done, total] = /step (\d+) of (\d+)/.exec(JSON.stringify(messages)) ?? [];
  const step = Number(done);
  return step < Number(total) ? { name: TOOLS[step % 3] as string, arguments: { step } } : undefined;
}

/** The model calls one tool after the other. */
export const chainedScript: Script = ({ messages }) => {
  const next = nextCall(messages);
  return next === undefined ? respond("Done.") : respond(call(next.name, next.arguments));
};

/** The same, from a server that reuses one id for every call. */
export const reusingScript: Script = ({ messages }) => {
  const next = nextCall(messages);
  return next === undefined ? respond("Done.") : respond(call(next.name, next.arguments, "call_0"));
};

/** The same, from a model that leaks its calls as text. */
export const leakingScript: Script = ({ messages }) => {
  const next = nextCall(messages);
  return respond(next === undefined ? "Done." : `<tool_call>\n${JSON.stringify(next)}\n</tool_call>`);
};

/** The same, with arguments that are longer than a record stores. */
export const longLeakingScript: Script = ({ messages }) => {
  const next = nextCall(messages);
  if (next === undefined) return respond("Done.");
  const args = { ...next.arguments, note: "some words ".repeat(60) };
  return respond(`<tool_call>\n${JSON.stringify({ ...next, arguments: args })}\n</tool_call>`);
};

export interface ChainOptions {
  readonly proxies: () => readonly string[];
  readonly chains: number;
  readonly steps: number;
  /** How the request refers to the stored conversation. */
  readonly by: "previous_response_id" | "conversation";
  /** One request in this many is sent to two proxies concurrently, like a client that retries too early. */
  readonly twiceIn?: number;
  readonly pauseMs?: number;
}

export interface ChainResult {
  readonly requests: number;
  readonly calls: number;
  readonly failed: readonly string[];
}

interface ChainResponse {
  readonly id: string;
  readonly output: readonly { readonly type: string; readonly call_id?: string }[];
}

/** Clients of the Responses API that leave their history to the provider; each request goes to a random proxy. */
export async function chain(options: ChainOptions): Promise<ChainResult> {
  const failed: string[] = [];
  let [requests, calls, seed] = [0, 0, 11];
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const send = async (body: object): Promise<ChainResponse | undefined> => {
    const proxies = options.proxies();
    requests += 1;
    const response = await fetch(`${proxies[random(proxies.length)]}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer test" },
      body: JSON.stringify({ model: "m", tools: TOOLS.map((name) => ({ type: "function", name })), ...body }),
    });
    if (response.ok) return (await response.json()) as ChainResponse;
    failed.push(`${response.status}: ${await response.text()}`);
    return undefined;
  };
  const runChain = async (number: number): Promise<void> => {
    const conversation = options.by === "conversation" ? { conversation: `conv_${number}` } : {};
    let response = await send({ input: `Chain ${number}, step 0 of ${options.steps}`, ...conversation });
    for (let step = 1; ; step += 1) {
      const used = response?.output.find(({ type }) => type === "function_call");
      if (response === undefined || used === undefined) return;
      calls += 1;
      await wait(options.pauseMs ?? 0);
      const output = step % 4 === 0 ? `Error: step ${step} of ${options.steps}` : `step ${step} of ${options.steps}`;
      const reference = options.by === "conversation" ? conversation : { previous_response_id: response.id };
      const body = { input: [{ type: "function_call_output", call_id: used.call_id, output }], ...reference };
      const twice = options.twiceIn !== undefined && random(options.twiceIn) === 0;
      [response] = await Promise.all([send(body), twice ? send(body) : undefined]);
    }
  };
  await Promise.all(Array.from({ length: options.chains }, (_, number) => runChain(number)));
  return { requests, calls, failed };
}
