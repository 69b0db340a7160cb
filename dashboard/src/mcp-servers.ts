import type { RankedRow } from "../../src/api/ranked-row.ts";

/** The tools of one MCP server, by their names. */
export interface McpServer {
  readonly name: string;
  /** The common prefix of its tools' names. */
  readonly prefix: string;
  readonly tools: number;
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly failure_rate: number | null;
  /** The tool with the most failures; null without failures. */
  readonly worst: string | null;
}

/** Clients name MCP tools `mcp__SERVER__TOOL`. Most failures first. */
export function mcpServers(rows: readonly RankedRow[]): readonly McpServer[] {
  const byPrefix = Map.groupBy(rows, ({ key }) => /^mcp__.+?__/.exec(key)?.[0] ?? "");
  byPrefix.delete("");
  return [...byPrefix]
    .map(([prefix, tools]): McpServer => {
      const sum = (field: "calls" | "ok" | "failed"): number => tools.reduce((all, row) => all + row[field], 0);
      const [ok, failed] = [sum("ok"), sum("failed")];
      const [worst] = tools.toSorted((a, b) => b.failed - a.failed);
      return {
        ...{ name: prefix.slice(5, -2), prefix, tools: tools.length },
        ...{ calls: sum("calls"), ok, failed, failure_rate: ok + failed === 0 ? null : failed / (ok + failed) },
        worst: worst === undefined || worst.failed === 0 ? null : worst.key.slice(prefix.length),
      };
    })
    .sort((a, b) => b.failed - a.failed || b.calls - a.calls || (a.name < b.name ? -1 : 1));
}
