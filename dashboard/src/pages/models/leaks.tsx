import { useEffect } from "preact/hooks";
import { reasonText } from "../../../../src/core/repair/reason-text.ts";
import type { LeakRow, OriginRow } from "../../../../src/store/port.ts";
import { CallsLink } from "../../components/calls-link.tsx";
import { Count } from "../../components/count.tsx";
import { EmptyMessage, Panel } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { UntrustedText } from "../../components/untrusted-text.tsx";
import { count, percent } from "../../format.ts";
import { inRange, useQuery } from "../../queries.ts";
import { place } from "../../state.ts";

export const NEWEST_LEAKS = 100;

interface LeaksProps {
  readonly rows: readonly LeakRow[] | undefined;
  readonly busy: boolean;
}

/** Leaked calls by model and format, and whether they were repaired. */
export function Leaks({ rows, busy }: LeaksProps) {
  const isLoaded = rows !== undefined;
  useEffect(() => {
    if (isLoaded && place.peek().query.part === "leaks")
      document.querySelector(".leaks")?.scrollIntoView({ block: "nearest" });
  }, [isLoaded]);
  const isCut = (rows?.length ?? 0) >= NEWEST_LEAKS;
  return (
    <Panel title="Leaks" note={isCut ? `the newest ${NEWEST_LEAKS}` : undefined} rows={rows} busy={busy} class="leaks">
      {rows?.length === 0 && <EmptyMessage>No leaked calls in this range.</EmptyMessage>}
      {rows !== undefined && rows.length > 0 && (
        <>
          <Origins />
          <Table
            label="Leaks by model and format"
            columns={GROUPS}
            rows={leakGroups(rows)}
            usual=""
            keyOf={({ model, format }) => `${model} ${format}`}
            nothing=""
          />
        </>
      )}
    </Panel>
  );
}

/** Compares the failure rate of repaired calls with that of native calls. */
function Origins() {
  const { value } = useQuery<{ readonly rows: readonly OriginRow[] }>(inRange("/api/origins"));
  const of = (origin: string): OriginRow | undefined => value?.rows.find((row) => row.origin === origin);
  const [repaired, native] = [of("recovered"), of("native")];
  if (repaired === undefined || repaired.calls === 0) return null;
  return (
    <p class="nothing">
      Failure rate of{" "}
      <CallsLink calls={repaired.calls} query={{ origin: "recovered" }}>
        {count(repaired.calls)} repaired calls
      </CallsLink>
      : {percent(repaired.failure_rate)}; of native calls: {percent(native?.failure_rate ?? null)}.
    </p>
  );
}

const GROUPS: readonly Column<LeakGroup>[] = [
  {
    title: "Model and format",
    cell: ({ model, format }) => (
      <span class="leak-name">
        <UntrustedText text={model ?? "unknown model"} /> <code class="chip">{format}</code>
      </span>
    ),
  },
  {
    title: "Repaired",
    class: "num rate",
    sort: "repaired",
    value: ({ repaired }) => repaired,
    cell: ({ repaired }) => <Count value={repaired} tone="ok" />,
  },
  {
    title: "Unrepaired",
    class: "num",
    sort: "left",
    value: ({ left }) => left,
    cell: ({ left }) => <Count value={left} tone="warn" />,
  },
  {
    title: "Reason",
    class: "names leak-reason",
    hint: "Why leaks were left as text",
    cell: ({ reasons }) => reasons.map(reasonText).join("; "),
  },
];

export interface LeakGroup {
  readonly model: string | null;
  readonly format: string;
  /** Parsed calls; a leak that could not be parsed counts as one. */
  readonly repaired: number;
  readonly left: number;
  readonly reasons: readonly string[];
}

/** Groups leaks by model and format, most calls first. */
export function leakGroups(rows: readonly LeakRow[]): readonly LeakGroup[] {
  const groups = new Map<
    string,
    { model: string | null; format: string; repaired: number; left: number; reasons: string[] }
  >();
  for (const { model, format, result, parsed, reason } of rows) {
    const key = JSON.stringify([model, format]);
    const group = groups.get(key) ?? { model, format, repaired: 0, left: 0, reasons: [] };
    groups.set(key, group);
    if (result === "recovered") group.repaired += Math.max(1, parsed);
    else group.left += Math.max(1, parsed);
    if (reason !== null && !group.reasons.includes(reason)) group.reasons.push(reason);
  }
  return [...groups.values()].sort((a, b) => b.repaired + b.left - (a.repaired + a.left));
}
