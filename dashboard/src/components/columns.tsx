import type { RankedRow } from "../../../src/api/ranked-row.ts";
import type { SessionRow } from "../../../src/store/port.ts";
import { interval, percent, visible } from "../format.ts";
import type { Query } from "../route.ts";
import { labelOf } from "../session-label.ts";
import { hasNoCalls, toneLabel, toneOfRate, toneOfSession } from "../tone.ts";
import { CallsLink, FAILED_CALLS, ofSession } from "./calls-link.tsx";
import { CategoryLink } from "./category.tsx";
import { Change } from "./change.tsx";
import { Count } from "./count.tsx";
import { Glyph } from "./glyph.tsx";
import { Link } from "./link.tsx";
import type { Column } from "./table.tsx";
import { TimeAgo } from "./time-ago.tsx";
import { UntrustedText } from "./untrusted-text.tsx";

// Columns shared by several tables, so that they look the same everywhere.

interface Counted {
  readonly calls: number;
  readonly failed: number;
}

/** Filters of the list of calls that a row counts. */
type RowFilter<Row> = (row: Row) => Query;

const OF = {
  tool: ({ key }) => ({ tool: key }),
  model: ({ key }) => ({ model: key }),
  provider: ({ key }) => ({ provider: key }),
} as const satisfies Record<string, RowFilter<RankedRow>>;

/** The server sorts sessions. */
type Sorting<Row> = Pick<Column<Row>, "sort" | "value">;

export function callsColumn<Row extends Counted>(
  of: RowFilter<Row>,
  name = "num",
  sorting: Sorting<Row> = { sort: "calls", value: ({ calls }) => calls },
): Column<Row> {
  return {
    title: "Calls",
    class: name,
    hint: "Calls with a recorded result",
    ...sorting,
    cell: (row) => (
      <CallsLink calls={row.calls} query={of(row)}>
        <Count value={row.calls} />
      </CallsLink>
    ),
  };
}

export function failedColumn<Row extends Counted>(
  of: RowFilter<Row>,
  sorting: Sorting<Row> = { sort: "failed", value: ({ failed }) => failed },
): Column<Row> {
  return {
    title: "Failed",
    class: "num",
    hint: "Calls that failed",
    ...sorting,
    cell: (row) => (
      <CallsLink calls={row.failed} query={{ ...of(row), ...FAILED_CALLS }}>
        <Count value={row.failed} tone="bad" />
      </CallsLink>
    ),
  };
}

export const CALLS_OF_TOOL: Column<RankedRow> = callsColumn(OF.tool);
export const FAILED_OF_TOOL: Column<RankedRow> = failedColumn(OF.tool);
export const CALLS_OF_MODEL: Column<RankedRow> = callsColumn(OF.model);
export const CALLS_OF_PROVIDER: Column<RankedRow> = callsColumn(OF.provider);
export const CALLS_OF_SESSION: Column<SessionRow> = callsColumn<SessionRow>(ofSession, "num mid-only", {});
export const FAILED_OF_SESSION: Column<SessionRow> = failedColumn<SessionRow>(ofSession, { sort: "failures" });

export const RATE: Column<Pick<RankedRow, "failed" | "failure_rate">> = {
  title: "Fail %",
  class: "num rate",
  hint: "Failed calls, of those with a known outcome",
  sort: "rate",
  value: ({ failure_rate }) => failure_rate,
  cell: ({ failed, failure_rate: rate }) => (
    <span class={failed === 0 ? "faint" : `tone-${toneOfRate(rate)}`}>{percent(rate)}</span>
  ),
};

export const INTERVAL: Column<RankedRow> = {
  title: "95%",
  class: "num interval faint mid-only",
  hint: "95% interval of the rate",
  cell: (row) => interval(row.interval),
};

export const CHANGE: Column<RankedRow> = {
  title: "Change",
  class: "num change mid-only",
  hint: "Points against the previous window; ≈ if the difference may be chance",
  sort: "change",
  value: ({ change }) => change,
  cell: (row) => <Change now={row} before={row.previous} />,
};

export const EXCESS: Column<RankedRow> = {
  title: "Excess",
  class: "num rate mid-only",
  hint: "Failures above the average rate for this many calls",
  sort: "excess",
  value: ({ excess }) => excess,
  cell: ({ excess }) => <span class={excess > 0.05 ? "" : "faint"}>{excess.toFixed(1).replace("-", "−")}</span>,
};

/** The most frequent category, linked to its errors. */
function mostly<Row>(name: (row: Row) => string | null, of?: (row: Row) => Query): Column<Row> {
  return {
    title: "Mostly",
    class: "category mid-only",
    hint: "The most frequent failure category",
    cell: (row) => <CategoryLink name={name(row)} of={of?.(row) ?? {}} />,
  };
}

export const MOSTLY_OF_TOOL: Column<RankedRow> = {
  ...mostly<RankedRow>(({ top_category }) => top_category, OF.tool),
  ...{ sort: "category", value: ({ top_category }) => top_category, isText: true },
};
export const MOSTLY_OF_SESSION = mostly<SessionRow>(({ dominant_failure_mode }) => dominant_failure_mode);

export const SESSION: Column<SessionRow> = {
  title: "Session",
  class: "session-cell",
  cell: (row) => <SessionLink row={row} />,
};

export const MODEL: Column<SessionRow> = {
  title: "Model",
  class: "model wide-only",
  hint: "Model of the last response",
  cell: ({ model_used }) => <OptionalText text={model_used} />,
};

export const UNRECOVERED: Column<SessionRow> = {
  title: "Unrec.",
  class: "num mid-only",
  hint: "Root failures without a successful retry",
  sort: "unrecovered",
  cell: (row) => (
    <CallsLink calls={row.unrecovered} query={{ ...ofSession(row), link: "unrecovered" }}>
      <Count value={row.unrecovered} tone="bad" />
    </CallsLink>
  ),
};

export const LAST_SEEN: Column<{ readonly last_at: string | null }> = {
  title: "Last seen",
  class: "seen",
  sort: "recent",
  cell: ({ last_at }) => last_at !== null && <TimeAgo at={Date.parse(last_at)} />,
};

/** Name of a tool, model or provider with its glyph. */
export function RankedName({ row, few = false }: { readonly row: RankedRow; readonly few?: boolean }) {
  const word = toneLabel(toneOfRate(row.failure_rate));
  return (
    <>
      <Glyph tone={toneOfRate(row.failure_rate)} label={few ? `${word}, too few calls for a reliable rate` : word} />
      <UntrustedText text={row.key === "" ? "unknown" : row.key} />
    </>
  );
}

export function ToolLink({ row, few = false }: { readonly row: RankedRow; readonly few?: boolean }) {
  return (
    <Link page="tool" query={{ name: row.key }} class="with-glyph" row>
      <RankedName row={row} few={few} />
    </Link>
  );
}

/** A text, or a dash if it is unknown. */
export function OptionalText({ text }: { readonly text: string | null }) {
  return text === null || text === "" ? <span class="faint">–</span> : <UntrustedText text={text} />;
}

export function keyOfSession({ project, session_id }: Pick<SessionRow, "project" | "session_id">): string {
  return `${project} ${session_id}`;
}

export function SessionLink({ row }: { readonly row: SessionRow }) {
  const { project, session_id: id, task } = row;
  return (
    <Link page="session" query={{ id, ...(project !== "default" && { project }) }} class="with-glyph" row>
      <Glyph tone={toneOfSession(row)} label={hasNoCalls(row) ? "no tool calls" : row.health} />
      <span class="session-name" title={`Session ${visible(id)}`}>
        <bdi class="clip">{visible(labelOf(row))}</bdi>
        {task !== null && <bdi class="clip session-task">{visible(task)}</bdi>}
        {project !== "default" && <bdi class="tag">{visible(project)}</bdi>}
      </span>
    </Link>
  );
}
