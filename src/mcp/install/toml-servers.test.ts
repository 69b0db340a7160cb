import { describe, expect, it } from "vitest";
import { tomlServers } from "./toml-servers.ts";

const INLINE = '{ command = "x", env = { KEY = "v" } }';
const listed = (text: string) => tomlServers(text).map((entry) => [entry.kind, entry.name]);

describe("servers in inline tables", () => {
  it.each([
    ["a dotted key", `model = "m"\nmcp_servers.two = ${INLINE}\n`],
    ["a key in the table of servers", `[mcp_servers]\ntwo = ${INLINE}\n`],
    ["a quoted key", `[ mcp_servers ]\n"two" = ${INLINE}\n`],
    ["dotted keys of one server", 'mcp_servers.two.command = "x"\nmcp_servers.two.args = []\n'],
    ["dotted keys in the table of servers", "[mcp_servers]\ntwo.command = 'x'\ntwo.args = []\n"],
  ])("are listed by their name: %s", (_form, text) => {
    expect(listed(text)).toEqual([["skipped", "two"]]);
  });

  it("are listed beside servers in tables", () => {
    expect(listed(`[mcp_servers]\ntwo = ${INLINE}\n[mcp_servers.one]\ncommand = "x"\n`)).toEqual([
      ["skipped", "two"],
      ["command", "one"],
    ]);
  });

  it("keys of other tables are not servers", () => {
    const environment = '[mcp_servers.one.env]\nKEY = "v"\n';
    expect(listed(`[other]\nmcp_servers.two = ${INLINE}\n[mcp_servers]\n${environment}`)).toEqual([]);
  });

  it("one table with all servers is listed as one", () => {
    expect(listed(`mcp_servers = { two = ${INLINE} }\n`)).toEqual([["skipped", "mcp_servers"]]);
  });
});
