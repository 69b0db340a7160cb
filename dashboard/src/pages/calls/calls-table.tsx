import type { ListedCall } from "../../../../src/store/port.ts";
import { CategoryLink } from "../../components/category.tsx";
import { OptionalText } from "../../components/columns.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Link } from "../../components/link.tsx";
import { RowButton } from "../../components/row-button.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { duration, shortId } from "../../format.ts";
import { place } from "../../state.ts";
import { toneOfStatus } from "../../tone.ts";
import { CallMessage } from "../session/tags.tsx";

const COLUMNS: readonly Column<ListedCall>[] = [
  {
    title: "Tool",
    class: "story-tool",
    cell: (call) => (
      <RowButton opens={call.id}>
        <Glyph tone={toneOfStatus(call.status)} label={call.status} />
        <UntrustedText text={call.tool_name} />
      </RowButton>
    ),
  },
  {
    title: "Result",
    cell: (call) => <CallMessage call={call} />,
  },
  {
    title: "Category",
    class: "category mid-only",
    cell: ({ category, tool_name: tool }) => <CategoryLink name={category} of={{ tool }} />,
  },
  { title: "Model", class: "model wide-only", cell: ({ model_name }) => <OptionalText text={model_name} /> },
  { title: "Client", class: "client wide-only", cell: ({ client }) => <OptionalText text={client} /> },
  {
    title: "Session",
    class: "names mid-only",
    cell: ({ project, session_id: id, session_name: name, id: open }) => (
      <Link page="session" query={{ id, ...(project !== "default" && { project }), open }}>
        <UntrustedText text={`Session ${id}`} shown={name ?? shortId(id)} />
      </Link>
    ),
  },
  {
    title: "Took",
    class: "num time mid-only faint",
    hint: "Measured run time, otherwise the time until the result arrived",
    sort: "slowest",
    cell: (call) => duration(call.execution_time_ms ?? call.turnaround_ms),
  },
  {
    title: "When",
    class: "seen",
    hint: "When the result arrived",
    sort: "recent",
    cell: ({ settled_at, at }) => <TimeAgo at={Date.parse(settled_at ?? at)} />,
  },
];

export function CallsTable({
  rows,
  nothing,
  usual,
}: {
  readonly rows: readonly ListedCall[];
  /** The order of the list; undefined if it cannot be changed. */
  readonly usual?: string;
  readonly nothing: string | undefined;
}) {
  const { open } = place.value.query;
  return (
    <Table
      label="Calls"
      class="calls"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      rowClass={({ id }) => (id === open ? "chosen" : "")}
      nothing={nothing}
      {...(usual !== undefined && { usual })}
    />
  );
}
