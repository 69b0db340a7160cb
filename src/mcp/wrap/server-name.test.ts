import { expect, it } from "vitest";
import { parseWrapArguments } from "./wrap-arguments.ts";

it.each([
  ["my-server --port 1", "my-server"],
  ["/usr/bin/my-server", "my-server"],
  ["npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /tmp", "server-filesystem"],
  ["npx -y -p some-package weather", "weather"],
  ["npx.cmd some-package@latest", "some-package"],
  ["uvx --from git+https://example.com/x mcp-git", "mcp-git"],
  ["uv run --directory /srv weather.py", "weather"],
  ["uv tool run mcp-git", "mcp-git"],
  ["python3 -m mcp_server_git --repository .", "mcp_server_git"],
  ["node /srv/weather/build/index.js", "weather"],
  [
    "node --import tsx /srv/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio",
    "server-everything",
  ],
  ["node --env-file=.env server.mjs", "server"],
  ["/opt/node/bin/node C:\\srv\\weather\\main.js", "weather"],
  ["deno run -A jsr:@scope/mcp", "mcp"],
  ["pnpm dlx some-package", "some-package"],
  ["node", "node"],
  ["npx -y", "npx"],
])("names the server that %j starts %s", (command, name) => {
  expect(parseWrapArguments(["--", ...command.split(" ")])).toMatchObject({ kind: "wrap", name });
});

it("prefers the given name", () => {
  expect(parseWrapArguments(["--name", "mine", "--", "npx", "x"])).toMatchObject({ name: "mine" });
});
