// Runs real MCP servers with and without the wrapper and compares what an official client receives.
// Usage: npx node scripts/compare-mcp-servers.mjs FOLDER, where FOLDER has the packages below installed.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const folder = resolve(process.argv[2] ?? ".");
const toolmend = fileURLToPath(new URL("../bin/toolmend.mjs", import.meta.url));
const files = mkdtempSync(join(tmpdir(), "mcp-files-"));
writeFileSync(join(files, "a.txt"), "hello\n");

const SERVERS = {
  "@modelcontextprotocol/server-everything": {
    bin: "mcp-server-everything",
    args: ["stdio"],
    calls: [
      ["echo", { message: "hi" }],
      ["get-sum", { a: 1, b: 2 }],
      ["get-sum", { a: "x", b: 2 }],
      ["get-tiny-image", {}],
      ["get-structured-content", { location: "New York" }],
      ["trigger-long-running-operation", { duration: 1, steps: 2 }],
      ["no-such-tool", {}],
    ],
  },
  "@modelcontextprotocol/server-filesystem": {
    bin: "mcp-server-filesystem",
    args: [files],
    calls: [
      ["list_directory", { path: files }],
      ["read_text_file", { path: join(files, "a.txt") }],
      ["read_text_file", { path: join(files, "missing.txt") }],
      ["read_text_file", { path: "/etc/passwd" }],
    ],
  },
  "@modelcontextprotocol/server-memory": {
    bin: "mcp-server-memory",
    args: [],
    calls: [
      ["read_graph", {}],
      ["add_observations", { observations: [{ entityName: "nobody", contents: ["x"] }] }],
    ],
  },
  "@upstash/context7-mcp": { bin: "context7-mcp", args: [], calls: [["no-such-tool", {}]] },
  "mcp-server-kubernetes": {
    bin: "mcp-server-kubernetes",
    args: [],
    calls: [["kubectl_get", { resourceType: "pods" }]],
  },
};

/** What the client receives, without times. */
async function talk({ bin, args, calls }, data) {
  const server = [process.execPath, join(folder, "node_modules", ".bin", bin), ...args];
  const [command, ...rest] =
    data === undefined
      ? server
      : [process.execPath, toolmend, "mcp", "wrap", "--name", "real", "--data", data, "--", ...server];
  const memory = join(mkdtempSync(join(tmpdir(), "mcp-memory-")), "memory.json");
  const env = { ...process.env, MEMORY_FILE_PATH: memory };
  const transport = new StdioClientTransport({ command, args: rest, env, stderr: "ignore" });
  const client = new Client({ name: "compare", version: "1" });
  const received = [];
  await client.connect(transport);
  received.push(client.getServerVersion(), await client.listTools());
  for (const [name, input] of calls)
    received.push(await client.callTool({ name, arguments: input }).catch(({ code, message }) => ({ code, message })));
  await client.close();
  return JSON.stringify(received)
    .replaceAll(memory, "MEMORY")
    .replaceAll(/E\d{4} [\d:.]{8,20} {1,9}\d+/g, "TIME");
}

function recordedCalls(data) {
  const spool = join(data, "spool", "mcp");
  return readdirSync(spool)
    .flatMap((name) => readFileSync(join(spool, name), "utf8").trimEnd().split("\n"))
    .filter((line) => JSON.parse(line).kind === "call").length;
}

let differences = 0;
for (const [name, server] of Object.entries(SERVERS)) {
  const data = mkdtempSync(join(tmpdir(), "mcp-data-"));
  const [bare, wrapped] = [await talk(server), await talk(server, data)];
  const recorded = recordedCalls(data);
  const isSame = bare === wrapped && recorded === server.calls.length;
  if (!isSame) differences += 1;
  console.log(
    `${isSame ? "same     " : "DIFFERENT"} ${name}: ${server.calls.length} calls, ${recorded} recorded, ${bare.length} characters received`,
  );
}
process.exitCode = differences === 0 ? 0 : 1;
