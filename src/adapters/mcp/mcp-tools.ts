import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  abortSignal,
  type Checks,
  callback,
  checkOptions,
  flag,
  milliseconds,
  text,
} from "../../agent/check-options.ts";
import {
  type ContentPart,
  type JsonSchema,
  type ReturnedError,
  readReturnedError,
  type Tool,
  ToolError,
} from "../../agent/index.ts";
import { readPart } from "../../agent/model/content-part.ts";
import { toolOf as defineServerTool } from "../../agent/registry/define-tool.ts";
import { isObject, objects, text as textOf } from "../../core/wire/json.ts";

/** The part of an MCP client that is used. */
export type McpClient = Pick<Client, "listTools" | "callTool">;

export interface McpToolsOptions {
  /** Prefix of every tool name: with `files__`, `read` becomes `files__read`. For several servers in one registry. */
  readonly prefix?: string;
  /** Selects tools by their name on the server; all by default. */
  readonly only?: (name: string) => boolean;
  /** Timeout for every tool; the registry's default otherwise. */
  readonly timeoutMs?: number;
  /** Trusts the server's hints that a tool is read-only or idempotent. Such tools can be retried. */
  readonly trustHints?: boolean;
  readonly signal?: AbortSignal;
}

const CHECKS: Checks<keyof McpToolsOptions> = {
  prefix: text,
  only: callback,
  timeoutMs: milliseconds,
  trustHints: flag,
  signal: abortSignal,
};

type ListedTool = Awaited<ReturnType<McpClient["listTools"]>>["tools"][number];

/** More pages than any real server has. */
const MAX_PAGES = 1000;
/** Disables the client's own timeout of one minute: the registry's timeout applies. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** JSON-RPC code for invalid params: the call was invalid, the tool did not fail. */
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/**
 * The tools of an MCP server as tools of a registry. A failure reported by the server is a failed call.
 *
 * @example
 * const registry = createToolRegistry([...(await mcpTools(client, { prefix: "files__" })), ...ownTools]);
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<Tool[]> {
  checkOptions("mcpTools", options, CHECKS);
  const listed = await allTools(client, options.signal);
  const taken = new Set<string>();
  return listed
    .filter(({ name }) => options.only?.(name) !== false)
    .map((tool) => toolOf(client, tool, uniqueName(`${options.prefix ?? ""}${tool.name}`, taken), options));
}

async function allTools(client: McpClient, signal: AbortSignal | undefined): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools: more, nextCursor } = await client.listTools(params, signal && { signal });
    tools.push(...more);
    // A server that repeats its cursor would never end.
    if (nextCursor === undefined || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return tools;
}

function toolOf(client: McpClient, tool: ListedTool, name: string, { timeoutMs, trustHints }: McpToolsOptions): Tool {
  const { annotations, description } = tool;
  const isRetryable = annotations?.idempotentHint === true || annotations?.readOnlyHint === true;
  return defineServerTool({
    name,
    ...(description !== undefined && { description }),
    // Some servers omit the type, or name another one.
    input: { ...(tool.inputSchema as JsonSchema), type: "object" },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(trustHints === true && isRetryable && { idempotent: true }),
    run: async (input, { signal }) => {
      try {
        return await client.callTool({ name: tool.name, arguments: { ...Object(input) } }, undefined, {
          signal,
          timeout: NO_TIMEOUT_MS,
        });
      } catch (error) {
        if (!isInvalidCall(error)) throw error;
        const kind = GONE.test(error.message) ? "unknown_tool" : "invalid_arguments";
        throw new ToolError(error.message, { kind, cause: error });
      }
    },
    detectError,
    toModel: resultParts,
  }) as Tool;
}

function isInvalidCall(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === INVALID_PARAMS || (error.code === METHOD_NOT_FOUND && GONE.test(error.message));
}

/** The result of an MCP tool for the model. Images and files are kept. */
export function resultParts(result: unknown): string | readonly ContentPart[] {
  if (!isObject(result)) return String(result);
  const parts = objects(result.content).map(
    (part): ContentPart => readPart(part) ?? { kind: "text", text: `[${textOf(part.type) ?? "content"}]` },
  );
  if (parts.length > 0) return parts;
  return JSON.stringify(result.structuredContent ?? result.toolResult ?? null) ?? "null";
}

/** The ways in which servers report a removed tool: as a protocol error, or as a failed result. */
const GONE = /^(?:MCP error -3260[12]: )?(?:tool\b[^\n]{0,200}\b(?:not found|does not exist|disabled)|unknown tool)/i;

/** A tool that the server removed counts as unknown; any other reported error is a failure. */
function detectError(result: unknown): ReturnedError | undefined {
  const error = readReturnedError(result);
  return error !== undefined && GONE.test(error.message) ? { ...error, kind: "unknown_tool" } : error;
}

const MAX_NAME_CHARS = 64;

/** A unique name that every model API accepts. MCP also allows dots, slashes and any length. */
export function uniqueName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "tool";
  let unique = plain;
  for (let n = 2; taken.has(unique); n += 1) unique = `${plain.slice(0, MAX_NAME_CHARS - `_${n}`.length)}_${n}`;
  taken.add(unique);
  return unique;
}
