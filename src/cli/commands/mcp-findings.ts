import { dataFolder } from "../../ingest/data-folder.ts";
import { type FindingCall, type McpFinding, mcpFindings } from "../../mcp/findings.ts";
import { listKnownServers } from "../../mcp/known-servers.ts";
import type { Range, StoreReader } from "../../store/port.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import { pluralize } from "../format.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { type RangeFlags, rangeOf } from "../range.ts";
import { oneLineText } from "../table.ts";

export interface McpFindingsFlags extends Flags, RangeFlags {
  readonly json?: boolean;
}

const PAGE_SIZE = 500;
/** The newest calls are enough to find frequent problems. */
const MAX_CALLS = 50_000;

/** Shows what the authors of MCP servers can improve, from recorded calls and from what the servers list. */
export async function mcpFindingsCommand(flags: McpFindingsFlags, io: Io, only?: string): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const reader = await openReader(config, io);
  const isShown = (server: string | null): boolean => server !== null && (only === undefined || server === only);
  const calls = await mcpCalls(reader, rangeOf({ since: "7d", ...flags }, io.now())).finally(() => reader.close());
  const known = listKnownServers(dataFolder(config.data).mcpServers);
  const names = new Set([...known.map(({ server }) => server), ...calls.flatMap(({ mcp_server }) => mcp_server ?? [])]);
  if (only !== undefined && !names.has(only)) throw unknownServer(only, [...names].sort());
  const findings = mcpFindings(
    known.filter(({ server }) => isShown(server)),
    calls.filter(({ mcp_server }) => isShown(mcp_server)),
  );
  if (flags.json === true) io.out(`${JSON.stringify(findings, null, 2)}\n`);
  else io.out(findings.length === 0 ? "No findings about MCP servers in this range.\n" : asText(findings));
  return 0;
}

function unknownServer(name: string, known: readonly string[]): CliError {
  const found = known.length === 0 ? "none" : known.map(oneLineText).join(", ");
  return new CliError(`No MCP server named "${name}" found in this range. Found: ${found}.`);
}

async function mcpCalls(reader: StoreReader, range: Range): Promise<readonly FindingCall[]> {
  const found: FindingCall[] = [];
  let cursor: string | null | undefined;
  for (let read = 0; read < MAX_CALLS && cursor !== null; read += PAGE_SIZE) {
    const page = await reader.calls({ ...range, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
    for (const call of page.calls) if (call.mcp_server !== null) found.push(call);
    cursor = page.next_cursor;
  }
  return found;
}

const TITLES: Readonly<Record<McpFinding["kind"], string>> = {
  called_wrong: "Tools called with arguments that do not fit",
  invalid_output: "Results that a client may reject",
  oversized: "Large results",
  noise: "Noise on stdout",
  no_description: "Tools without a description",
  never_called: "Tools that were not called",
};

/** Names and details come from servers and models. */
function asText(findings: readonly McpFinding[]): string {
  const lines: string[] = [];
  for (const [at, { kind, server, tool, detail, would_have_worked = 0 }] of findings.entries()) {
    if (kind !== findings[at - 1]?.kind) lines.push(TITLES[kind]);
    const repairable =
      would_have_worked === 0 ? "" : `; ${pluralize(would_have_worked, "failure")} would have worked repaired`;
    lines.push(`  ${oneLineText(`${server}${tool === null ? "" : ` ${tool}`}: ${detail}${repairable}`)}`);
  }
  return `${lines.join("\n")}\n`;
}
