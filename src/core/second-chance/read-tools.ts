import { DecodedTool, requestTools } from "../repair/client-tools.ts";
import { forbidsTools, isStoredByProvider } from "../repair/read-request.ts";
import { type Fields, isArray, isObject } from "../wire/json.ts";
import type { Api } from "../wire/turn.ts";
import type { CallableTool } from "./hopeless-calls.ts";

/**
 * The tools of a request whose response may be requested again. Undefined if it must not be: the provider stores the
 * conversation, or runs its own tools, which would run twice, or the client wants several choices or log probabilities.
 */
export function secondChanceTools(
  api: Api,
  body: unknown,
  decodeUtf8: <T>(value: T) => T = (value) => value,
): ReadonlyMap<string, CallableTool> | undefined {
  if (!isObject(body) || forbidsTools(api, body) || isStoredByProvider(api, body) || hasOddOutput(body))
    return undefined;
  const { client, server } = requestTools(api, body);
  if (client.length === 0 || server.size > 0) return undefined;
  return new Map(client.map((tool) => new DecodedTool(tool, decodeUtf8)).map((tool) => [tool.name, tool]));
}

function hasOddOutput({ n, logprobs, top_logprobs, functions, mcp_servers, include }: Fields): boolean {
  const wantsSeveral = typeof n === "number" && n > 1;
  const wantsProbabilities =
    logprobs === true || (typeof top_logprobs === "number" && top_logprobs > 0) || includesProbabilities(include);
  return wantsSeveral || wantsProbabilities || isFilled(functions) || isFilled(mcp_servers);
}

function includesProbabilities(include: unknown): boolean {
  return isArray(include) && include.includes("message.output_text.logprobs");
}

function isFilled(list: unknown): boolean {
  return isArray(list) && list.length > 0;
}
