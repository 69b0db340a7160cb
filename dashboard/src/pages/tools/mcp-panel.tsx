import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { OptionalText } from "../../components/columns.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, percent } from "../../format.ts";
import { type McpServer, mcpServers } from "../../mcp-servers.ts";
import { toneLabel, toneOfRate } from "../../tone.ts";

function rateOf({ ok, failed }: McpServer): number | null {
  return ok + failed === 0 ? null : failed / (ok + failed);
}

const COLUMNS: readonly Column<McpServer>[] = [
  {
    title: "Server",
    cell: (server) => (
      <Link page="tools" query={{ filter: server.prefix }} class="with-glyph" row>
        <Glyph tone={toneOfRate(rateOf(server))} label={toneLabel(toneOfRate(rateOf(server)))} />
        <UntrustedText text={server.name} />
      </Link>
    ),
  },
  { title: "Tools", class: "num", cell: ({ tools }) => count(tools) },
  { title: "Calls", class: "num", cell: ({ calls }) => count(calls) },
  { title: "Failed", class: "num", cell: ({ failed }) => count(failed) },
  { title: "Fail %", class: "num rate", cell: (server) => percent(rateOf(server)) },
  {
    title: "Outcomes",
    class: "bar-cell mid-only",
    cell: ({ calls, ok, failed }) => <OutcomeBar tally={{ calls, failed, unknown: calls - ok - failed }} />,
  },
  {
    title: "Most failures in",
    class: "names mid-only",
    cell: ({ worst }) => <OptionalText text={worst} />,
  },
];

/** Tools of MCP servers, added up by server. */
export function McpPanel({ rows }: { readonly rows: readonly RankedRow[] }) {
  const servers = mcpServers(rows);
  if (servers.length === 0) return null;
  return (
    <Panel title="MCP servers" note="their tools together" rows={servers}>
      <Table label="MCP servers" columns={COLUMNS} rows={servers} keyOf={({ prefix }) => prefix} nothing={undefined} />
    </Panel>
  );
}
