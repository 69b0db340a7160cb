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
import { McpExchange, type McpExchangeOptions } from "./mcp-exchange.ts";

export interface McpExchangesOptions {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly servers: KnownServers;
  /** Whether calls are repaired, or only compared with the schemas. */
  readonly repairsCalls: boolean;
  readonly onProblem: (error: unknown) => void;
}

/** Sessions whose client and server are cached. Only names depend on this. */
const MAX_SESSIONS = 1000;

/** Creates the reader of each exchange with an MCP server at `/mcp/NAME`. */
export function createMcpExchanges(options: McpExchangesOptions) {
  const { observer, record, now, servers, repairsCalls, onProblem } = options;
  const sessions = new Map<string, McpExchangeOptions["known"]>();
  return (upstream: Upstream, header: HeaderLookup): ForwardedExchange | undefined => {
    if (header("x-toolmend-record") === "off") return undefined;
    const project = headFor(upstream, header)("x-toolmend-project") ?? "";
    // The session id is a credential.
    const sessionId = header("mcp-session-id");
    const known = sessionId === undefined ? undefined : sessions.get(observer.hash(sessionId));
    return new McpExchange({
      server: upstream.name,
      instance: randomUUID().replaceAll("-", ""),
      known: known ?? clientOf(header("user-agent")),
      now: () => ({ at: now(), clock: performance.now() }),
      ...(repairsCalls && {
        repairableTool: (tool) => repairableTool(servers, upstream.name, tool, known?.server_info),
      }),
      onSession(id, learned) {
        const key = observer.hash(id);
        if (learned.client !== undefined || !sessions.has(key)) sessions.set(key, learned);
        for (const oldest of sessions.keys()) {
          if (sessions.size <= MAX_SESSIONS) break;
          sessions.delete(oldest);
        }
      },
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

function clientOf(userAgent: string | undefined): McpExchangeOptions["known"] {
  const name = userAgent === undefined ? "plain" : chooseClientProfile({ userAgent });
  return name === "plain" ? {} : { client: { name } };
}
