import { Category } from "../../components/category.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { RowButton } from "../../components/row-button.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { duration, exactTime } from "../../format.ts";
import { place, show } from "../../state.ts";
import { toneOfStatus } from "../../tone.ts";
import { graphWidth, LaneGraph } from "./lane-graph.tsx";
import { CallMessage } from "./tags.tsx";
import type { Timeline, TimelineCall } from "./timeline.ts";

/** Calls in order, next to the lanes of their agents. */
export function TimelineTable({ timeline, startedAt }: { readonly timeline: Timeline; readonly startedAt: number }) {
  const { open } = place.value.query;
  return (
    <Table
      label="Calls"
      columns={columnsOf(graphWidth(timeline), startedAt)}
      name={2}
      rows={timeline.calls}
      keyOf={({ call }) => call.id}
      rowClass={({ call }) => (call.id === open ? "chosen" : "")}
      drawing={(from, to) => <LaneGraph timeline={timeline} from={from} to={to} />}
      nothing="No tool calls in this session."
    />
  );
}

function columnsOf(graph: number, startedAt: number): readonly Column<TimelineCall>[] {
  return [
    // The lane graph is drawn over this column.
    { title: "Lanes", class: "lane-column", width: graph, cell: () => null },
    { title: "#", class: "place faint", cell: ({ number }) => number },
    {
      title: "Tool",
      class: "story-tool",
      cell: ({ call }) => (
        <RowButton opens={call.id}>
          <Glyph tone={toneOfStatus(call.status)} label={call.status} />
          <UntrustedText text={call.tool_name} />
        </RowButton>
      ),
    },
    { title: "Result", cell: (one) => <Message {...one} /> },
    { title: "Category", class: "category mid-only", cell: ({ call }) => <Category name={call.category} /> },
    {
      title: "Took",
      class: "num time mid-only faint",
      hint: "Measured run time, otherwise the time until the result arrived",
      cell: ({ call }) => duration(call.execution_time_ms ?? call.turnaround_ms),
    },
    {
      title: "At",
      class: "num time mid-only faint",
      hint: "Since the start of the session",
      cell: ({ call }) => {
        const at = Date.parse(call.at);
        return <span title={exactTime(at)}>+{duration(Math.max(0, at - startedAt))}</span>;
      },
    },
  ];
}

function Message({ call, times }: Pick<TimelineCall, "call" | "times">) {
  return (
    <>
      {times > 1 && (
        <button type="button" class="tag tag-bad" title="Show every call" onClick={() => show({ fold: "off" })}>
          ×{times} nothing new
        </button>
      )}
      <CallMessage call={call} />
    </>
  );
}
