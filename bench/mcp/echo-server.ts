// An MCP server that returns the text of each call.
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, params } = JSON.parse(line) as { id: number; params: { arguments: { text: string } } };
  const content = [{ type: "text", text: params.arguments.text }];
  process.stdout.write(`${JSON.stringify({ result: { content }, jsonrpc: "2.0", id })}\n`);
});
