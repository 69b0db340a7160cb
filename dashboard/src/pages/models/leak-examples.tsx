import { reasonText } from "../../../../src/core/repair/reason-text.ts";
import type { LeakRow } from "../../../../src/store/port.ts";
import { Panel } from "../../components/panel.tsx";
import { visible } from "../../format.ts";
import { newestDistinct } from "./newest-distinct.ts";
import { RepairExample } from "./repair-example.tsx";

const EXAMPLES = 8;

/** Examples of leaks and the calls they became. */
export function LeakExamples({ rows }: { readonly rows: readonly LeakRow[] }) {
  if (rows.length === 0) return null;
  const distinct = newestDistinct(rows);
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
  const after = row.after.map((call) => `${call.tool_name}(${call.arguments ?? "…"})`).join("\n");
  return (
    <RepairExample
      isRepaired={row.result === "recovered"}
      reason={reasonText(row.reason ?? "")}
      at={row.at}
      before={row.before}
      after={after === "" ? undefined : { title: "Repaired call", text: after }}
    >
      <bdi>{visible(row.model ?? "unknown model")}</bdi> <code class="chip">{row.format}</code>
    </RepairExample>
  );
}
