import type { SecondChanceRow } from "../../../../src/store/port.ts";
import { Count } from "../../components/count.tsx";
import { Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { duration } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";

/** Turns that were requested again, by model and fault, to show whether that pays off. */
export function SecondChances() {
  const { value, isOld } = useQuery<{ readonly rows: readonly SecondChanceRow[] }>(inRange("/api/second-chances"));
  const rows = value?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Second chances" note="turns in which no call could work" class="chances" rows={rows} busy={isOld}>
      <Table
        label="Second chances"
        columns={COLUMNS}
        rows={rows}
        usual=""
        keyOf={(row) => `${row.provider} ${row.model} ${row.reason}`}
        nothing=""
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<SecondChanceRow>[] = [
  { title: "Model", cell: ({ model }) => <UntrustedText text={model ?? "unknown model"} /> },
  {
    title: "Provider",
    class: "names mid-only",
    cell: ({ provider }) => <UntrustedText text={provider ?? "unknown"} />,
  },
  { title: "Fault", class: "names", cell: ({ reason }) => <UntrustedText text={reason.replaceAll("_", " ")} /> },
  {
    title: "Asked",
    class: "num",
    sort: "asked",
    value: ({ attempts }) => attempts,
    cell: ({ attempts }) => <Count value={attempts} />,
  },
  {
    title: "Healed",
    class: "num rate",
    sort: "healed",
    value: (row) => row.healed + row.answered,
    cell: (row) => <Count value={row.healed + row.answered} tone="ok" />,
  },
  {
    title: "Share",
    class: "num mid-only",
    sort: "share",
    value: (row) => row.healed_rate,
    cell: ({ healed_rate }) => `${Math.round(100 * healed_rate)}%`,
  },
  {
    title: "Time each",
    class: "num mid-only",
    sort: "time",
    value: (row) => row.added_ms,
    cell: ({ added_ms }) => duration(added_ms),
  },
  {
    title: "Tokens",
    class: "num mid-only",
    sort: "tokens",
    value: (row) => (row.input_tokens ?? 0) + (row.output_tokens ?? 0),
    cell: tokens,
  },
];

function tokens({ input_tokens, output_tokens }: SecondChanceRow) {
  if (input_tokens === null && output_tokens === null) return "unknown";
  return <Count value={(input_tokens ?? 0) + (output_tokens ?? 0)} />;
}
