import type { RankedRow } from "../../../../src/api/ranked-row.ts";
import { callsColumn, failedColumn, OptionalText, RATE } from "../../components/columns.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { OutcomeBar } from "../../components/outcome-bar.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count } from "../../format.ts";
import { type McpServer, mcpServers } from "../../mcp-servers.ts";
import type { Query } from "../../route.ts";
import { toneLabel, toneOfRate } from "../../tone.ts";

function ofServer({ name }: McpServer): Query {
  return { server: name };
}

const COLUMNS: readonly Column<McpServer>[] = [
  {
    title: "Server",
    ...{ sort: "name", value: ({ name }: McpServer) => name.toLowerCase(), isText: true },
    cell: (server) => (
      <Link page="tools" query={{ filter: server.prefix }} class="with-glyph" row>
        <Glyph tone={toneOfRate(server.failure_rate)} label={toneLabel(toneOfRate(server.failure_rate))} />
        <UntrustedText text={server.name} />
      </Link>
    ),
  },
  { title: "Tools", class: "num mid-only", cell: ({ tools }) => count(tools) },
  callsColumn(ofServer),
  failedColumn(ofServer),
  RATE,
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
      <Table
        label="MCP servers"
        columns={COLUMNS}
        rows={servers}
        usual="-failed"
        keyOf={({ prefix }) => prefix}
        nothing={undefined}
      />
    </Panel>
  );
}
