import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { http } from "../proxy/http/node-http.ts";
import type { AgentPlan, Step } from "./plan.ts";

/** The plan of a request; the proxy forwards the header like any other. */
export const PLAN_HEADER = "x-demo-plan";
/** The turn of the plan. The agent counts turns, because histories may be rewritten. */
export const TURN_HEADER = "x-demo-turn";

/** Characters per event of a stream, so that text and leaked calls arrive in pieces. */
const CHUNK_CHARS = 12;

export interface DemoUpstream {
  readonly url: string;
  close(): Promise<void>;
}

/** Content of a response: text, then calls. */
interface Turn {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
}

/**
 * Starts an upstream that responds to each agent with the next turn of its plan, through Messages or Chat.
 *
 * @param think waits as long as the model takes to respond
 * @param hasFirstTries whether the model calls undeclared tools first, because the proxy asks it again
 */
export async function startDemoUpstream(
  plans: () => readonly AgentPlan[],
  think: () => Promise<unknown> = async () => undefined,
  hasFirstTries = false,
): Promise<DemoUpstream> {
  let count = 0;
  const server = http.createServer((request, response) => {
    count += 1;
    respond(request, response, plans(), { count, think, hasFirstTries }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

interface Responding {
  readonly count: number;
  readonly think: () => Promise<unknown>;
  readonly hasFirstTries: boolean;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  plans: readonly AgentPlan[],
  { count, think, hasFirstTries }: Responding,
): Promise<void> {
  // The whole request is read before the response begins, as providers do.
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  await think();
  const isFirstTry = hasFirstTries && !body.includes(ASKED_AGAIN);
  const turn = turnFor(request.headers, plans, count, isFirstTry);
  const plan = plans.find(({ name }) => name === request.headers[PLAN_HEADER]);
  const isMessages = request.url?.endsWith("/messages") === true;
  if (plan?.streaming === true) sendStream(response, isMessages ? messagesEvents(turn) : chatEvents(turn));
  else sendJson(response, isMessages ? messageOf(turn) : completionOf(turn));
}

/** Start of the proxy's message to a model that is asked again. */
const ASKED_AGAIN = "[toolmend]";

function turnFor(
  headers: IncomingMessage["headers"],
  plans: readonly AgentPlan[],
  count: number,
  isFirstTry: boolean,
): Turn {
  const plan = plans.find(({ name }) => name === headers[PLAN_HEADER]);
  const steps = plan?.turns[Number(headers[TURN_HEADER])];
  const base = { id: `demo${count}`, model: plan?.model ?? "demo" };
  if (steps === undefined) return { ...base, text: "All done.", calls: [] };
  const leaked = steps.filter((step) => step.leaked === true).map(asText);
  const native = steps.filter((step) => step.leaked !== true);
  return {
    ...base,
    text: ["Let me see.", ...leaked].join("\n"),
    calls: native.map(({ tool, arguments: input, callId, firstTry = tool }, at) => ({
      id: callId ?? `${plan?.api === "chat" ? "call" : "toolu"}_demo${count}n${at}`,
      name: isFirstTry ? firstTry : tool,
      input,
    })),
  };
}

/** A leaked call as models of the Hermes family write it. */
function asText({ tool, arguments: args }: Step): string {
  return `<tool_call>\n${JSON.stringify({ name: tool, arguments: args })}\n</tool_call>`;
}

const USAGE = { input_tokens: 120, output_tokens: 40 };

function messageOf({ id, model, text, calls }: Turn): object {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text }, ...calls.map((call) => ({ type: "tool_use", ...call }))],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: USAGE,
  };
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

function messagesEvents(turn: Turn): readonly string[] {
  const events: Event[] = [{ type: "message_start", message: { ...messageOf(turn), content: [], stop_reason: null } }];
  const block = (index: number, start: object, deltas: readonly object[]): void => {
    events.push({ type: "content_block_start", index, content_block: start });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
  };
  block(
    0,
    { type: "text", text: "" },
    pieces(turn.text).map((text) => ({ type: "text_delta", text })),
  );
  for (const [at, { input, ...call }] of turn.calls.entries()) {
    const json = pieces(JSON.stringify(input)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
    block(at + 1, { type: "tool_use", ...call, input: {} }, json);
  }
  const stop_reason = turn.calls.length > 0 ? "tool_use" : "end_turn";
  events.push({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE });
  events.push({ type: "message_stop" });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function completionOf(turn: Turn): object {
  const message = {
    role: "assistant",
    content: turn.text,
    ...(turn.calls.length > 0 && { tool_calls: turn.calls.map(chatCall) }),
  };
  return {
    ...chatHead(turn, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finishReason(turn) }],
    usage: { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 },
  };
}

function chatEvents(turn: Turn): readonly string[] {
  const chunk = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({
      ...chatHead(turn, "chat.completion.chunk"),
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
  const deltas: object[] = [
    { role: "assistant", content: "" },
    ...pieces(turn.text).map((content) => ({ content })),
    ...turn.calls.map((call, index) => ({ tool_calls: [{ index, ...chatCall(call) }] })),
  ];
  return [...deltas.map((delta) => chunk(delta, null)), chunk({}, finishReason(turn)), "data: [DONE]\n\n"];
}

function chatHead({ id, model }: Turn, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: 0, model };
}

function chatCall({ id, name, input }: Turn["calls"][number]): object {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function finishReason({ calls }: Turn): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function pieces(text: string): readonly string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK_CHARS) list.push(text.slice(at, at + CHUNK_CHARS));
  return list;
}

function sendStream(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(event);
  response.end();
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
