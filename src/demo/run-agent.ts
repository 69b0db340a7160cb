import { setTimeout as wait } from "node:timers/promises";
import { present } from "../core/model/narrow.ts";
import { EventFramer } from "../core/wire/event-framer.ts";
import { type DecodedResponse, WIRE } from "../core/wire/index.ts";
import { PLAN_HEADER, TURN_HEADER } from "./demo-upstream.ts";
import type { Ledger } from "./ledger.ts";
import type { Pace } from "./pace.ts";
import type { AgentPlan, Step } from "./plan.ts";

/** A message of either API. */
export type Message = Readonly<Record<string, unknown>>;

const PATHS = { anthropic: "/v1/messages", chat: "/v1/chat/completions" } as const;

export interface AgentOptions {
  /** Retries after a broken connection, as real clients do. */
  readonly retries?: number;
  readonly retryMs?: number;
  /** How long the tools of a turn run; the agent stops early if it returns false. */
  readonly runTools?: Pace["runTools"];
}

/** Runs one agent against the proxy over HTTP, with its whole history in every request. Returns the history. */
export async function runAgent(
  plan: AgentPlan,
  baseUrl: string,
  ledger: Ledger,
  options: AgentOptions = {},
): Promise<readonly Message[]> {
  const messages: Message[] = [...systemMessages(plan), { role: "user", content: plan.prompt }];
  await reportSession(plan, baseUrl);
  for (const [turn, steps] of plan.turns.entries()) {
    const response = await sendTurn(plan, baseUrl, messages, turn, options);
    messages.push(...(plan.api === "anthropic" ? anthropicTurn(response, steps) : chatTurn(response, steps)));
    for (const { tool, expected } of steps)
      ledger.add({ agent: plan.name, model: plan.model, api: plan.api, tool, expected });
    if ((await options.runTools?.(steps)) === false) return messages;
  }
  // The last results reach the upstream with one more request.
  await sendTurn(plan, baseUrl, messages, plan.turns.length, options);
  return messages;
}

/** Many clients describe their environment to the model like this. */
function systemMessages({ cwd }: AgentPlan): readonly Message[] {
  if (cwd === undefined) return [];
  return [{ role: "system", content: `You are a coding agent.\n<env>\n  Working directory: ${cwd}\n</env>` }];
}

/** Reports where the session works, like the client's hook. */
async function reportSession({ session }: AgentPlan, baseUrl: string): Promise<void> {
  if (session === undefined) return;
  const now = Date.now();
  await fetch(`${baseUrl}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: JSON.stringify({
      ...{ v: 1, kind: "session", event: "started", project: "default", agent_id: "root", source: "hook", live: true },
      ...{ session_id: session.id, folder: session.folder, branch: session.branch, client: "claude-code" },
      ...{ occurred_at: now, seen_at: now },
    }),
  }).then(
    (response) => response.arrayBuffer(),
    // The agent also works without its hook.
    () => undefined,
  );
}

/** Sends a history as the request of a turn. */
export async function sendTurn(
  plan: AgentPlan,
  baseUrl: string,
  messages: readonly Message[],
  turn: number,
  { retries = 0, retryMs = 100 }: AgentOptions = {},
): Promise<DecodedResponse> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendTurnOnce(plan, baseUrl, messages, turn);
    } catch (error) {
      // fetch throws a TypeError if the connection fails or is aborted; error responses are not retried.
      if (!(error instanceof TypeError) || attempt >= retries) throw error;
      await wait(retryMs);
    }
  }
}

async function sendTurnOnce(
  plan: AgentPlan,
  baseUrl: string,
  messages: readonly Message[],
  turn: number,
): Promise<DecodedResponse> {
  const response = await fetch(baseUrl + PATHS[plan.api], {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...plan.headers,
      [PLAN_HEADER]: plan.name,
      [TURN_HEADER]: String(turn),
    },
    body: JSON.stringify({
      model: plan.model,
      max_tokens: 1024,
      stream: plan.streaming,
      tools: toolsOf(plan),
      messages,
    }),
  });
  if (!response.ok) throw new Error(`the demo's upstream returned ${response.status}: ${await response.text()}`);
  const wire = WIRE[plan.api];
  if (!plan.streaming) return present(wire.decodeResponse(await response.json()));
  const [framer, decoder] = [new EventFramer(), wire.createStreamDecoder()];
  for await (const chunk of response.body ?? []) {
    for (const { data } of framer.push(chunk)) if (data !== undefined) decoder.push(data);
  }
  return decoder.end();
}

function toolsOf(plan: AgentPlan): readonly object[] {
  const names = [...new Set(plan.turns.flat().map(({ tool }) => tool))];
  const parameters = { type: "object" };
  return names.map((name) =>
    plan.api === "anthropic"
      ? { name, input_schema: parameters }
      : { type: "function", function: { name, parameters } },
  );
}

function anthropicTurn(response: DecodedResponse, steps: readonly Step[]): readonly Message[] {
  const calls = response.calls.map(({ id, name, arguments: input }) => ({
    type: "tool_use",
    id,
    name,
    input: typeof input === "string" ? JSON.parse(input) : input,
  }));
  const results = response.calls.map(({ id }, at) => ({
    type: "tool_result",
    tool_use_id: id,
    content: steps[at]?.result,
    ...(steps[at]?.isError !== undefined && { is_error: steps[at].isError }),
  }));
  return [
    { role: "assistant", content: [{ type: "text", text: response.text }, ...calls] },
    { role: "user", content: results },
  ];
}

function chatTurn(response: DecodedResponse, steps: readonly Step[]): readonly Message[] {
  const calls = response.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  const results = response.calls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: steps[at]?.result }));
  return [{ role: "assistant", content: response.text, tool_calls: calls }, ...results];
}
