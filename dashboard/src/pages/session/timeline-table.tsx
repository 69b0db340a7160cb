import { Category } from "../../components/category.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { RowButton } from "../../components/row-button.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { duration, exactTime } from "../../format.ts";
import { place } from "../../state.ts";
import { toneOfStatus } from "../../tone.ts";
import { graphWidth, LaneGraph } from "./lane-graph.tsx";
import { Tags } from "./tags.tsx";
import type { Story, StoryCall } from "./timeline.ts";

/** Calls in order, beside the lanes of their agents. */
export function TimelineTable({ story, startedAt }: { readonly story: Story; readonly startedAt: number }) {
  const { open } = place.value.query;
  return (
    <Table
      label="Calls"
      columns={columnsOf(graphWidth(story), startedAt)}
      name={2}
      rows={story.calls}
      keyOf={({ call }) => call.id}
      rowClass={({ call }) => (call.id === open ? "chosen" : "")}
      drawing={(from, to) => <LaneGraph story={story} from={from} to={to} />}
      nothing="No tool was called in this session."
    />
  );
}

function columnsOf(graph: number, startedAt: number): readonly Column<StoryCall>[] {
  return [
    // The drawing lies over this column.
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
    { title: "What came of it", cell: ({ call }) => <Message call={call} /> },
    { title: "Category", class: "category mid-only", cell: ({ call }) => <Category name={call.category} /> },
    {
      title: "Took",
      class: "num time mid-only faint",
      hint: "Measured, or else the time until the result came back",
      cell: ({ call }) => duration(call.execution_time_ms ?? call.turnaround_ms),
    },
    {
      title: "At",
      class: "num time mid-only faint",
      hint: "Since the session began",
      cell: ({ call }) => {
        const at = Date.parse(call.at);
        return <span title={exactTime(at)}>+{duration(Math.max(0, at - startedAt))}</span>;
      },
    },
  ];
}

function Message({ call }: Pick<StoryCall, "call">) {
  return (
    <span class="story-message">
      <Tags call={call} />
      {call.status_message === null ? (
        <span class="faint">{call.status}</span>
      ) : (
        <UntrustedText text={call.status_message} />
      )}
    </span>
  );
}
