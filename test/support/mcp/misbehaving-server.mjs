// An MCP server over stdio that does what real servers should not. Raw JSON-RPC, so that every byte is known.
import { createInterface } from "node:readline";

const write = (text) => process.stdout.write(text);
const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: value }] });
const answered = new Map();
let asked;

const TOOLS = [
  {
    name: "echo",
    description: "Returns its text.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
  },
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
  {
    name: "weather",
    description: "Returns structured content.",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  },
  { name: "nameless", inputSchema: { type: "object" } },
];

const CALLS = {
  echo: (id, { text: value }) => send({ id, result: text(String(value)) }),
  add(id, { a, b }) {
    if (typeof a !== "number" || typeof b !== "number")
      send({ id, result: { isError: true, ...text("Input validation error: Invalid arguments for tool add") } });
    else send({ id, result: text(String(a + b)) });
  },
  weather: (id, { bad }) =>
    send({ id, result: { ...text("21"), structuredContent: bad ? { degrees: "warm" } : { degrees: 21 } } }),
  fails: (id) => send({ id, result: { isError: true, ...text("kaboom") } }),
  rpc_error: (id) => send({ id, error: { code: -32602, message: "Unknown tool: rpc_error", data: { hint: "x" } } }),
  empty: (id) => send({ id, result: { content: [] } }),
  huge: (id, { size = 2_000_000 }) => send({ id, result: text("x".repeat(size)) }),
  huge_error: (id, { size = 6_000_000 }) =>
    write(
      `{"result":{"content":[{"type":"text","text":"${"x".repeat(size)}"}],"isError":true},"jsonrpc":"2.0","id":${id}}\n`,
    ),
  unicode: (id) => send({ id, result: text("grüße 🙂 \u2028 \u0000") }),
  odd_spacing: (id) => write(` { "id" : ${id} , "jsonrpc":"2.0",\t"result":{"content":[ ]}}\r\n`),
  hang() {},
  async slow(id) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    send({ id, result: text("done") });
  },
  noise(id) {
    write("starting up, please wait\n\n");
    process.stderr.write("a line on stderr\n");
    send({ id, result: text("ok") });
  },
  progress(id, _args, meta) {
    for (let at = 1; at <= 3; at += 1)
      send({ method: "notifications/progress", params: { progressToken: meta.progressToken, progress: at, total: 3 } });
    send({ id, result: text("ok") });
  },
  list_changed(id) {
    for (let at = 0; at < 3; at += 1) send({ method: "notifications/tools/list_changed" });
    send({ id, result: text("ok") });
  },
  elicit(id) {
    asked = id;
    send({ id: 0, method: "elicitation/create", params: { message: "Which?", requestedSchema: { type: "object" } } });
  },
  sample(id) {
    asked = id;
    send({ id: 0, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
  },
  asks_back(id, _args, _meta, params) {
    if (params.requestState === undefined)
      send({ id, result: { resultType: "input_required", inputRequests: { who: {} }, requestState: "state-1" } });
    else send({ id, result: { resultType: "complete", ...text(params.inputResponses.who) } });
  },
  task: (id) => send({ id, result: { task: { taskId: "t1", status: "working" } } }),
  crash: () => process.exit(7),
  killed: () => process.kill(process.pid, "SIGKILL"),
  half_line() {
    write('{"jsonrpc":"2.0","id":');
    process.exitCode = 3;
    process.exit();
  },
};

process.on("SIGTERM", () => {
  process.stderr.write("SIGTERM\n");
  process.exit(0);
});
if (process.argv.includes("--print-pid")) process.stderr.write(`pid ${process.pid}\n`);
if (process.argv.includes("--ignore-interrupt")) process.on("SIGINT", () => process.stderr.write("SIGINT\n"));

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  for (const one of Array.isArray(message) ? message : [message]) handle(one);
});
lines.on("close", () => {
  if (!process.argv.includes("--ignore-end")) process.exit(0);
});

function handle({ id, method, params = {}, result }) {
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "misbehaving", version: "1.2.3" },
      },
    });
  else if (method === "server/discover") send({ id, error: { code: -32601, message: "Method not found" } });
  else if (method === "tools/list")
    send({
      id,
      result: params.cursor === undefined ? { tools: TOOLS.slice(0, 2), nextCursor: "2" } : { tools: TOOLS.slice(2) },
    });
  else if (method === "tools/call") {
    answered.set(id, params.name);
    const tool = CALLS[params.name];
    if (tool === undefined) send({ id, error: { code: -32602, message: `Unknown tool: ${params.name}` } });
    else tool(id, params.arguments ?? {}, params._meta ?? {}, params);
  } else if (method === "tasks/get") send({ id, result: { taskId: params.taskId, status: "working" } });
  else if (method === "tasks/result") send({ id, result: text("task done") });
  else if (method === undefined && asked !== undefined) {
    send({ id: asked, result: text(JSON.stringify(result)) });
    asked = undefined;
  }
}
