import { reasonText } from "../../../../src/core/repair/reason-text.ts";
import type { LeakRow } from "../../../../src/store/port.ts";
import { Glyph } from "../../components/glyph.tsx";
import { Panel } from "../../components/panel.tsx";
import { TextBlock } from "../../components/text-block.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { visible } from "../../format.ts";

const EXAMPLES = 8;

/** Examples of leaks and the calls they became. */
export function LeakExamples({ rows }: { readonly rows: readonly LeakRow[] }) {
  if (rows.length === 0) return null;
  const distinct = [...new Map(rows.map((row) => [JSON.stringify([row.model, row.before, row.after]), row])).values()];
  return (
    <Panel title="Before and after" note="different leaked calls, newest first">
      <ul class="examples">
        {distinct.slice(0, EXAMPLES).map((row) => (
          <Example key={`${row.request_id} ${row.format} ${row.reason}`} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function Example({ row }: { readonly row: LeakRow }) {
  const isRepaired = row.result === "recovered";
  return (
    <li class="example">
      <p class="example-head">
        <Glyph tone={isRepaired ? "ok" : "warn"} label={isRepaired ? "repaired" : "left as text"} />{" "}
        <bdi>{visible(row.model ?? "unknown model")}</bdi> <code class="chip">{row.format}</code>{" "}
        {!isRepaired && <span class="faint">not repaired: {reasonText(row.reason ?? "")}</span>}{" "}
        <span class="faint">
          <TimeAgo at={Date.parse(row.at)} />
        </span>
      </p>
      <div class="before-after">
        {row.before === null ? (
          <p class="faint">The model's text is not stored.</p>
        ) : (
          <TextBlock title="Model output" text={row.before} />
        )}
        {row.after.length > 0 && (
          <TextBlock
            title="Repaired call"
            text={row.after.map((call) => `${call.tool_name}(${call.arguments ?? "…"})`).join("\n")}
          />
        )}
      </div>
    </li>
  );
}
