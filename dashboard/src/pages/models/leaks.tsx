import type { LeakRow, OriginRow } from "../../../../src/store/port.ts";
import { inRange, useAnswer } from "../../answers.ts";
import { Count } from "../../components/count.tsx";
import { ForeignText } from "../../components/foreign-text.tsx";
import { Glyph } from "../../components/glyph.tsx";
import { Nothing, Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { count, percent, visible } from "../../format.ts";
import { type LeakGroup, leakGroups } from "./leak-groups.ts";

const NEWEST = 100;
const EXAMPLES = 8;

/** Calls that models wrote as text: who, how, and what they became. */
export function Leaks() {
  const { value, isOld } = useAnswer<{ readonly rows: readonly LeakRow[] }>(
    inRange("/api/leaks", { limit: String(NEWEST) }),
  );
  const rows = value?.rows ?? [];
  return (
    <Panel
      title="Leaks"
      note={`calls written as text${rows.length >= NEWEST ? `, the newest ${NEWEST}` : ""}`}
      rows={rows}
      busy={isOld}
    >
      {value !== undefined && rows.length === 0 && <Nothing>No model wrote a call as text in this range.</Nothing>}
      {rows.length > 0 && (
        <>
          <Origins />
          <Table
            label="Leaks by model and format"
            columns={GROUPS}
            rows={leakGroups(rows)}
            keyOf={({ model, format }) => `${model} ${format}`}
            nothing=""
          />
          <h3 class="panel-sub">Before and after</h3>
          <ul class="examples">
            {rows.slice(0, EXAMPLES).map((row) => (
              <Example key={`${row.request_id} ${row.format} ${row.reason}`} row={row} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** Do mended calls work as well as those that models make properly? */
function Origins() {
  const { value } = useAnswer<{ readonly rows: readonly OriginRow[] }>(inRange("/api/origins"));
  const of = (origin: string): OriginRow | undefined => value?.rows.find((row) => row.origin === origin);
  const [mended, native] = [of("recovered"), of("native")];
  if (mended === undefined || mended.calls === 0) return null;
  return (
    <p class="nothing">
      Of {count(mended.calls)} mended calls {percent(mended.failure_rate)} failed; of those that models made properly{" "}
      {percent(native?.failure_rate ?? null)}.
    </p>
  );
}

const GROUPS: readonly Column<LeakGroup>[] = [
  { title: "Model", cell: ({ model }) => <ForeignText text={model ?? "unknown model"} /> },
  { title: "Format", class: "names", cell: ({ format }) => <code class="chip">{format}</code> },
  { title: "Mended", class: "num", cell: ({ mended }) => <Count value={mended} tone="ok" /> },
  { title: "Left", class: "num", cell: ({ left }) => <Count value={left} tone="warn" /> },
  { title: "Why left", class: "names mid-only", cell: ({ reasons }) => reasons.join(", ") },
];

function Example({ row }: { readonly row: LeakRow }) {
  const mended = row.result === "recovered";
  return (
    <li class="example">
      <p class="example-head">
        <Glyph tone={mended ? "ok" : "warn"} label={mended ? "mended" : "left as text"} />
        <bdi>{visible(row.model ?? "unknown model")}</bdi> <code class="chip">{row.format}</code>{" "}
        {!mended && <span class="faint">left: {row.reason}</span>}{" "}
        <span class="faint">
          <TimeAgo at={Date.parse(row.at)} />
        </span>
      </p>
      <div class="before-after">
        {row.before === null ? (
          <p class="faint">What the model wrote is not kept.</p>
        ) : (
          <TextBlock title="The model wrote" text={row.before} />
        )}
        {row.after.length > 0 && (
          <TextBlock
            title="It became"
            text={row.after.map((call) => `${call.tool_name}(${call.arguments ?? "…"})`).join("\n")}
          />
        )}
      </div>
    </li>
  );
}
