import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vite";
import {
  createToolRegistry,
  type Message,
  type ModelFunction,
  runToolLoop,
  SSE_HEADERS,
  toSSE,
} from "../../src/agent/index.ts";
import { chatCompletions } from "./chat-completions.ts";
import { scriptedModel } from "./scripted-model.ts";
import { TOOLS, type TripContext } from "./tools.ts";

const PAGE = fileURLToPath(new URL("page/", import.meta.url));
const MAX_MESSAGE_CHARS = 10_000;

export interface TripChatOptions {
  readonly port: number;
  readonly model?: ModelFunction;
  /** Receives log lines, including exceptions. */
  readonly log?: (line: string) => void;
}

/** A chat about one trip. Messages are stored in memory only. */
export async function startTripChat({
  port,
  model = scriptedModel,
  log = () => undefined,
}: TripChatOptions): Promise<Server> {
  const messages: Message[] = [];
  const script = await bundlePage();
  const registry = createToolRegistry(TOOLS, {
    log: ({ level, message, ref, cause }) => log(`${level} ${ref ?? ""} ${message} ${String(cause ?? "")}`),
  });

  async function handleChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readMessage(request).catch(() => undefined);
    if (text === undefined) return send(response, 400, "text/plain", "Send a message of at most 10,000 characters.");
    const message: Message = { role: "user", content: text };
    const context: TripContext = { destination: "Paris, France; Lyon; +1 more", stops: ["Lyon"], reply: text };
    // Also stores the results of calls that are aborted because the page was closed.
    const onMessage = (stored: Message): void => void messages.push(stored);
    const run = runToolLoop({ registry, model, messages: [...messages, message], context, onMessage });
    messages.push(message);
    response.writeHead(200, SSE_HEADERS);
    // Closing the page aborts the run at once.
    await pipeline(toSSE(run, { onError: (error) => log(String(error)) }), response).catch(() => undefined);
  }

  const server = createServer((request, response) => {
    const route = `${request.method} ${request.url}`;
    if (isForeign(request)) return send(response, 403, "text/plain", "Requests from other sites are not allowed.");
    if (route === "GET /") send(response, 200, "text/html; charset=utf-8", readFileSync(`${PAGE}index.html`, "utf8"));
    else if (route === "GET /main.js") send(response, 200, "text/javascript", script);
    else if (route === "GET /messages") send(response, 200, "application/json", JSON.stringify(messages));
    else if (route === "POST /chat") void handleChat(request, response);
    else send(response, 404, "text/plain", "Not found.");
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

/** Rejects requests from other sites or host names, because calls to a real model cost money. */
function isForeign({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? "").replace(/:\d+$/, "");
  return headers["sec-fetch-site"] === "cross-site" || !["127.0.0.1", "localhost"].includes(name);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

async function readMessage(request: IncomingMessage): Promise<string | undefined> {
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > MAX_MESSAGE_CHARS) return undefined;
  }
  return text.trim() === "" ? undefined : text;
}

/** Bundles the page's script with `toolmend/view`. */
async function bundlePage(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, rolldownOptions: { input: `${PAGE}main.js` } },
  });
  const [chunk] = Array.isArray(result)
    ? result.flatMap(({ output }) => output)
    : "output" in result
      ? result.output
      : [];
  return chunk?.type === "chunk" ? chunk.code : "";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {
    TRIP_CHAT_MODEL,
    OPENAI_API_KEY = "",
    OPENAI_BASE_URL = "https://api.openai.com/v1",
    PORT = "3000",
  } = process.env;
  const { port } = parseArgs({ options: { port: { type: "string", default: PORT } } }).values;
  const real =
    TRIP_CHAT_MODEL === undefined
      ? {}
      : { model: chatCompletions({ url: OPENAI_BASE_URL, key: OPENAI_API_KEY, model: TRIP_CHAT_MODEL }) };
  const server = await startTripChat({ port: Number(port), log: console.error, ...real });
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
