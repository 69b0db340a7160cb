import { faultText } from "../../../../src/core/repair/calls/fault-text.ts";
import type { CallFaultRow, CallRepairRow } from "../../../../src/store/port.ts";
import { Count } from "../../components/count.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { visible } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { RepairExample } from "./repair-example.tsx";

const EXAMPLES = 8;

/** Native calls that do not fit their schemas, by server, model and fault. */
export function CallFaults() {
  const { value, isOld } = useQuery<{ readonly rows: readonly CallFaultRow[] }>(inRange("/api/call-faults"));
  const rows = value?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Native calls that do not fit" note="by model and fault" rows={rows} busy={isOld}>
      <Table
        label="Faults of native calls"
        columns={FAULTS}
        rows={rows}
        usual=""
        keyOf={(row) => `${row.provider} ${row.model} ${row.class}`}
        nothing=""
      />
    </Panel>
  );
}

const FAULTS: readonly Column<CallFaultRow>[] = [
  { title: "Model", cell: ({ model }) => <UntrustedText text={model ?? "unknown model"} /> },
  { title: "Provider", class: "names", cell: ({ provider }) => <UntrustedText text={provider ?? "unknown"} /> },
  {
    title: "Fault",
    class: "names",
    cell: (row) => (row.class === "none" ? "no right reading" : faultText(row.class)),
  },
  {
    title: "Repaired",
    class: "num rate",
    sort: "repaired",
    value: ({ repaired }) => repaired,
    cell: ({ repaired }) => <Count value={repaired} tone="ok" />,
  },
  {
    title: "Left",
    class: "num",
    sort: "left",
    value: ({ left }) => left,
    cell: ({ left }) => <Count value={left} tone="warn" />,
  },
  {
    title: "Calls",
    class: "num",
    sort: "calls",
    value: ({ calls }) => calls,
    cell: ({ calls }) => <Count value={calls} />,
  },
];

/** Examples of native calls before and after repair. */
export function CallRepairExamples() {
  const path = inRange("/api/call-repairs", { limit: String(EXAMPLES) });
  const { value } = useQuery<{ readonly rows: readonly CallRepairRow[] }>(path);
  const rows = value?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Native calls before and after" note="newest first">
      <ul class="examples">
        {rows.map((row) => (
          <Example key={`${row.session_id} ${row.tool_call_id}`} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function Example({ row }: { readonly row: CallRepairRow }) {
  const isRepaired = row.result === "repaired";
  return (
    <RepairExample
      isRepaired={isRepaired}
      reason={visible(row.reason ?? row.problem ?? "")}
      at={row.at}
      before={row.before}
      after={row.after !== null && isRepaired ? { title: "Sent to the client", text: row.after } : undefined}
    >
      <bdi>{visible(row.tool_name)}</bdi> · <bdi>{visible(row.model ?? "unknown model")}</bdi>{" "}
      {row.classes.map((name) => (
        <code class="chip" key={name}>
          {name}
        </code>
      ))}
    </RepairExample>
  );
}
