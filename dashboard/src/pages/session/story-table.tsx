import { Category } from "../../components/category.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { NoRows } from "../../components/panel.tsx";
import { Space, useWindowed } from "../../components/windowed.tsx";
import { duration, exactTime } from "../../format.ts";
import { place, show } from "../../state.ts";
import { toneOfStatus } from "../../tone.ts";
import { graphWidth, LaneGraph } from "./lane-graph.tsx";
import type { Story, StoryCall } from "./story.ts";
import { Tags } from "./tags.tsx";

const COLUMNS = 7;

/** Calls in order, beside the lanes of their agents. */
export function StoryTable({ story, startedAt }: { readonly story: Story; readonly startedAt: number }) {
  const { body, from, to, above, below } = useWindowed(story.calls.length);
  return (
    <div class="story">
      <LaneGraph story={story} from={from} to={to} />
      <table aria-label="Calls" aria-rowcount={story.calls.length + 1}>
        <thead>
          <tr>
            {/* The width of the drawing that lies over this column. */}
            <th scope="col" style={{ width: `${graphWidth(story)}px` }}>
              <span class="hidden">Lanes</span>
            </th>
            <th scope="col" class="place">
              #
            </th>
            <th scope="col" class="story-tool">
              Tool
            </th>
            <th scope="col">What came of it</th>
            <th scope="col" class="category mid-only">
              Category
            </th>
            <th scope="col" class="num time mid-only" title="Measured, or else the time until the result came back">
              Took
            </th>
            <th scope="col" class="num time mid-only" title="Since the session began">
              At
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Space height={above} columns={COLUMNS} />
          {story.calls.slice(from, to).map((one) => (
            <Call key={one.call.id} one={one} startedAt={startedAt} />
          ))}
          <Space height={below} columns={COLUMNS} />
          {story.calls.length === 0 && <NoRows columns={COLUMNS}>No tool was called in this session.</NoRows>}
        </tbody>
      </table>
    </div>
  );
}

function Call({ one: { call, number }, startedAt }: { readonly one: StoryCall; readonly startedAt: number }) {
  const at = Date.parse(call.at);
  const open = place.value.query.open === call.id;
  return (
    <tr class={open ? "chosen" : ""} aria-selected={open}>
      <td />
      <td class="place faint">{number}</td>
      <th scope="row">
        <button type="button" class="with-glyph row-button" data-row="" onClick={() => show({ open: call.id })}>
          <Glyph tone={toneOfStatus(call.status)} label={call.status} />
          <ForeignText text={call.tool_name} />
        </button>
      </th>
      <td>
        <span class="story-message">
          <Tags call={call} />
          {call.status_message === null ? (
            <span class="faint">{call.status === "ok" ? "ok" : call.status}</span>
          ) : (
            <ForeignText text={call.status_message} />
          )}
        </span>
      </td>
      <td class="category mid-only">
        <Category name={call.category} />
      </td>
      <td class="num time mid-only faint">{duration(call.execution_time_ms ?? call.turnaround_ms)}</td>
      <td class="num time mid-only faint" title={exactTime(at)}>
        +{duration(Math.max(0, at - startedAt))}
      </td>
    </tr>
  );
}
