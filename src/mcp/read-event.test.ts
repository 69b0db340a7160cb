import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RawCallObservation } from "../ingest/observe/observe-call.ts";
import { KnownServers, listKnownServers } from "./known-servers.ts";
import { readMcpLines } from "./read-event.ts";

let folder: string;
let servers: KnownServers;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-mcp-servers-"));
  servers = new KnownServers(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = { kind: "header", v: 1, instance: "i1", server: "math", server_info: { name: "calc", version: "2.0" } };
const ADD = {
  name: "add",
  has_description: true,
  input_schema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" }, labels: { type: "array", items: { type: "string" } } },
    required: ["a", "b"],
  },
  output_schema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
};
const TOOLS = { kind: "tools", is_first: true, tools: [ADD] };

function call(args: unknown, result: object = { content: [], structuredContent: { sum: 3 } }): object {
  return {
    ...{ kind: "call", id: "mcp_1", started_at: 1000, ended_at: 1005, duration_ms: 5 },
    request: { method: "tools/call", params: { name: "add", ...(args !== undefined && { arguments: args }) } },
    response: { jsonrpc: "2.0", id: 1, result },
  };
}

function read(...lines: readonly object[]): readonly RawCallObservation[] {
  const context = { at: 1000, now: 1000, project: "default", hash: (text: string) => text };
  const reading = readMcpLines(lines.map((line) => JSON.stringify(line)).join("\n"), context, servers);
  return reading.kind === "read" ? (reading.rawObservations as readonly RawCallObservation[]) : [];
}

describe("the arguments of a call to an MCP server", () => {
  it("arguments that do not fit are reported with the repair that would make them fit", () => {
    expect(read(HEADER, TOOLS, call({ a: "1", b: 2, labels: '["x"]' }))[0]?.call_repair).toEqual({
      result: "left",
      classes: ["number-as-text", "json-as-text"],
      paths: ["$.a", "$.labels"],
      reason: "observe",
      before: '{"a":"1","b":2,"labels":"[\\"x\\"]"}',
      after: '{"a":1,"b":2,"labels":["x"]}',
    });
  });

  it("arguments that do not fit are reported with the problem if no repair makes them fit", () => {
    expect(read(HEADER, TOOLS, call({ a: 1 }))[0]?.call_repair).toEqual({
      result: "left",
      classes: [],
      paths: [],
      problem: "$.b is required and missing",
      before: '{"a":1}',
    });
  });

  it.each([
    ["they fit", HEADER, { a: 1, b: 2 }],
    ["they were too large to be spooled", HEADER, undefined],
    ["another server of the same name listed the tools", { ...HEADER, server_info: { name: "other" } }, { a: "1" }],
    ["the server listed no tools", { ...HEADER, server: "unlisted" }, { a: "1" }],
  ])("arguments that do not fit are not reported if %s", (_why, header, args) => {
    read(HEADER, TOOLS);
    const [recorded] = read(header, call(args));
    expect(recorded).toMatchObject({ tool_call_id: "mcp_1" });
    expect(recorded).not.toHaveProperty("call_repair");
  });

  it("arguments that do not fit are compared with a list in an earlier file, also after a restart", () => {
    read(HEADER, TOOLS);
    servers = new KnownServers(folder);
    expect(read(HEADER, call({ a: "1", b: 2 }))[0]?.call_repair?.classes).toEqual(["number-as-text"]);
  });

  it("arguments that do not fit are compared with the newest list", () => {
    const changed = { ...ADD, input_schema: { type: "object", properties: { a: { type: "string" } } } };
    read(HEADER, TOOLS, { ...TOOLS, tools: [changed] });
    expect(read(HEADER, call({ a: "1" }))[0]).not.toHaveProperty("call_repair");
  });

  it("arguments that are nested too deeply to be written do not stop the reading of a file", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const line = JSON.stringify(call({ a: 1, b: 2 })).replace('"a":1', `"a":${deep}`);
    const context = { at: 1000, now: 1000, project: "default", hash: (text: string) => text };
    read(HEADER, TOOLS);
    const text = `${JSON.stringify(HEADER)}\n${line}\n${JSON.stringify(call({ a: "1", b: 2 }))}`;
    expect(readMcpLines(text, context, servers)).toMatchObject({ kind: "read", rawObservations: [{}, {}] });
  });
});

describe("the result of a tool with an output schema", () => {
  it.each([
    [{ content: [] }, "structuredContent is missing"],
    [{ content: [], structuredContent: { sum: "many" } }, "structuredContent: $.sum must be number, is string"],
    [{ content: [], structuredContent: {} }, "structuredContent: $.sum is required and missing"],
    [{ content: [], structuredContent: { sum: 3 } }, undefined],
    [{ content: [], isError: true }, undefined],
  ])("a result without structured content is reported if a client may reject it: %j", (result, output) => {
    expect(read(HEADER, TOOLS, call({ a: 1, b: 2 }, result))[0]?.mcp?.output).toBe(output);
  });
});

describe("what is known about a server", () => {
  it("a private file contains the pages of the list and the noise of the last run", () => {
    const second = { kind: "tools", is_first: false, tools: [{ name: "sub", has_description: false }] };
    const run = { kind: "server", started_at: 1, ended_at: 90, noise_lines: 3, dropped_events: 0 };
    read(HEADER, TOOLS, second, run, { ...run, ended_at: 80, noise_lines: 7 });
    expect(listKnownServers(folder)).toEqual([
      {
        ...{ v: 1, server: "math", server_name: "calc", server_version: "2.0" },
        tools: [ADD, { name: "sub", has_description: false }],
        noise: { lines: 3, ended_at: 90 },
      },
    ]);
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});
