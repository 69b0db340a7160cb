import { randomUUID } from "node:crypto";
import { chooseClientProfile } from "../../core/detect/clients/choose-profile.ts";
import { isValidId } from "../../core/model/call-key.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { HeaderLookup } from "../../core/wire/index.ts";
import { toObservations } from "../../hook/hook-event.ts";
import type { CallObserver } from "../../ingest/observe/observe-call.ts";
import type { ForwardedExchange } from "../../proxy/forward/forwarded-exchange.ts";
import { headFor, type Upstream } from "../../proxy/upstreams.ts";
import type { McpHeader } from "../event.ts";
import type { KnownServers, KnownTool } from "../known-servers.ts";
import { readMcpLines } from "../read-event.ts";
import { type McpConnection, McpConnections } from "./mcp-connections.ts";
import { McpExchange } from "./mcp-exchange.ts";

export interface McpExchangesOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly servers: KnownServers;
  /** Whether calls are repaired, or only compared with the schemas. */
  readonly repairsCalls: boolean;
  readonly onProblem: (error: unknown) => void;
}

/** Creates the reader of each exchange with an MCP server at `/mcp/NAME`. */
export function createMcpExchanges(options: McpExchangesOptions) {
  const { observer, record, now, servers, repairsCalls, onProblem } = options;
  const connections = new McpConnections(observer.hash);
  return (upstream: Upstream, header: HeaderLookup): ForwardedExchange | undefined => {
    if (header("x-toolmend-record") === "off") return undefined;
    const project = headFor(upstream, header)("x-toolmend-project") ?? "";
    const connectionOf = (sessionId: string): McpConnection => connections.find(upstream.name, sessionId);
    const sessionId = header("mcp-session-id");
    const connection = sessionId === undefined ? connections.withoutSession(upstream.name) : connectionOf(sessionId);
    return new McpExchange({
      server: upstream.name,
      instance: randomUUID().replaceAll("-", ""),
      ...{ connection, connectionOf },
      fallback: clientOf(header("user-agent")),
      now: () => ({ at: now(), clock: performance.now() }),
      ...(repairsCalls && {
        repairableTool: (tool) => repairableTool(servers, upstream.name, tool, connection.known.server_info),
      }),
      record(text) {
        const at = now();
        const context = { at, now: at, project: isValidId(project) ? project : "default", hash: observer.hash };
        const reading = readMcpLines(text, context, servers);
        if (reading.kind === "read") record(toObservations(reading.rawObservations, observer)).catch(onProblem);
      },
    });
  };
}

/** If an argument is repeated in a header, both must stay equal, so calls of such tools stay unchanged. */
function repairableTool(
  servers: KnownServers,
  server: string,
  tool: string,
  info: McpHeader["server_info"],
): KnownTool | undefined {
  const known = servers.toolOf(server, tool, { name: info?.name, version: info?.version });
  return known?.hasHeaderArguments === true ? undefined : known;
}

function clientOf(userAgent: string | undefined): McpConnection["known"] {
  const name = userAgent === undefined ? "plain" : chooseClientProfile({ userAgent });
  return name === "plain" ? {} : { client: { name } };
}
