// MCP servers from the npm registry, called through the SDK's client. They have no network but 127.0.0.1, so those that
// need a remote service fail as they would behind a broken proxy.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { projectFolder } from "../scrub.ts";
import type { Category, Label, Producer, ProducerContext, Row } from "../types.ts";
import { createPicker, fill, hashText, wordsOf } from "../words.ts";

interface Call {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Missing for a success. */
  readonly category?: Category;
  readonly also?: readonly Category[];
  readonly fact?: string;
  /** The server reports the failure as text only, without its flag. */
  readonly textOnly?: boolean;
}

interface Server {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

const good = (name: string, tool: string, args: Readonly<Record<string, unknown>> = {}): Call => ({ name, tool, args });
const wrong = (
  name: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  category: Category,
  fact: string,
  also: readonly Category[] = [],
): Call => ({ name, tool, args, category, fact, also });

const F = "@root@";
const FILESYSTEM: readonly Call[] = [
  wrong("read-missing", "read_text_file", { path: `${F}/@missing@` }, "not_found", "@missing@"),
  wrong("read-outside", "read_text_file", { path: "/etc/passwd" }, "permission_denied", "/etc/passwd", ["error"]),
  wrong("read-folder", "read_text_file", { path: `${F}/src` }, "error", "EISDIR", [
    "precondition",
    "invalid_arguments",
  ]),
  wrong("read-no-path", "read_text_file", {}, "invalid_arguments", "path"),
  wrong("read-bad-type", "read_text_file", { path: 7 }, "invalid_arguments", "path"),
  wrong(
    "head-and-tail",
    "read_text_file",
    { path: `${F}/app.log`, head: 1, tail: 1 },
    "invalid_arguments",
    "head and tail",
    ["error"],
  ),
  wrong(
    "write-folder-missing",
    "write_file",
    { path: `${F}/@dir@/@stem@/@file@`, content: "x" },
    "not_found",
    "@stem@",
    ["error", "permission_denied"],
  ),
  wrong(
    "edit-no-match",
    "edit_file",
    { path: `${F}/app.log`, edits: [{ oldText: "@id@ = 4", newText: "x" }] },
    "precondition",
    "@id@ = 4",
    ["not_found", "error"],
  ),
  wrong("list-missing", "list_directory", { path: `${F}/@dir@` }, "not_found", "@dir@"),
  wrong("list-file", "list_directory", { path: `${F}/app.log` }, "error", "ENOTDIR", [
    "precondition",
    "invalid_arguments",
  ]),
  wrong("move-missing", "move_file", { source: `${F}/@missing@`, destination: `${F}/x` }, "not_found", "@missing@"),
  wrong("info-missing", "get_file_info", { path: `${F}/@missing@` }, "not_found", "@missing@"),
  wrong("tree-outside", "directory_tree", { path: "/usr" }, "permission_denied", "/usr", ["error"]),
  wrong("unknown-tool", "delete_@stem@", { path: F }, "unknown_tool", "delete_@stem@", [
    "not_found",
    "invalid_arguments",
  ]),
  good("read-log", "read_text_file", { path: `${F}/app.log` }),
  good("read-source", "read_file", { path: `${F}/src/error.ts` }),
  good("read-many-one-missing", "read_multiple_files", { paths: [`${F}/app.log`, `${F}/src/error.ts`] }),
  good("write", "write_file", { path: `${F}/@file@`, content: "error: none\n" }),
  good("edit", "edit_file", { path: `${F}/src/error.ts`, edits: [{ oldText: "Error", newText: "Failure" }] }),
  good("list", "list_directory", { path: F }),
  good("tree", "directory_tree", { path: F }),
  good("search", "search_files", { path: F, pattern: "*error*" }),
  good("search-none", "search_files", { path: F, pattern: "@id@" }),
  good("info", "get_file_info", { path: `${F}/app.log` }),
  good("allowed", "list_allowed_directories"),
  good("mkdir", "create_directory", { path: `${F}/@dir@` }),
];

const gitlab = (status: number, reason: string, category: Category, also: readonly Category[] = []): Server => ({
  name: "server-gitlab",
  args: [],
  env: { GITLAB_PERSONAL_ACCESS_TOKEN: "x", GITLAB_API_URL: `@url@/status/${status}` },
  calls: [
    wrong(`issue-${status}`, "create_issue", { project_id: "@stem@/@other@", title: "@msg@" }, category, reason, [
      "error",
      ...also,
    ]),
    wrong(
      `branch-${status}`,
      "create_branch",
      { project_id: "@stem@/@other@", branch: "@branch@", ref: "main" },
      category,
      reason,
      ["error", ...also],
    ),
    wrong(`fork-${status}`, "fork_repository", { project_id: "@stem@/@other@" }, category, reason, ["error", ...also]),
  ],
});

const SERVERS: readonly Server[] = [
  { name: "server-filesystem", args: [F], calls: FILESYSTEM },
  {
    name: "server-memory",
    args: [],
    env: { MEMORY_FILE_PATH: `${F}/memory.jsonl` },
    calls: [
      good("create", "create_entities", {
        entities: [{ name: "@stem@", entityType: "error", observations: ["@msg@"] }],
      }),
      wrong(
        "observe-missing",
        "add_observations",
        { observations: [{ entityName: "@other@x", contents: ["@msg@"] }] },
        "not_found",
        "@other@x",
        ["error"],
      ),
      wrong("bad-entities", "create_entities", { entities: "@stem@" }, "invalid_arguments", "entities"),
      wrong("no-query", "search_nodes", {}, "invalid_arguments", "query"),
      good("search", "search_nodes", { query: "@stem@" }),
      good("search-none", "search_nodes", { query: "@id2@zz" }),
      good("graph", "read_graph"),
      good("delete-missing", "delete_entities", { entityNames: ["@other@y"] }),
    ],
  },
  {
    name: "server-everything",
    args: [],
    calls: [
      good("echo", "echo", { message: "error: @msg@ was fixed" }),
      wrong("echo-no-message", "echo", {}, "invalid_arguments", "message"),
      good("sum", "get-sum", { a: 2, b: 40 }),
      wrong("sum-bad", "get-sum", { a: "@stem@", b: 1 }, "invalid_arguments", "a"),
      good("annotated-error", "get-annotated-message", { messageType: "success" }),
      wrong("annotated-bad", "get-annotated-message", { messageType: "@stem@" }, "invalid_arguments", "messageType"),
      good("structured", "get-structured-content", { location: "Chicago" }),
      wrong("unknown", "get-@stem@", {}, "unknown_tool", "get-@stem@", ["not_found", "invalid_arguments"]),
    ],
  },
  {
    name: "server-github",
    args: [],
    calls: [
      wrong("search", "search_repositories", { query: "@stem@" }, "network", "fetch failed", ["error"]),
      wrong("issue", "get_issue", { owner: "@user@", repo: "@stem@", issue_number: 4 }, "network", "fetch failed", [
        "error",
      ]),
      wrong("issue-bad", "get_issue", { owner: "@user@" }, "invalid_arguments", "repo", ["error"]),
      wrong("commits", "list_commits", { owner: "@user@", repo: "@stem@" }, "network", "fetch failed", ["error"]),
      wrong("unknown", "delete_@stem@", {}, "unknown_tool", "delete_@stem@", [
        "not_found",
        "error",
        "invalid_arguments",
      ]),
    ],
  },
  gitlab(401, "Unauthorized", "auth", ["http_client_error"]),
  gitlab(403, "Forbidden", "permission_denied", ["http_client_error", "auth"]),
  gitlab(404, "Not Found", "not_found", ["http_client_error"]),
  gitlab(409, "Conflict", "http_client_error", ["precondition"]),
  gitlab(422, "Unprocessable Entity", "http_client_error", ["invalid_arguments"]),
  gitlab(429, "Too Many Requests", "rate_limited", ["http_client_error"]),
  gitlab(500, "Internal Server Error", "http_server_error"),
  gitlab(503, "Service Unavailable", "http_server_error"),
  {
    name: "server-slack",
    args: [],
    env: { SLACK_BOT_TOKEN: "x", SLACK_TEAM_ID: "y" },
    calls: [
      { ...wrong("channels", "slack_list_channels", {}, "network", "fetch failed", ["error"]), textOnly: true },
      {
        ...wrong("post-bad", "slack_post_message", { text: "@msg@" }, "invalid_arguments", "channel_id", ["error"]),
        textOnly: true,
      },
      {
        ...wrong("unknown", "slack_@stem@", {}, "unknown_tool", "slack_@stem@", ["not_found", "error"]),
        textOnly: true,
      },
    ],
  },
  {
    name: "server-brave-search",
    args: [],
    env: { BRAVE_API_KEY: "k" },
    calls: [
      wrong("web", "brave_web_search", { query: "@msg@" }, "network", "fetch failed", ["error"]),
      wrong("bad", "brave_web_search", {}, "invalid_arguments", "brave_web_search", ["error"]),
    ],
  },
  {
    name: "server-google-maps",
    args: [],
    env: { GOOGLE_MAPS_API_KEY: "k" },
    calls: [
      wrong("geocode", "maps_geocode", { address: "@stem@" }, "network", "fetch failed", ["error"]),
      wrong("unknown", "maps_@stem@", {}, "unknown_tool", "maps_@stem@", ["not_found", "error"]),
    ],
  },
  {
    name: "server-postgres",
    args: ["postgresql://postgres@127.0.0.1:54329/postgres"],
    calls: [
      good("rows", "query", { sql: "select 'error: @msg@' as note, 0 as failed" }),
      good("no-rows", "query", { sql: "select 1 as error where false" }),
      wrong("no-table", "query", { sql: "select * from @mod@" }, "not_found", "@mod@", ["error"]),
      wrong("syntax", "query", { sql: "selec 1" }, "error", "syntax error", ["invalid_arguments"]),
      wrong("read-only", "query", { sql: "create table @mod@(a int)" }, "permission_denied", "read-only transaction", [
        "error",
        "precondition",
      ]),
      wrong("division", "query", { sql: "select 1/0" }, "error", "division by zero"),
    ],
  },
  {
    name: "server-postgres",
    args: ["postgresql://postgres@127.0.0.1:40001/postgres"],
    calls: [wrong("refused", "query", { sql: "select 1" }, "network", "ECONNREFUSED", ["error"])],
  },
  {
    name: "server-sequential-thinking",
    args: [],
    calls: [
      good("thought", "sequentialthinking", {
        thought: "the error comes from @stem@",
        nextThoughtNeeded: true,
        thoughtNumber: 1,
        totalThoughts: 3,
      }),
      wrong("bad", "sequentialthinking", { thought: "x" }, "invalid_arguments", "nextThoughtNeeded"),
    ],
  },
];

interface Result {
  readonly text: string;
  readonly flagged: boolean;
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  try {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 20_000 });
    const blocks = result.content as readonly { readonly type: string; readonly text?: string }[];
    return { text: blocks.map(({ text }) => text ?? "").join("\n"), flagged: result.isError === true };
  } catch (error) {
    return { text: (error as Error).message, flagged: true };
  }
}

const WRAPPERS: readonly ((tool: string, text: string) => string)[] = [
  (tool, text) => `Error calling tool '${tool}': ${text}`,
  (tool, text) => `Tool ${tool} returned an error:\n${text}`,
  (_, text) => `<tool_error>${text}</tool_error>`,
  (tool, text) => JSON.stringify({ tool, ok: false, error: text }),
];

function toRows(
  server: string,
  call: Call,
  result: Result,
  words: Readonly<Record<string, string>>,
  seed: number,
): readonly Row[] {
  const failed = call.category !== undefined;
  const fact = failed ? fill(call.fact ?? "", words) : "";
  const tool = fill(call.tool, words);
  const base = {
    ...{
      family: "mcp",
      program: server,
      breakage: call.name,
      language: "en",
      seed,
      exit_code: null,
      soft: false,
      convention: null,
    },
    tool_name: createPicker(seed)([
      tool,
      `mcp__${server.replace("server-", "")}__${tool}`,
      `${server.replace("server-", "")}-${tool}`,
    ]),
    ...{ arguments: JSON.parse(fill(JSON.stringify(call.args), words)), label: (failed ? "error" : "ok") as Label },
    ...{ category: call.category ?? null, also: call.also ?? [], fact: result.text.includes(fact) ? fact : "" },
  } as const;
  const envelope = JSON.stringify({ content: [{ type: "text", text: result.text }], isError: result.flagged });
  const id = (variant: string) => `mcp/${server}/${call.name}/${seed}/${variant}`;
  const rows: Row[] = [
    { ...base, id: id("hidden"), content: result.text, status_shown: "hidden", status_style: "none" },
    {
      ...base,
      id: id("shown"),
      content: envelope,
      status_shown: "shown",
      status_style: "mcp-json",
      soft: failed && !result.flagged,
    },
  ];
  if (failed)
    rows.push({
      ...base,
      id: id("wrapped"),
      content: createPicker(seed)(WRAPPERS)(tool, result.text),
      status_shown: "hidden",
      status_style: "wrapper",
    });
  return rows;
}

async function produce({ scratch, cache, services, skip }: ProducerContext): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [n, server] of SERVERS.entries()) {
    const home = join(cache, "npm/node_modules/@modelcontextprotocol", server.name);
    if (!existsSync(home)) {
      skip(server.name, "not installed");
      continue;
    }
    const [bin] = Object.values(
      JSON.parse(readFileSync(join(home, "package.json"), "utf8")).bin as Record<string, string>,
    );
    for (let k = 0; k < 2; k++) {
      const seed = 70_000 + n * 211 + k * 3;
      const root = join(scratch, `mcp-${n}-${k}`);
      mkdirSync(join(root, "src"), { recursive: true });
      const words = { ...wordsOf(seed), root, url: `http://127.0.0.1:${services.http}` };
      writeFileSync(join(root, "app.log"), fill("INFO start\nERROR @msg@\nINFO recovered\n", words));
      writeFileSync(join(root, "src/error.ts"), fill("export class @type@ extends Error {}\n", words));
      const env = Object.fromEntries(Object.entries(server.env ?? {}).map(([key, value]) => [key, fill(value, words)]));
      const client = new Client({ name: "lab", version: "1.0.0" });
      try {
        const args = [join(home, bin as string), ...server.args.map((arg) => fill(arg, words))];
        await client.connect(
          new StdioClientTransport({ command: "node", args, env: { PATH: "/usr/bin:/bin", ...env }, stderr: "ignore" }),
        );
        for (const call of server.calls) {
          const raw = await callTool(
            client,
            fill(call.tool, words),
            JSON.parse(fill(JSON.stringify(call.args), words)),
          );
          const text = raw.text.replaceAll(root, projectFolder(seed)).replaceAll(cache, "/home/dev/.cache");
          const expected = call.category !== undefined && call.textOnly !== true;
          if (raw.flagged !== expected)
            skip(`${server.name}/${call.name}`, `flag ${raw.flagged}: ${text.slice(0, 120)}`);
          else
            rows.push(
              ...toRows(
                server.name,
                call,
                { ...raw, text },
                { ...words, root: projectFolder(seed) },
                seed + (hashText(call.name) % 7),
              ),
            );
        }
      } catch (error) {
        skip(server.name, (error as Error).message);
      } finally {
        await client.close().catch(() => {});
        rmSync(root, { recursive: true, force: true });
      }
    }
  }
  return rows;
}

export const MCP: Producer = { name: "mcp", version: "2", produce };
